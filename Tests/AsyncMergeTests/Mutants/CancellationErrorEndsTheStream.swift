// mutant: a CancellationError of an operation ends the stream without an error
// fails: AsyncMergeTests/streamThrowsACancellationErrorOfAnOperation()
// hint: AsyncMergeTests/streamThrowsACancellationErrorOfAnOperation() streamOwnCancellation
/// Runs several async operations and brings their results together.
public struct AsyncMerge {
    /// Runs all operations and returns all of their results.
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (offset: Int, value: T).self) { group in
            for (offset, operation) in operations.enumerated() {
                group.addTask { (offset, try await operation()) }
            }
            var found: [(offset: Int, value: T)] = []
            for try await pair in group { found.append(pair) }
            return found.sorted { $0.offset < $1.offset }.map(\.value)
        }
    }

    /// Runs all operations and yields each result as soon as it is there.
    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        let outlet = Outlet(continuation, count: operations.count)
        let runner = Task {
            await withTaskGroup(of: Void.self) { group in
                for operation in operations {
                    group.addTask {
                        do {
                            await outlet.send(try await operation())
                        } catch {
                            await outlet.fail(error)
                        }
                    }
                }
                await group.next()
                while await !outlet.isClosed { await group.next() }
                group.cancelAll()
            }
        }
        continuation.onTermination = { _ in runner.cancel() }
        if operations.isEmpty { continuation.finish() }
        return stream
    }
}

private actor Outlet<T: Sendable> {
    private let continuation: AsyncThrowingStream<T, Error>.Continuation
    private var missing: Int
    private(set) var isClosed: Bool

    init(_ continuation: AsyncThrowingStream<T, Error>.Continuation, count: Int) {
        self.continuation = continuation
        missing = count
        isClosed = count == 0
    }

    func send(_ value: T) {
        continuation.yield(value)
        missing -= 1
        if missing == 0 {
            isClosed = true
            continuation.finish()
        }
    }

    func fail(_ error: any Error) {
        isClosed = true
        if error is CancellationError {
            continuation.finish()
        } else {
            continuation.finish(throwing: error)
        }
    }
}
