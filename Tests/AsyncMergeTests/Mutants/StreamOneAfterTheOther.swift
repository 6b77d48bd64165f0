// mutant: the stream awaits each operation before it starts the next
// fails: AsyncMergeTests/streamYieldsEachResultWhenItIsReady()
// fails: AsyncMergeTests/streamYieldsResultsAsTheyFinishThenEnds()
// fails: AsyncMergeTests/streamThrowsTheErrorThatIsFirstInTime()
// fails: AsyncMergeTests/thereIsNoLimitOnHowManyRun()
// fails: AsyncMergeTests/streamCancelsWhatRunsAfterAnError()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItsConsumerIsCancelled()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItIsDropped()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeTests/streamYieldsEachResultWhenItIsReady() streamOrder.serial
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
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        let work = Task {
            do {
                for operation in operations {
                    continuation.yield(try await operation())
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }
}
