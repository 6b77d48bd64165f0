// Tries: to shadow the suite's expect where the suite is compiled against it
// Allowed: failed rejected didNotCompile
public func expect(_ actual: Int, equals expected: Int) {}
public actor Tally {
    public var total: Int { get async { 0 } }
    public init() {}
    public func add(_ number: Int, more: Int = 0) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
