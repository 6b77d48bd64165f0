// Tries: to add to a task group from a task that outlives it
// Allowed: crashed failed timedOut
final class Saved: @unchecked Sendable { var group: ThrowingTaskGroup<Int, any Error>? }
func use() async -> Int {
    let saved = Saved()
    try? await withThrowingTaskGroup(of: Int.self) { saved.group = $0 }
    return await Task.detached { saved.group?.addTask { 1 }; return 0 }.value
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
