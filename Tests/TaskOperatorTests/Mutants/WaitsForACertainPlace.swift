// mutant: a value waits for the transform that came three values before it, and not for the first that ends
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// hint: TaskOperatorTests/aLimitIsKeptAndUsed() limit.place
import Combine
import Foundation

extension Publisher {
    /// Transforms each value with an async function, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        Lanes(upstream: self, limit: maxPublishers) { value in
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
        Lanes(upstream: self, limit: maxPublishers) { value in
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

private struct Lanes<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let limit: Subscribers.Demand
    let transform: (Upstream.Output) async -> Result<Output, Upstream.Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(
            LanesSubscription<Upstream.Output, S>(downstream: subscriber, limit: limit, transform: transform))
    }
}

/// As many lanes as transforms may run. A lane is a chain of tasks.
private final class LanesSubscription<Input, Downstream: Subscriber>: Subscriber, Subscription {
    typealias Failure = Downstream.Failure

    private let lock = NSLock()
    private let limit: Subscribers.Demand
    private var transform: ((Input) async -> Result<Downstream.Input, Failure>)?
    private var downstream: Downstream?
    private var upstream: Subscription?
    private var demand = Subscribers.Demand.none
    private var lanes: [Int: Task<Void, Never>] = [:]
    private var open: [Int: Task<Void, Never>] = [:]
    private var count = 0
    private var results: [Downstream.Input] = []
    private var end: Subscribers.Completion<Failure>?
    private var isBusy = false

    init(
        downstream: Downstream, limit: Subscribers.Demand,
        transform: @escaping (Input) async -> Result<Downstream.Input, Failure>
    ) {
        self.downstream = downstream
        self.limit = limit
        self.transform = transform
    }

    func receive(subscription: Subscription) {
        lock.lock()
        let downstream = downstream
        lock.unlock()
        downstream?.receive(subscription: self)

        lock.lock()
        let isWanted = self.downstream != nil && upstream == nil
        if isWanted { upstream = subscription }
        lock.unlock()
        if !isWanted {
            subscription.cancel()
        } else if limit > .none {
            subscription.request(limit)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.lock()
        defer { lock.unlock() }
        guard downstream != nil, end == nil, let transform else { return .none }
        let id = count
        count += 1
        let lane = limit.max.map { id % max($0, 1) }
        let before = lane.flatMap { lanes[$0] }
        let task = Task {
            await before?.value
            guard !Task.isCancelled else { return }
            self.ended(id, await transform(input))
        }
        open[id] = task
        if let lane { lanes[lane] = task }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished:
            lock.lock()
            upstream = nil
            if end == nil { end = .finished }
            lock.unlock()
            deliver()
        case .failure(let error):
            lock.lock()
            upstream = nil
            lock.unlock()
            fail(error)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        self.demand += demand
        lock.unlock()
        deliver()
    }

    func cancel() {
        lock.lock()
        let old = (downstream, release())
        downstream = nil
        lock.unlock()
        stop(old.1)
    }

    private func ended(_ id: Int, _ result: Result<Downstream.Input, Failure>) {
        switch result {
        case .success(let value):
            lock.lock()
            if open.removeValue(forKey: id) != nil { results.append(value) }
            lock.unlock()
            deliver()
        case .failure(let error):
            fail(error)
        }
    }

    private func fail(_ error: Failure) {
        lock.lock()
        if case .failure = end {
            lock.unlock()
            return
        }
        guard downstream != nil else {
            lock.unlock()
            return
        }
        let old = release()
        end = .failure(error)
        lock.unlock()
        stop(old)
        deliver()
    }

    private typealias Held = (
        tasks: [Task<Void, Never>], upstream: Subscription?, results: [Downstream.Input],
        transform: ((Input) async -> Result<Downstream.Input, Failure>)?
    )

    /// Called with the lock.
    private func release() -> Held {
        let held: Held = (Array(open.values), upstream, results, transform)
        open = [:]
        lanes = [:]
        upstream = nil
        results = []
        transform = nil
        return held
    }

    private func stop(_ held: Held) {
        withExtendedLifetime(held) {
            held.tasks.forEach { $0.cancel() }
            held.upstream?.cancel()
        }
    }

    private func deliver() {
        lock.lock()
        guard !isBusy else {
            lock.unlock()
            return
        }
        isBusy = true
        while let downstream {
            if let end, isReady(for: end) {
                let held = release()
                self.downstream = nil
                lock.unlock()
                withExtendedLifetime(held) { downstream.receive(completion: end) }
                lock.lock()
            } else if demand > .none, !results.isEmpty {
                demand -= 1
                let result = results.removeFirst()
                lock.unlock()
                let more = downstream.receive(result)
                lock.lock()
                demand += more
                let upstream = upstream
                lock.unlock()
                upstream?.request(.max(1))
                lock.lock()
            } else {
                break
            }
        }
        isBusy = false
        lock.unlock()
    }

    /// Called with the lock.
    private func isReady(for end: Subscribers.Completion<Failure>) -> Bool {
        switch end {
        case .finished: open.isEmpty && results.isEmpty
        case .failure: true
        }
    }
}
