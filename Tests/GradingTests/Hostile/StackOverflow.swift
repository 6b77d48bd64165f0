// Tries: to use up the stack
// Allowed: crashed
func deep(_ number: Int) -> Int { number &+ deep(number &+ 1) &* 3 }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { total = deep(number) }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
