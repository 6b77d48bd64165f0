// mutant: onTermination cancels the tasks only for .finished, so that a cancelled or released reader leaves the operations running
// fails: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItsConsumerIsCancelled()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItIsDropped()
// fails: AsyncMergeTests/aCancellationMayMeetAnything()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation callerCancels.reason
import Foundation

/// Runs several async operations and brings their results together.
public struct AsyncMerge {
    /// Runs all operations and returns all of their results.
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let numbered = operations.enumerated().map { index, operation in
            let run: @Sendable () async throws -> Numbered<T> = {
                Numbered(index: index, value: try await operation())
            }
            return run
        }
        var results: [Numbered<T>] = []
        for try await result in mergeStream(numbered) {
            results.append(result)
        }
        guard results.count == operations.count else { throw CancellationError() }
        results.sort { $0.index < $1.index }
        return results.map(\.value)
    }

    /// Runs all operations and yields each result as soon as it is there.
    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        guard !operations.isEmpty else {
            continuation.finish()
            return stream
        }
        let tasks = RunningTasks()
        let countdown = Countdown(operations.count)
        continuation.onTermination = { reason in
            if case .finished = reason { tasks.cancel() }
        }
        for operation in operations {
            tasks.add(Task {
                do {
                    let value = try await operation()
                    continuation.yield(value)
                    if countdown.isLast() { continuation.finish() }
                } catch {
                    continuation.finish(throwing: error)
                }
            })
        }
        return stream
    }
}

private struct Numbered<T: Sendable>: Sendable {
    let index: Int
    let value: T
}

/// Counts the operations that have not returned yet.
private final class Countdown: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int

    init(_ count: Int) { left = count }

    func isLast() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        left -= 1
        return left == 0
    }
}

/// The tasks of one call. A task that comes after the cancellation is cancelled, too.
private final class RunningTasks: @unchecked Sendable {
    private let lock = NSLock()
    private var tasks: [Task<Void, Never>] = []
    private var isCancelled = false

    func add(_ task: Task<Void, Never>) {
        lock.lock()
        let late = isCancelled
        if !late { tasks.append(task) }
        lock.unlock()
        if late { task.cancel() }
    }

    func cancel() {
        lock.lock()
        isCancelled = true
        let running = tasks
        tasks = []
        lock.unlock()
        for task in running { task.cancel() }
    }
}
