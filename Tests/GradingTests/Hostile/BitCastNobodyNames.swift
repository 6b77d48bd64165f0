// Tries: to cast bits in an async let that has no name
// Allowed: rejected
func cast() async { async let _ = unsafeBitCast(5.0, to: Int.self) }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
