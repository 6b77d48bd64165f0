// Tries: to add to a task group that is gone
// Allowed: crashed
func use() async -> Int {
    var saved: TaskGroup<Int>?
    await withTaskGroup(of: Int.self) { saved = $0 }
    saved?.addTask { 1 }
    return await saved?.next() ?? 0
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
