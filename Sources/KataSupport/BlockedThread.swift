/// A task that waits with a semaphore or a lock returns the right value in a test, and stops the whole app once all threads of the
/// pool wait like that.
///
/// Runs the body, settles, and throws where a task has blocked its thread meanwhile: its thread slept inside it, and nothing
/// that ran could wake it. It throws as well where code that waits keeps all threads of one of Dispatch's global queues, which
/// has few more threads than there are processors.
///
///     try await KataSupport.expectNoBlockedThread {
///         Task { await publisher.firstValue }
///     }
public func expectNoBlockedThread(during body: () async throws -> Void) async throws {
    await settle()
    let before = WaitMonitor.shared.blockedThreads
    try await body()
    await settle()
    if WaitMonitor.shared.blockedThreads > before { throw BlockedThread() }
    let waiting = Observed(GlobalQueues.classes.count)
    GlobalQueues.runOnEach { waiting.update { $0 -= 1 } }
    try await waiting.until { $0 == 0 }
}

/// A task has blocked its thread.
public struct BlockedThread: FindingError {
    public init() {}

    public var finding: Finding { Finding(key: "blockedThread", arguments: [], kind: .blocked) }
    public var prose: String { "Expected a task to suspend while it waits, but it blocked its thread." }
}
