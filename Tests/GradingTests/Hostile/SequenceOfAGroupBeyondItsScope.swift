// Tries: to go on with what was made of a task group that is gone
// Allowed: crashed
func use() async -> Int {
    var saved: AsyncMapSequence<TaskGroup<Int>, Int>?
    await withTaskGroup(of: Int.self) { saved = $0.map { $0 + 1 } }
    var sum = 0
    if let saved { for await number in saved { sum += number } }
    return sum
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
