// mutant: counts a transform as ended, and puts its result in line in a second step
// fails: TaskOperatorTests/valuesAndResultsOnSeveralThreads()
// hint: TaskOperatorTests/valuesAndResultsOnSeveralThreads() raceCompletion
import Combine
import Foundation

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        Tasks(upstream: self, limit: maxPublishers) { .success(await transform($0)) }.eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        Tasks(upstream: self, limit: maxPublishers) { value in
            do { return .success(try await transform(value)) } catch { return .failure(error) }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self).task(maxPublishers: maxPublishers, transform)
    }

    public func emptySink() -> AnyCancellable {
        sink(receiveValue: { _ in })
    }
}

struct Tasks<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let limit: Subscribers.Demand
    let transform: (Upstream.Output) async -> Result<Output, Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let connection = TaskConnection<Upstream.Output, S>(subscriber, limit: limit, transform: transform)
        subscriber.receive(subscription: connection)
        upstream.subscribe(connection)
    }
}

final class TaskConnection<Input, S: Subscriber>: Subscriber, Subscription {
    typealias Failure = S.Failure

    private let limit: Subscribers.Demand
    private let transform: (Input) async -> Result<S.Input, S.Failure>
    private let lock = NSLock()
    private var subscriber: S?
    private var upstream: (any Subscription)?
    private var isFinished = false
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastID = 0
    private var demand = Subscribers.Demand.none
    private var results: [S.Input] = []
    private var failure: (S, S.Failure)?
    private var isDelivering = false

    init(
        _ subscriber: S, limit: Subscribers.Demand,
        transform: @escaping (Input) async -> Result<S.Input, S.Failure>
    ) {
        self.subscriber = subscriber
        self.limit = limit
        self.transform = transform
    }

    func receive(subscription: any Subscription) {
        let isWanted = lock.withLock {
            guard subscriber != nil, upstream == nil else { return false }
            upstream = subscription
            return true
        }
        if isWanted { subscription.request(limit) } else { subscription.cancel() }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.withLock {
            guard subscriber != nil else { return }
            lastID += 1
            tasks[lastID] = Task { [id = lastID, transform] in
                self.end(id, with: await transform(input))
            }
        }
        return .none
    }

    private func end(_ id: Int, with result: Result<S.Input, S.Failure>) {
        switch result {
        case .success(let value):
            lock.withLock { tasks[id] = nil }
            lock.withLock { results.append(value) }
            deliver()
            lock.withLock { upstream }?.request(.max(1))
        case .failure(let error):
            fail(error)
        }
    }

    func receive(completion: Subscribers.Completion<S.Failure>) {
        switch completion {
        case .finished:
            lock.withLock {
                upstream = nil
                isFinished = true
            }
            deliver()
        case .failure(let error):
            lock.withLock { upstream = nil }
            fail(error)
        }
    }

    private func fail(_ error: S.Failure) {
        lock.withLock {
            if let subscriber { failure = (subscriber, error) }
            subscriber = nil
        }
        cancel()
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { self.demand += demand }
        deliver()
    }

    func cancel() {
        let (upstream, tasks) = lock.withLock {
            defer {
                self.upstream = nil
                self.tasks = [:]
                subscriber = nil
                results = []
            }
            return (self.upstream, self.tasks)
        }
        upstream?.cancel()
        tasks.values.forEach { $0.cancel() }
    }

    private func deliver() {
        lock.lock()
        guard !isDelivering else { return lock.unlock() }
        isDelivering = true
        while let subscriber {
            if !results.isEmpty, demand > .none {
                demand -= .max(1)
                let result = results.removeFirst()
                lock.unlock()
                let more = subscriber.receive(result)
                lock.lock()
                demand += more
            } else if results.isEmpty, isFinished, tasks.isEmpty {
                self.subscriber = nil
                lock.unlock()
                subscriber.receive(completion: .finished)
                lock.lock()
            } else {
                break
            }
        }
        if let (subscriber, error) = failure {
            failure = nil
            lock.unlock()
            subscriber.receive(completion: .failure(error))
            lock.lock()
        }
        isDelivering = false
        lock.unlock()
    }
}
