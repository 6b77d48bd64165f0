// mutant: the stream starts its operations when the first result is asked for, and holds on to them
// fails: AsyncMergeTests/streamStartsItsOperationsAtOnce()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItIsDropped()
// hint: AsyncMergeTests/streamStartsItsOperationsAtOnce() streamStarts
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
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
        let results = LazyResults(operations)
        return AsyncThrowingStream { try await results.next() }
    }
}

private final class LazyResults<T: Sendable>: @unchecked Sendable {
    private let operations: [@Sendable () async throws -> T]
    private var iterator: AsyncThrowingStream<T, Error>.Iterator?

    init(_ operations: [@Sendable () async throws -> T]) {
        self.operations = operations
    }

    func next() async throws -> T? {
        if iterator == nil { iterator = started().makeAsyncIterator() }
        return try await iterator?.next()
    }

    private func started() -> AsyncThrowingStream<T, Error> {
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
