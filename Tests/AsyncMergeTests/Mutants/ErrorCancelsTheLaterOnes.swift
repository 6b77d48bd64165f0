// mutant: an error cancels only the operations behind the one that failed
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// hint: AsyncMergeTests/mergeCancelsTheOthersAfterAnError() errorCancels.some
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let tasks = operations.map { operation in Task { try await operation() } }
        return try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: (index: Int, result: Result<T, Error>).self) { group in
                for (index, task) in tasks.enumerated() {
                    group.addTask { (index, await task.result) }
                }
                var results = [T?](repeating: nil, count: operations.count)
                for try await (index, result) in group {
                    if case .failure = result { tasks[index...].forEach { $0.cancel() } }
                    results[index] = try result.get()
                }
                return results.compactMap { $0 }
            }
        } onCancel: {
            tasks.forEach { $0.cancel() }
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
