// mutant: merge awaits each operation before it starts the next
// fails: AsyncMergeTests/mergeRunsOperationsAtTheSameTime()
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/thereIsNoLimitOnHowManyRun()
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeTests/mergeRunsOperationsAtTheSameTime() sameTime
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        var results: [T] = []
        for operation in operations {
            results.append(try await operation())
        }
        return results
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
