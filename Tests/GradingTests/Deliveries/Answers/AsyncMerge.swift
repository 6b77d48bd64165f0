import Synchronization

/// Runs several async operations and brings their results together.
public struct AsyncMerge {
    /// Runs all operations at the same time and returns their results in the order of the operations.
    ///
    /// The first error in time cancels the others and is thrown. Cancelling the caller cancels all and throws at once.
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let work = MergeWork<T>()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let results = Mutex([T?](repeating: nil, count: operations.count))
                work.begin(operations) { event in
                    switch event {
                    case .result(let index, let result): results.withLock { $0[index] = .some(result) }
                    case .finished: continuation.resume(returning: results.withLock { $0.map { $0! } })
                    case .failed(let error): continuation.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            work.cancel()
        }
    }

    /// Runs all operations at the same time, from now on, and yields each result as soon as it is there.
    ///
    /// The first error in time cancels the others and ends the stream. So does nobody being there to receive.
    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        let work = MergeWork<T>()
        continuation.onTermination = { _ in work.cancel() }
        work.begin(operations) { event in
            switch event {
            case .result(_, let result): continuation.yield(result)
            case .finished: continuation.finish()
            case .failed(let error): continuation.finish(throwing: error)
            }
        }
        return stream
    }
}

/// Runs operations, and delivers how they end: in the order in which they do, and nothing after an error.
private final class MergeWork<T: Sendable>: Sendable {
    enum Event {
        case result(Int, T)
        case finished
        case failed(any Error)
    }

    private struct State {
        var receive: ((Event) -> Void)?
        var tasks: [Task<Void, Never>] = []
        var running = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let deliver = Delivery()

    func begin(_ operations: [@Sendable () async throws -> T], receive: @escaping (Event) -> Void) {
        let isCancelled = state.withLock { state in
            state.receive = receive
            state.running = operations.count
            state.tasks = operations.enumerated().map { index, operation in
                Task {
                    self.waitForBegin()
                    do { self.succeed(index, with: try await operation()) } catch { self.fail(with: error) }
                }
            }
            if state.isCancelled { state.tasks.forEach { $0.cancel() } }
            return state.isCancelled
        }
        if operations.isEmpty {
            finish()
        } else if isCancelled {
            fail(with: CancellationError())
        }
    }

    /// An operation begins when all are registered, and cancelled where it was cancelled before: for an instant only.
    private func waitForBegin() {
        state.withLock { _ in }
    }

    func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return state.tasks
        }
        tasks.forEach { $0.cancel() }
        fail(with: CancellationError())
    }

    private func succeed(_ index: Int, with result: T) {
        // With the lock held, so that what is delivered is in the order in which it is decided.
        state.withLock { state in
            guard let receive = state.receive else { return }
            deliver { receive(.result(index, result)) }
            state.running -= 1
            guard state.running == 0 else { return }
            state.receive = nil
            state.tasks = []
            deliver { receive(.finished) }
        }
    }

    private func finish() {
        end { $0(.finished) }
    }

    /// The first error cancels the other operations now. It is delivered later.
    private func fail(with error: any Error) {
        end { $0(.failed(error)) }.forEach { $0.cancel() }
    }

    @discardableResult
    private func end(_ tell: @escaping ((Event) -> Void) -> Void) -> [Task<Void, Never>] {
        state.withLock { state in
            guard let receive = state.receive else { return [] }
            state.receive = nil
            deliver { tell(receive) }
            defer { state.tasks = [] }
            return state.tasks
        }
    }
}
