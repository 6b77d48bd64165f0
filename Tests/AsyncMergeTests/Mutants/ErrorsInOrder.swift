// mutant: merge collects results and errors, and throws the error of the first operation that has one
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// hint: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime firstError
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let outcomes = await withTaskGroup(of: (Int, Result<T, Error>).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await operation()))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var outcomes: [Int: Result<T, Error>] = [:]
            for await (index, outcome) in group {
                outcomes[index] = outcome
            }
            return outcomes
        }
        return try operations.indices.compactMap { try outcomes[$0]?.get() }
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
