// mutant: each error takes the place of the one before
// fails: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// hint: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation error
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (index: Int, result: Result<T, any Error>).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask {
                    do { return (index, .success(try await operation())) } catch { return (index, .failure(error)) }
                }
            }

            var results = [T?](repeating: nil, count: operations.count)
            var failure: (any Error)?
            for try await (index, result) in group {
                switch result {
                case .success(let value): results[index] = value
                case .failure(let error):
                    failure = error
                    group.cancelAll()
                }
            }
            if let failure { throw failure }
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
