// mutant: `Outlet.fail` keeps the results that wait for demand, so the failure is delivered only after them
// fails: AsyncMapTests/aFailureArrivesAtOnce()
// hint: AsyncMapTests/aFailureArrivesAtOnce() failureDemand
import Combine
import Foundation
import Synchronization

extension Publisher {
    /// Transforms each value with an async function.
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        AsyncMap(upstream: self, transform: transform).eraseToAnyPublisher()
    }
}

private struct AsyncMap<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Error

    let upstream: Upstream
    let transform: (Upstream.Output) async throws -> Output

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Error {
        let connection = Connection<Upstream.Output, Upstream.Failure, S>(outlet: Outlet(subscriber), transform: transform)
        upstream.subscribe(connection)
    }
}

/// Connects the upstream, the tasks and the outlet to the subscriber.
private final class Connection<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription,
    @unchecked Sendable
where Downstream.Failure == Error {
    private struct Source {
        var subscription: Subscription?
        var transform: ((Input) async throws -> Downstream.Input)?
        var isOpen = true
    }

    private let outlet: Outlet<Downstream>
    private let bag = TaskBag()
    private let source: Mutex<Source>

    init(outlet: Outlet<Downstream>, transform: @escaping (Input) async throws -> Downstream.Input) {
        self.outlet = outlet
        source = Mutex(Source(transform: transform))
    }

    func receive(subscription: Subscription) {
        let isFirst = source.withLock { source in
            guard source.isOpen, source.subscription == nil else { return false }
            source.subscription = subscription
            return true
        }
        guard isFirst else {
            subscription.cancel()
            return
        }
        outlet.open(with: self)
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard let transform = source.withLock({ $0.transform }) else { return .none }
        bag.start { id in
            do {
                let result = try await transform(input)
                self.outlet.send(result)
                if self.bag.remove(id) { self.finish() }
            } catch {
                self.fail(with: error)
                _ = self.bag.remove(id)
            }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished:
            if bag.close() { finish() }
        case .failure(let error):
            fail(with: error)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        outlet.request(demand)
    }

    func cancel() {
        outlet.close()
        bag.cancelAll()
        closeSource()?.cancel()
    }

    private func finish() {
        _ = closeSource()
        outlet.finish()
    }

    private func fail(with error: Error) {
        guard outlet.fail(with: error) else { return }
        bag.cancelAll()
        closeSource()?.cancel()
        outlet.deliver()
    }

    /// Forgets the upstream and the transform.
    private func closeSource() -> Subscription? {
        let old = source.withLock { source in
            let old = source
            source = Source(subscription: nil, transform: nil, isOpen: false)
            return old
        }
        return old.subscription
    }
}

/// Owns the running tasks.
private final class TaskBag: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextID = 0
        var isClosed = false
        var isCancelled = false
    }

    private let state = Mutex(State())

    func start(_ work: @escaping (Int) async -> Void) {
        state.withLock { state in
            guard !state.isClosed, !state.isCancelled else { return }
            let id = state.nextID
            state.nextID += 1
            state.tasks[id] = Task { await work(id) }
        }
    }

    /// Whether it was the last task, and no other one will start.
    func remove(_ id: Int) -> Bool {
        state.withLock { state in
            state.tasks.removeValue(forKey: id) != nil && state.isClosed && state.tasks.isEmpty
        }
    }

    /// Lets no more tasks start. Whether none is running.
    func close() -> Bool {
        state.withLock { state in
            guard !state.isClosed, !state.isCancelled else { return false }
            state.isClosed = true
            return state.tasks.isEmpty
        }
    }

    func cancelAll() {
        let running = state.withLock { state in
            state.isCancelled = true
            let running = Array(state.tasks.values)
            state.tasks = [:]
            return running
        }
        running.forEach { $0.cancel() }
    }
}

/// Calls the subscriber, on one thread at a time.
private final class Outlet<Downstream: Subscriber>: @unchecked Sendable where Downstream.Failure == Error {
    private struct State {
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        var values: [Downstream.Input] = []
        var completion: Subscribers.Completion<Error>?
        var isBusy = true
    }

    private enum Step {
        case value(Downstream.Input, Downstream)
        case completion(Subscribers.Completion<Error>, Downstream)
        case nothing
    }

    private let state: Mutex<State>

    init(_ downstream: Downstream) {
        state = Mutex(State(downstream: downstream))
    }

    func open(with subscription: Subscription) {
        let downstream = state.withLock { $0.downstream }
        downstream?.receive(subscription: subscription)
        state.withLock { $0.isBusy = false }
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        deliver()
    }

    func send(_ value: Downstream.Input) {
        state.withLock { state in
            guard state.downstream != nil, state.completion == nil else { return }
            state.values.append(value)
        }
        deliver()
    }

    func finish() {
        state.withLock { state in
            guard state.completion == nil else { return }
            state.completion = .finished
        }
        deliver()
    }

    /// Stores the error, and delivers nothing yet. Whether it was the first end.
    func fail(with error: Error) -> Bool {
        state.withLock { state in
            guard state.downstream != nil, state.completion == nil else { return false }
            state.completion = .failure(error)
            return true
        }
    }

    func close() {
        let old = state.withLock { state in
            let old = state
            state.downstream = nil
            state.values = []
            state.completion = nil
            return old
        }
        withExtendedLifetime(old) {}
    }

    func deliver() {
        let mayDeliver = state.withLock { state in
            if state.isBusy { return false }
            state.isBusy = true
            return true
        }
        guard mayDeliver else { return }
        while true {
            switch nextStep() {
            case .value(let value, let downstream):
                let more = downstream.receive(value)
                state.withLock { $0.demand += more }
            case .completion(let completion, let downstream):
                downstream.receive(completion: completion)
            case .nothing:
                return
            }
        }
    }

    private func nextStep() -> Step {
        state.withLock { state in
            if let downstream = state.downstream {
                if state.demand > 0, !state.values.isEmpty {
                    state.demand -= 1
                    return .value(state.values.removeFirst(), downstream)
                }
                if let completion = state.completion, state.values.isEmpty {
                    state.downstream = nil
                    return .completion(completion, downstream)
                }
            }
            state.isBusy = false
            return .nothing
        }
    }
}
