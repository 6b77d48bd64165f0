// mutant: the stream yields in the order of the operations
// fails: AsyncMergeTests/streamYieldsResultsAsTheyFinishThenEnds()
// fails: AsyncMergeTests/streamThrowsTheErrorThatIsFirstInTime()
// fails: AsyncMergeTests/streamCancelsWhatRunsAfterAnError()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// hint: AsyncMergeTests/streamYieldsResultsAsTheyFinishThenEnds() streamOrder
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask { (index, try await operation()) }
            }

            var results = [T?](repeating: nil, count: operations.count)
            for try await (index, result) in group {
                results[index] = result
            }
            return results.compactMap { $0 }
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        AsyncThrowingStream { continuation in
            let tasks = operations.map { operation in Task { try await operation() } }
            let work = Task {
                do {
                    for task in tasks { continuation.yield(try await task.value) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in
                tasks.forEach { $0.cancel() }
                work.cancel()
            }
        }
    }
}
