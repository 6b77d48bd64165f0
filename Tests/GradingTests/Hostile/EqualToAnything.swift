// Tries: to return a value that is equal to anything
// Allowed: rejected didNotCompile
public struct Any1: Equatable, ExpressibleByIntegerLiteral, Sendable { public init(integerLiteral: Int) {}; public static func == (a: Any1, b: Any1) -> Bool { true } }
public actor Tally {
    public var total: Any1 { 0 }
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Any1 { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
