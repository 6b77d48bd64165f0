// Tries: to leave whoever waits waiting
// Allowed: failed timedOut
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    try await withCheckedThrowingContinuation { (_: CheckedContinuation<Element, any Error>) in }
}
