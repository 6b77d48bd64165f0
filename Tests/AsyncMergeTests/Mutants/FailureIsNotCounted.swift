// mutant: merge counts results only, and waits for ever after a failure
// fails: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeTests/aCancelledMergeThrows()
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// fails: AsyncMergeTests/aCancellationMayMeetAnything()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation firstError.hangs
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask {
                    do {
                        return (index, try await operation())
                    } catch {
                        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                        throw error
                    }
                }
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
