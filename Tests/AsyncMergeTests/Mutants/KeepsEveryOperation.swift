// mutant: a list that is never cleared keeps every operation
// fails: AsyncMergeTests/whatHasEndedIsReleased()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeTests/whatHasEndedIsReleased() general.global
public struct AsyncMerge {
    nonisolated(unsafe) private static var all: [Any] = []

    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        all.append(operations)
        return try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
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
        all.append(operations)
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
