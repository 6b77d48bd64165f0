// Tries: to go on after it was cancelled
// Allowed: timedOut failed
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { while true { try? await Task.sleep(nanoseconds: 1_000_000) }; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
