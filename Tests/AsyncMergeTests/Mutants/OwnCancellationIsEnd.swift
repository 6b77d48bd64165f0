// mutant: fail ends the stream without an error if an operation throws a CancellationError
// fails: AsyncMergeTests/streamThrowsACancellationErrorOfAnOperation()
// hint: AsyncMergeTests/streamThrowsACancellationErrorOfAnOperation() streamOwnCancellation
import Foundation

/// Runs several async operations and brings their results together.
public struct AsyncMerge {
    /// Runs all operations and returns all of their results.
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let numbered = operations.enumerated().map { index, operation in
            { @Sendable () async throws -> (Int, T) in (index, try await operation()) }
        }
        var results: [(index: Int, value: T)] = []
        for try await (index, value) in stream(of: numbered, isCancelled: Task.isCancelled) {
            results.append((index, value))
        }
        guard results.count == operations.count else { throw CancellationError() }
        return results.sorted { $0.index < $1.index }.map { $0.value }
    }

    /// Runs all operations and yields each result as soon as it is there.
    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        stream(of: operations, isCancelled: false)
    }

    private static func stream<T: Sendable>(
        of operations: [@Sendable () async throws -> T],
        isCancelled: Bool
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        let crew = Crew(continuation, isStopped: isCancelled)
        continuation.onTermination = { _ in
            Task { await crew.stop() }
        }
        Task { await crew.start(operations) }
        return stream
    }
}

/// Runs the operations of one stream. Only the actor knows how many are still open.
private actor Crew<T: Sendable> {
    private let continuation: AsyncThrowingStream<T, Error>.Continuation
    private var members: [Task<Void, Never>] = []
    private var open = 0
    private var isStopped: Bool

    init(_ continuation: AsyncThrowingStream<T, Error>.Continuation, isStopped: Bool) {
        self.continuation = continuation
        self.isStopped = isStopped
    }

    func start(_ operations: [@Sendable () async throws -> T]) {
        open = operations.count
        if open == 0 { continuation.finish() }
        members = operations.map { member($0) }
        if isStopped { stop() }
    }

    func stop() {
        isStopped = true
        for member in members { member.cancel() }
        members = []
    }

    /// The task starts on the actor: when it begins, all operations are known to `stop`.
    private func member(_ operation: @escaping @Sendable () async throws -> T) -> Task<Void, Never> {
        Task {
            do {
                let result = try await operation()
                self.deliver(result)
            } catch {
                self.fail(error)
            }
        }
    }

    private func deliver(_ result: T) {
        continuation.yield(result)
        open -= 1
        if open == 0 { continuation.finish() }
    }

    private func fail(_ error: any Error) {
        if error is CancellationError {
            continuation.finish()
        } else {
            continuation.finish(throwing: error)
        }
        stop()
    }
}
