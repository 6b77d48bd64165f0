// Tries: to go on with a task that waits
// Allowed: rejected
final class Twice: TaskExecutor, @unchecked Sendable {
    var saved: UnownedJob?
    func enqueue(_ job: consuming ExecutorJob) { saved = UnownedJob(job); saved?.runSynchronously(on: asUnownedTaskExecutor()) }
}
func hidden() { let twice = Twice(); Task(executorPreference: twice) { await Task.yield(); print(twice.saved as Any) } }
public actor Tally {
    public private(set) var total = 0
    public init() { print(hidden()) }
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
