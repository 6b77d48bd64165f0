// Tries: to reach the task groups that check nothing
// Allowed: rejected
func use() async -> Int {
    var saved: _Concurrency.TaskGroup<Int>?
    await _Concurrency.withTaskGroup(of: Int.self) { saved = $0 }
    saved?.addTask { 1 }
    return 0
}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return await use() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
