// Tries: to stand in for the module of the suite's comparisons
// Allowed: rejected didNotCompile
public enum KataSupport {
    public struct Values { public init() {}; public mutating func integers(_ count: Int) -> [Int] { [0] } }
}
public func expect<Value: Equatable>(_ actual: Value, equals expected: Value) throws {}
public actor Tally {
    public var total: Int { 0 }
    public init(_ start: Int? = nil) {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
