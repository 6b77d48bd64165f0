// Tries: to use a reference to a task that is gone
// Allowed: crashed
func use() -> Int {
    let saved = withUnsafeCurrentTask { $0 }
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
