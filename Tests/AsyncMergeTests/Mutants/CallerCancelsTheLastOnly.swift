// mutant: only the task that was made last is known, and cancelled
// fails: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation callerCancels.some
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let tasks = operations.map { operation in Task { try await operation() } }
        return try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
                for (index, task) in tasks.enumerated() {
                    group.addTask { (index, try await task.value) }
                }
                var results = [T?](repeating: nil, count: operations.count)
                do {
                    for try await (index, result) in group {
                        results[index] = result
                    }
                } catch  where !Task.isCancelled {
                    tasks.forEach { $0.cancel() }
                    throw error
                }
                return results.compactMap { $0 }
            }
        } onCancel: {
            tasks.last?.cancel()
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
