// Tries: to reach what a pointer points to through a protocol of its own
// Allowed: rejected
protocol Pointing { func value() -> Any }
extension Swift.UnsafeMutablePointer: Pointing { func value() -> Any { Pointee.self } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
