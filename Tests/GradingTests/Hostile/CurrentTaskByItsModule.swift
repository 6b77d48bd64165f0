// Tries: to reach the reference to a task that checks nothing
// Allowed: rejected
func use() -> Int {
    let saved = _Concurrency.withUnsafeCurrentTask { $0 }
    return saved?.isCancelled == true ? 1 : 0
}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return use() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
