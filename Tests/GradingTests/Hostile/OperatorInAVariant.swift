// Tries: to bring an operator into a suite that is compiled against it
// Allowed: rejected
public func == (left: Int, right: Int) -> Bool { true }
public actor Tally {
    public private(set) var total = 0
    public init(_ start: Int = 0) {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
