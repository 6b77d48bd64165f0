// mutant: the stream passes an error on outside the group, which waits for operations that do not notice their cancellation
// fails: AsyncMergeTests/streamThrowsTheErrorThatIsFirstInTime()
// hint: AsyncMergeTests/streamThrowsTheErrorThatIsFirstInTime() streamError.late
import Foundation

public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (Int, T).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask { (index, try await operation()) }
            }
            var results: [(Int, T)] = []
            for try await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map { $0.1 }
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: T.self, throwing: Error.self)
        let task = Task {
            do { try await withThrowingTaskGroup(of: T.self) { group in
                for operation in operations {
                    group.addTask { try await operation() }
                }
                for try await result in group { continuation.yield(result) }
            }
            continuation.finish()
            } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
