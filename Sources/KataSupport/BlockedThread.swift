import Foundation

/// A task that waits with a semaphore or a lock returns the right value in a test, and stops the whole app once all threads of the
/// pool wait like that.
///
/// Runs the body, settles, and throws where a task has blocked its thread meanwhile: its thread slept inside it, and nothing
/// that ran could wake it. It throws as well where code that waits keeps all threads of one of Dispatch's global queues, which
/// takes `manyWaits`.
///
///     try await KataSupport.expectNoBlockedThread {
///         Task { await publisher.firstValue }
///     }
///
/// - Parameter end: Ends the waits, whatever was found, so that they do not disturb later tests.
public func expectNoBlockedThread(
    during body: () async throws -> Void, afterwards end: () async -> Void = {}
) async throws {
    await settle()
    let before = WaitMonitor.shared.blockedThreads
    try await body()
    await settle()
    let hasBlocked = WaitMonitor.shared.blockedThreads > before
    let freeThreads = hasBlocked ? .failure(BlockedThread()) : await GlobalQueues.serve()
    await end()
    try freeThreads.get()
}

/// A global queue has a few threads, so code that blocks one of them for each wait does no harm before there are many waits.
///
/// More waits than a global queue has threads.
public let manyWaits = 2 * ProcessInfo.processInfo.activeProcessorCount + 1

/// A task has blocked its thread.
public struct BlockedThread: FindingError {
    public init() {}

    public var finding: Finding { Finding(key: "blockedThread", arguments: [], kind: .blocked) }
    public var prose: String { "Expected a task to suspend while it waits, but it blocked its thread." }
}
