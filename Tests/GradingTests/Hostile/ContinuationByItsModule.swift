// Tries: to get a continuation that checks nothing by its full name
// Allowed: rejected
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int {
        await _Concurrency.withUnsafeContinuation(isolation: self) { (continuation: _Concurrency.UnsafeContinuation<Int, Never>) in continuation.resume(returning: 1) }
    }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
