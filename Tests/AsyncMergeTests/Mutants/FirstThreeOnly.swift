// mutant: only operations 0 to 2 are ever started
// fails: AsyncMergeXCTests/testReturnsEveryResult
// fails: AsyncMergeTests/thereIsNoLimitOnHowManyRun()
// fails: AsyncMergeTests/mergeKeepsTheOrderOfTheOperations()
// hint: AsyncMergeXCTests/testReturnsEveryResult everyResult
/// Runs several async operations and brings their results together.
public struct AsyncMerge {
    /// Runs all operations at the same time and returns their results in the order of the operations.
    ///
    /// The first error in time cancels the others and is thrown, as is every operation when the caller is cancelled.
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
            for (index, operation) in operations.enumerated() where index < 3 {
                group.addTask { (index, try await operation()) }
            }

            // Results come as they finish, so each carries the place it belongs to. An error leaves this loop, and
            // a group that is left by an error cancels its tasks.
            var results = [T?](repeating: nil, count: operations.count)
            for try await (index, result) in group {
                results[index] = result
            }
            return results.compactMap { $0 }
        }
    }

    /// Runs all operations at the same time, from now on, and yields each result as soon as it is there.
    ///
    /// The first error in time cancels the others and ends the stream. So does nobody being there to receive.
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
                    // The consumer learns of the error at once, even if an operation is slow to notice that it is cancelled.
                    continuation.finish(throwing: error)
                    group.cancelAll()
                }
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }
}
