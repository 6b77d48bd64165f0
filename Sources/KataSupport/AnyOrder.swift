/// Two tasks that an answer starts one after the other may run in either order, but here the first one always came first.
///
/// Until the body returns, the task to run next is drawn from all that are ready (by the seed of the run):
///
///     try await KataSupport.inAnyOrder {
///         let value = Task { try await Just(7).firstValueThrowing }
///         …
///     }
public func inAnyOrder<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    TaskQueue.shared.begin()
    TaskQueue.shared.drawJobs(with: Values(for: "inAnyOrder"))
    defer { TaskQueue.shared.drawJobs(with: nil) }
    return try await body()
}
