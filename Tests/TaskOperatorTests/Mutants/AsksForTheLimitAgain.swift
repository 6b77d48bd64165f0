// mutant: after each result the upstream is asked for the whole limit again
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// fails: TaskOperatorTests/aTransformThatEndsAsksForOneMoreValue()
// hint: TaskOperatorTests/aLimitIsKeptAndUsed() askedAgain
import Combine
import Dispatch
import Foundation

extension Publisher {
    /// Transforms each value with an async function, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        QueuedTasks(upstream: self, limit: maxPublishers) { value in
            .success(await transform(value))
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    /// Transforms each value with an async function that may throw, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        QueuedTasks(upstream: self, limit: maxPublishers) { value in
            do {
                return .success(try await transform(value))
            } catch {
                return .failure(error)
            }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    /// Transforms each value with an async function that may throw, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self).task(maxPublishers: maxPublishers, transform)
    }

    /// Keeps a pipeline running whose values nobody needs.
    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}

private struct QueuedTasks<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let limit: Subscribers.Demand
    let transform: (Upstream.Output) async -> Result<Output, Upstream.Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(
            QueueSubscription<Upstream.Output, S>(downstream: subscriber, limit: limit, transform: transform))
    }
}

private final class QueueSubscription<Input, Downstream: Subscriber>: Subscriber, Subscription {
    typealias Failure = Downstream.Failure

    /// The subscriber is called on this queue. What the first group of properties holds is used on it only.
    private let queue = DispatchQueue(label: "task")
    private var demand = Subscribers.Demand.none
    private var results: [Downstream.Input] = []

    private let lock = NSRecursiveLock()
    private let limit: Subscribers.Demand
    private var transform: ((Input) async -> Result<Downstream.Input, Failure>)?
    private var downstream: Downstream?
    private var upstream: Subscription?
    private var running: [UUID: Task<Void, Never>] = [:]
    private var upstreamFinished = false
    private var hasFailed = false

    init(
        downstream: Downstream, limit: Subscribers.Demand,
        transform: @escaping (Input) async -> Result<Downstream.Input, Failure>
    ) {
        self.downstream = downstream
        self.limit = limit
        self.transform = transform
    }

    func receive(subscription: Subscription) {
        lock.withLock { downstream }?.receive(subscription: self)
        let isWanted = lock.withLock {
            guard downstream != nil, upstream == nil else { return false }
            upstream = subscription
            return true
        }
        guard isWanted else { return subscription.cancel() }
        askUpstream()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.withLock {
            guard downstream != nil, !hasFailed, let transform else { return }
            let id = UUID()
            running[id] = Task {
                switch await transform(input) {
                case .success(let value): self.ended(id, value)
                case .failure(let error): self.fail(error)
                }
            }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        lock.withLock { upstream = nil }
        switch completion {
        case .finished:
            lock.withLock { upstreamFinished = true }
            queue.async { self.deliver() }
        case .failure(let error):
            fail(error)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        queue.async {
            self.demand += demand
            self.deliver()
        }
    }

    func cancel() {
        let old = release()
        old.running.forEach { $0.cancel() }
        old.upstream?.cancel()
        queue.async { self.results = [] }
    }

    private func askUpstream() {
        guard limit > .none else { return }
        lock.withLock { upstream }?.request(limit)
    }

    private func ended(_ id: UUID, _ value: Downstream.Input) {
        queue.async {
            let isWanted = self.lock.withLock { self.running.removeValue(forKey: id) != nil }
            guard isWanted else { return }
            self.results.append(value)
            self.deliver()
        }
    }

    private func fail(_ error: Failure) {
        let old: ([Task<Void, Never>], Subscription?)? = lock.withLock {
            guard downstream != nil, !hasFailed else { return nil }
            hasFailed = true
            let old = (Array(running.values), upstream)
            running = [:]
            upstream = nil
            return old
        }
        guard let old else { return }
        old.0.forEach { $0.cancel() }
        old.1?.cancel()
        queue.async {
            self.results = []
            self.release().downstream?.receive(completion: .failure(error))
        }
    }

    /// Runs on the queue.
    private func deliver() {
        while demand > .none, !results.isEmpty, let downstream = lock.withLock({ hasFailed ? nil : self.downstream }) {
            demand -= 1
            demand += downstream.receive(results.removeFirst())
            askUpstream()
        }
        let isDone = lock.withLock { upstreamFinished && running.isEmpty && !hasFailed } && results.isEmpty
        if isDone { release().downstream?.receive(completion: .finished) }
    }

    private func release() -> (downstream: Downstream?, running: [Task<Void, Never>], upstream: Subscription?) {
        lock.lock()
        defer { lock.unlock() }
        let old = (downstream, Array(running.values), upstream)
        downstream = nil
        transform = nil
        upstream = nil
        running = [:]
        return old
    }
}
