// mutant: `emptySink` that starts late (here with unlimited demand)
// fails: TaskOperatorXCTests/testEmptySinkRunsThePipeline
// hint: TaskOperatorXCTests/testEmptySinkRunsThePipeline emptySink.late
import Combine
import Synchronization

extension Publisher {
    /// Transforms each value with an async function, at most so many values at the same time.
    ///
    /// The limit is demand: the upstream is asked for as many values as may run, and for one more whenever a transform has
    /// ended. What is not asked for stays with the upstream. The first failure ends everything, and so does cancelling.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        flatMap(maxPublishers: maxPublishers) { value in
            resultOfTask { Task { await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    /// Transforms each value with an async function, at most so many values at the same time. What the function throws is
    /// the failure.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        flatMap(maxPublishers: maxPublishers) { value in
            resultOfTask { Task { try await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    /// Transforms each value with an async function, at most so many values at the same time. What the function throws is
    /// the failure.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self).task(maxPublishers: maxPublishers, transform)
    }

    /// Keeps the pipeline running, for what it does and not for its values, until the result is cancelled or released.
    public func emptySink() -> AnyCancellable {
        let late = LateSubscription()
        Task { late.keep(sink { _ in }) }
        return AnyCancellable { late.cancel() }
    }
}

/// Sends what a task returns or throws. Each subscription starts a task of its own, and cancels it when it is cancelled.
private func resultOfTask<Success, Failure: Error>(
    _ start: @escaping () -> Task<Success, Failure>
) -> some Publisher<Success, Failure> {
    Deferred {
        let task = start()
        return Future { promise in
            Task { promise(await task.result) }
        }
        .handleEvents(receiveCancel: { task.cancel() })
    }
}

/// A subscription that is made later, or never if it is cancelled before that.
private final class LateSubscription: Sendable {
    private let state = Mutex<(subscription: AnyCancellable?, isCancelled: Bool)>((nil, false))

    func keep(_ subscription: AnyCancellable) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.subscription = subscription }
            return state.isCancelled
        }
        if isLate { subscription.cancel() }
    }

    func cancel() {
        let subscription = state.withLock { state in
            defer { state = (nil, true) }
            return state.subscription
        }
        subscription?.cancel()
    }
}
