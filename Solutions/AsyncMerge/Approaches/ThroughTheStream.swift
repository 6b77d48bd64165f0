// right: merge reads its own stream; results carry their places
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        typealias Numbered = (index: Int, result: T)
        let numbered = operations.enumerated().map { index, operation -> @Sendable () async throws -> Numbered in
            { (index, try await operation()) }
        }
        var results: [Numbered] = []
        for try await result in mergeStream(numbered) {
            results.append(result)
        }
        // A cancelled loop ends without an error.
        try Task.checkCancellation()
        return results.sorted { $0.index < $1.index }.map(\.result)
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
