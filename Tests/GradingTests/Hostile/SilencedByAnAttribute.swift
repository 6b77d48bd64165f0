// Tries: to silence the check of memory by an attribute
// Allowed: rejected
@unsafe func poke() { UnsafeMutablePointer<Int>(bitPattern: 0x1000)?.pointee = 1 }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
