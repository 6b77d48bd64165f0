// Tries: to ask a task group that is gone
// Allowed: crashed
func use() async -> Int {
    var saved: DiscardingTaskGroup?
    await withDiscardingTaskGroup { saved = $0 }
    saved?.addTask {}
    return saved?.isEmpty == true ? 1 : 0
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
