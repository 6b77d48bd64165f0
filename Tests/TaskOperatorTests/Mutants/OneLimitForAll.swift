// mutant: one count of running transforms for all pipelines
// fails: TaskOperatorTests/theLimitHoldsInEveryForm()
// fails: TaskOperatorTests/eachSubscriptionRunsItsOwnTransforms()
// hint: TaskOperatorTests/theLimitHoldsInEveryForm() eachSubscription
import Combine
import Foundation

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        TaskPublisher<Self, T, Failure>(upstream: self, limit: maxPublishers, mapError: { $0 }) {
            .success(await transform($0))
        }.eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        TaskPublisher<Self, T, any Error>(upstream: self, limit: maxPublishers, mapError: { $0 }) {
            do { return .success(try await transform($0)) } catch { return .failure(error) }
        }.eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        TaskPublisher<Self, T, any Error>(upstream: self, limit: maxPublishers, mapError: { $0 as any Error }) {
            do { return .success(try await transform($0)) } catch { return .failure(error) }
        }.eraseToAnyPublisher()
    }

    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}

private actor Gate {
    static let shared = Gate()
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    func enter(_ limit: Int) async {
        if running < limit { running += 1; return }
        await withCheckedContinuation { waiting.append($0) }
    }
    func leave() {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }
}

private struct TaskPublisher<Upstream: Publisher, T, Failure: Error>: Publisher {
    typealias Output = T
    let upstream: Upstream
    let limit: Subscribers.Demand
    let mapError: (Upstream.Failure) -> Failure
    let transform: (Upstream.Output) async -> Result<T, Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == T, S.Failure == Failure {
        upstream.subscribe(
            TaskInner<Upstream, T, Failure>(
                limit: limit, mapError: mapError, transform: transform, downstream: AnySubscriber(subscriber)))
    }
}

private final class TaskInner<Upstream: Publisher, T, Failed: Error>: Subscriber, Subscription, @unchecked Sendable {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    private enum Event {
        case value(T)
        case end(Subscribers.Completion<Failed>)
    }

    private let lock = NSLock()
    private var transform: ((Input) async -> Result<T, Failed>)?
    private var downstream: AnySubscriber<T, Failed>?
    private var upstream: (any Subscription)?
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var nextID = 0
    private var upstreamFinished = false
    private var ended = false
    private var events: [Event] = []
    private var delivering = false

    /// What the subscriber has asked for and the upstream has not been asked for yet.
    private var wanted = Subscribers.Demand.none
    /// How many values the upstream may still be asked for at this moment.
    private var free: Subscribers.Demand
    private let limit: Subscribers.Demand
    private let mapError: (Failure) -> Failed

    init(
        limit: Subscribers.Demand, mapError: @escaping (Failure) -> Failed,
        transform: @escaping (Input) async -> Result<T, Failed>, downstream: AnySubscriber<T, Failed>
    ) {
        self.free = limit
        self.limit = limit
        self.mapError = mapError
        self.transform = transform
        self.downstream = downstream
    }

    // MARK: From upstream

    func receive(subscription: any Subscription) {
        lock.lock()
        guard upstream == nil, !ended, let downstream else {
            lock.unlock()
            subscription.cancel()
            return
        }
        upstream = subscription
        delivering = true
        lock.unlock()
        downstream.receive(subscription: self)
        lock.lock()
        delivering = false
        lock.unlock()
        deliver()
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.lock()
        defer { lock.unlock() }
        guard !ended, !upstreamFinished, let transform else { return .none }
        let id = nextID
        nextID += 1
        tasks[id] = Task {
            if self.limit != .unlimited { await Gate.shared.enter(self.limit.max ?? 1) }
            let result = await transform(input)
            if self.limit != .unlimited { await Gate.shared.leave() }
            switch result {
            case .success(let value): self.transformEnded(id, value)
            case .failure(let error): self.fail(error, cancelUpstream: true)
            }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .failure(let error):
            fail(mapError(error), cancelUpstream: false)
        case .finished:
            lock.lock()
            upstreamFinished = true
            upstream = nil
            finishIfDone()
            lock.unlock()
            deliver()
        }
    }

    // MARK: From the transforms

    private func transformEnded(_ id: Int, _ value: T) {
        lock.lock()
        guard !ended else { lock.unlock(); return }
        tasks[id] = nil
        events.append(.value(value))
        finishIfDone()
        lock.unlock()
        deliver()
        lock.lock()
        free += 1
        lock.unlock()
        ask()
    }

    private func fail(_ error: Failed, cancelUpstream: Bool) {
        lock.lock()
        guard !ended else { lock.unlock(); return }
        ended = true
        let running = tasks.values
        let subscription = upstream
        tasks = [:]
        upstream = nil
        transform = nil
        events = [.end(.failure(error))]
        lock.unlock()
        if cancelUpstream { subscription?.cancel() }
        for task in running { task.cancel() }
        deliver()
    }

    /// With the lock held.
    private func finishIfDone() {
        guard upstreamFinished, tasks.isEmpty, !ended else { return }
        ended = true
        transform = nil
        events.append(.end(.finished))
    }

    // MARK: To downstream

    private func deliver() {
        lock.lock()
        guard !delivering else { lock.unlock(); return }
        delivering = true
        while !events.isEmpty, let subscriber = downstream {
            switch events.removeFirst() {
            case .value(let value):
                lock.unlock()
                let more = subscriber.receive(value)
                if more > .none { request(more) }
                lock.lock()
            case .end(let completion):
                downstream = nil
                events = []
                lock.unlock()
                subscriber.receive(completion: completion)
                lock.lock()
            }
        }
        delivering = false
        lock.unlock()
    }

    // MARK: From downstream

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        wanted += demand
        lock.unlock()
        ask()
    }

    /// Asks the upstream for as much as the limit and the subscriber allow.
    private func ask() {
        lock.lock()
        let amount = Swift.min(free, wanted)
        guard amount > .none, !ended, let subscription = upstream else { lock.unlock(); return }
        if free != .unlimited { free -= amount }
        if wanted != .unlimited { wanted -= amount }
        lock.unlock()
        subscription.request(amount)
    }

    func cancel() {
        lock.lock()
        ended = true
        let running = tasks.values
        let subscription = upstream
        tasks = [:]
        upstream = nil
        transform = nil
        downstream = nil
        events = []
        lock.unlock()
        subscription?.cancel()
        for task in running { task.cancel() }
    }
}
