// Tries: to resume a checked continuation twice
// Allowed: crashed
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { await withCheckedContinuation { (c: CheckedContinuation<Void, Never>) in c.resume(); c.resume() }; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
