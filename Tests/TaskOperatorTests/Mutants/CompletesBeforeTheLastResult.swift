// mutant: the completion is sent while results still wait for a request
// fails: TaskOperatorTests/asManyResultsArriveAsWereAskedFor()
// hint: TaskOperatorTests/asManyResultsArriveAsWereAskedFor() demandLater.completion
import Combine
import Foundation

extension Publisher {
    /// Transforms each value with an async function, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        Work(upstream: self, limit: maxPublishers, mapFailure: { $0 }, transform: { .success(await transform($0)) })
            .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    /// Transforms each value with an async function that may throw, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        Work<Self, T, any Error>(
            upstream: self, limit: maxPublishers, mapFailure: { $0 },
            transform: { value in
                do { return .success(try await transform(value)) } catch { return .failure(error) }
            }
        )
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    /// Transforms each value with an async function that may throw, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        Work<Self, T, any Error>(
            upstream: self, limit: maxPublishers, mapFailure: { $0 },
            transform: { value in
                do { return .success(try await transform(value)) } catch { return .failure(error) }
            }
        )
        .eraseToAnyPublisher()
    }

    /// Keeps a pipeline running when nobody needs its values.
    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}

/// Starts a task for each value of the upstream.
private struct Work<Upstream: Publisher, Output, Failure: Error>: Publisher {
    let upstream: Upstream
    let limit: Subscribers.Demand
    let mapFailure: (Upstream.Failure) -> Failure
    let transform: (Upstream.Output) async -> Result<Output, Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(
            WorkSubscription<Upstream, S>(
                downstream: subscriber, limit: limit, mapFailure: mapFailure, transform: transform))
    }
}

/// Subscribes to the upstream, owns the tasks, and hands their results to the downstream.
private final class WorkSubscription<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Subscription,
    @unchecked Sendable
{
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure
    typealias Transform = (Input) async -> Result<Downstream.Input, Downstream.Failure>

    private struct State {
        var downstream: Downstream?
        var transform: Transform?
        var upstream: (any Subscription)?
        var tasks: [Int: Task<Void, Never>] = [:]
        var results: [Downstream.Input] = []
        var failure: Downstream.Failure?
        var demand = Subscribers.Demand.none
        /// How many values the upstream has been asked for and has not sent.
        var expected = 0
        var nextID = 0
        var upstreamHasEnded = false
        var hasAskedForAll = false
        /// A thread is calling the downstream. It looks for more before it stops.
        var isDelivering = true
        var hasEnded = false
    }

    private let limit: Subscribers.Demand
    private let mapFailure: (Failure) -> Downstream.Failure
    private let lock = NSLock()
    private var state = State()

    init(
        downstream: Downstream, limit: Subscribers.Demand, mapFailure: @escaping (Failure) -> Downstream.Failure,
        transform: @escaping Transform
    ) {
        self.limit = limit
        self.mapFailure = mapFailure
        state.downstream = downstream
        state.transform = transform
    }

    // MARK: From the upstream

    func receive(subscription: any Subscription) {
        lock.lock()
        guard !state.hasEnded, state.upstream == nil, let downstream = state.downstream else {
            lock.unlock()
            subscription.cancel()
            return
        }
        state.upstream = subscription
        lock.unlock()
        downstream.receive(subscription: self)
        lock.lock()
        state.isDelivering = false
        lock.unlock()
        deliver()
        askForMore()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.lock()
        defer { lock.unlock() }
        if state.expected > 0 { state.expected -= 1 }
        guard !state.hasEnded, state.failure == nil, let transform = state.transform else { return .none }
        let id = state.nextID
        state.nextID += 1
        state.tasks[id] = Task {
            let result = await transform(input)
            self.taskEnded(id, with: result)
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        let upstream = state.upstream
        state.upstream = nil
        state.upstreamHasEnded = true
        var tasks: [Task<Void, Never>] = []
        if case .failure(let error) = completion, !state.hasEnded, state.failure == nil {
            state.failure = mapFailure(error)
            tasks = Array(state.tasks.values)
            state.tasks = [:]
        }
        lock.unlock()
        withExtendedLifetime(upstream) {}
        for task in tasks { task.cancel() }
        deliver()
    }

    // MARK: From the downstream

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        if !state.hasEnded { state.demand += demand }
        lock.unlock()
        deliver()
        askForMore()
    }

    func cancel() {
        let old = end()
        old?.upstream?.cancel()
        old?.tasks.values.forEach { $0.cancel() }
    }

    // MARK: Work

    private func taskEnded(_ id: Int, with result: Result<Downstream.Input, Downstream.Failure>) {
        lock.lock()
        state.tasks[id] = nil
        guard !state.hasEnded, state.failure == nil else {
            lock.unlock()
            return
        }
        var tasks: [Task<Void, Never>] = []
        var upstream: (any Subscription)?
        switch result {
        case .success(let value):
            state.results.append(value)
        case .failure(let error):
            state.failure = error
            tasks = Array(state.tasks.values)
            state.tasks = [:]
            upstream = state.upstream
            state.upstream = nil
        }
        lock.unlock()
        upstream?.cancel()
        for task in tasks { task.cancel() }
        deliver()
        askForMore()
    }

    /// Asks the upstream for as many values as may run.
    private func askForMore() {
        lock.lock()
        guard !state.hasEnded, state.failure == nil, !state.upstreamHasEnded, let upstream = state.upstream else {
            lock.unlock()
            return
        }
        guard let limit = limit.max else {
            let hasAsked = state.hasAskedForAll
            state.hasAskedForAll = true
            lock.unlock()
            if !hasAsked { upstream.request(.unlimited) }
            return
        }
        // A result that nobody has asked for yet keeps its place.
        let waiting = state.demand.max.map { Swift.max(0, state.results.count - $0) } ?? 0
        let missing = limit - state.expected - state.tasks.count - waiting
        if missing > 0 { state.expected += missing }
        lock.unlock()
        if missing > 0 { upstream.request(.max(missing)) }
    }

    /// Hands over what is ready, on one thread at a time.
    private func deliver() {
        lock.lock()
        if state.isDelivering {
            lock.unlock()
            return
        }
        state.isDelivering = true
        while !state.hasEnded, let downstream = state.downstream {
            if let failure = state.failure {
                lock.unlock()
                if end() != nil { downstream.receive(completion: .failure(failure)) }
                return
            }
            if state.demand > .none, !state.results.isEmpty {
                let value = state.results.removeFirst()
                state.demand -= 1
                lock.unlock()
                let more = downstream.receive(value)
                lock.lock()
                state.demand += more
                continue
            }
            if state.upstreamHasEnded, state.tasks.isEmpty {
                lock.unlock()
                if end() != nil { downstream.receive(completion: .finished) }
                return
            }
            break
        }
        state.isDelivering = false
        lock.unlock()
    }

    /// Ends the subscription, and returns what it has kept until now. Returns nil if it had ended before.
    private func end() -> State? {
        lock.lock()
        defer { lock.unlock() }
        guard !state.hasEnded else { return nil }
        let old = state
        state = State()
        state.hasEnded = true
        return old
    }
}
