import Synchronization

private let nextIdentifier = Atomic<UInt>(0)

/// Names a subscriber or a subscription, also where it is a value and has no identity of its own.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    @usableFromInline let value: UInt

    /// An identifier that no other has.
    public init() {
        value = nextIdentifier.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The identifier of an object: its address.
    @inlinable
    public init(_ obj: AnyObject) {
        value = UInt(bitPattern: ObjectIdentifier(obj))
    }

    public var description: String {
        "0x" + String(value, radix: 16)
    }
}
