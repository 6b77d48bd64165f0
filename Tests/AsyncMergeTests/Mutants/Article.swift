// mutant: the code of the migration guides: results as they finish, and a stream that nobody can stop
// fails: AsyncMergeTests/mergeKeepsTheOrderOfTheOperations()
// fails: AsyncMergeTests/streamCancelsWhatRunsAfterAnError()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItsConsumerIsCancelled()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItIsDropped()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// fails: AsyncMergeTests/callsDoNotAffectEachOther()
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// fails: AsyncMergeTests/aCancellationMayMeetAnything()
// hint: AsyncMergeTests/mergeKeepsTheOrderOfTheOperations() order
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: T.self) { group in
            for operation in operations {
                group.addTask {
                    try await operation()
                }
            }

            var results: [T] = []
            for try await result in group {
                results.append(result)
            }
            return results
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        AsyncThrowingStream { continuation in
            Task {
                await withThrowingTaskGroup(of: T.self) { group in
                    for operation in operations {
                        group.addTask {
                            try await operation()
                        }
                    }

                    do {
                        for try await result in group {
                            continuation.yield(result)
                        }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
            }
        }
    }
}
