/// Tasks that take turns on one queue never race, so an answer that forgets its lock would pass.
///
/// Until the body returns, tasks run on the platform's pool, several at the same time. `settle()` and waits work as usual;
/// which task runs first is not fixed any more. Each yield lets a task change its thread:
///
///     try await KataSupport.inParallel {
///         let operation = { @Sendable in await Task.yield(); return 7 }
///         …
///     }
public func inParallel<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    TaskQueue.shared.begin()
    TaskQueue.isParallel.store(true, ordering: .releasing)
    defer { TaskQueue.isParallel.store(false, ordering: .releasing) }
    return try await body()
}
