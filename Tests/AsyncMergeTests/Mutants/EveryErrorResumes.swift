// mutant: every operation that fails resumes the caller
// fails: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// fails: AsyncMergeTests/aCancellationMayMeetAnything()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation error.crashed
import Foundation

public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let merging = Merging<T>(count: operations.count)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if operations.isEmpty { return continuation.resume(returning: []) }
                for (index, operation) in operations.enumerated() {
                    merging.add(
                        Task {
                            do {
                                if let all = merging.take(try await operation(), at: index) {
                                    continuation.resume(returning: all)
                                }
                            } catch {
                                continuation.resume(throwing: error)
                                merging.cancel()
                            }
                        })
                }
            }
        } onCancel: {
            merging.cancel()
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        let work = Task {
            await withThrowingTaskGroup(of: T.self) { group in
                for operation in operations {
                    group.addTask { try await operation() }
                }
                do {
                    for try await result in group {
                        continuation.yield(result)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                    group.cancelAll()
                }
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }
}

private final class Merging<T>: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [T?]
    private var tasks: [Task<Void, Never>] = []
    private var isCancelled = false

    init(count: Int) {
        results = Array(repeating: nil, count: count)
    }

    func add(_ task: Task<Void, Never>) {
        let isLate = lock.withLock {
            tasks.append(task)
            return isCancelled
        }
        if isLate { task.cancel() }
    }

    /// All results, when the last one has come.
    func take(_ result: T, at index: Int) -> [T]? {
        lock.withLock {
            results[index] = .some(result)
            let all = results.compactMap { $0 }
            return all.count == results.count ? all : nil
        }
    }

    func cancel() {
        let tasks = lock.withLock {
            isCancelled = true
            return self.tasks
        }
        tasks.forEach { $0.cancel() }
    }
}
