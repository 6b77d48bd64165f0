// Tries: to start tasks without end
// Allowed: crashed timedOut failed
@Sendable func more() async { while true { Task.detached { await more() } } }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { await more(); return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
