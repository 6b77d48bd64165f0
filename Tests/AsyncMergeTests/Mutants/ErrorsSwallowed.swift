// mutant: merge leaves out the operations that fail
// fails: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeTests/aCancelledMergeThrows()
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// fails: AsyncMergeTests/aCancellationMayMeetAnything()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// hint: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation firstError.none
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        await withTaskGroup(of: (Int, T?).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask { (index, try? await operation()) }
            }
            var results: [Int: T] = [:]
            for await (index, result) in group {
                results[index] = result
            }
            return operations.indices.compactMap { results[$0] }
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
