import Synchronization

private let nextIdentifier = Atomic<UInt64>(0)

/// Names a subscriber or a subscription, also where it is a value and has no identity of its own.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
    @usableFromInline let rawValue: UInt64

    /// A new, unique identifier.
    public init() {
        rawValue = nextIdentifier.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// The identifier of an object: its address.
    @inlinable
    public init(_ obj: AnyObject) {
        rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
    }

    public var description: String {
        "0x" + String(rawValue, radix: 16)
    }
}
