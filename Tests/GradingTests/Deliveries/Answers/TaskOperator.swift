import Combine
import Synchronization

extension Publisher {
    /// Transforms each value with an async function, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        TaskPublisher<Self, T>(upstream: self, limit: maxPublishers) { .success(await transform($0)) }
            .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    /// Transforms each value with an async function that may throw, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        TaskPublisher<Self, T>(upstream: self, limit: maxPublishers) { value in
            do { return .success(try await transform(value)) } catch { return .failure(error) }
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

    /// Keeps the pipeline running, for what it does and not for its values, until the result is cancelled or released.
    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}

private struct TaskPublisher<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let limit: Subscribers.Demand
    let transform: (Upstream.Output) async -> Result<Output, Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        upstream.subscribe(TaskConnection<Upstream, S>(to: subscriber, limit: limit, transform: transform))
    }
}

/// One subscriber's connection. What is sent to the subscriber, and each request that follows from it, goes through a
/// `Delivery`.
private final class TaskConnection<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Subscription
where Downstream.Failure == Upstream.Failure {
    private typealias State = TaskState<Downstream>

    private let limit: Subscribers.Demand
    private let transform: (Upstream.Output) async -> Result<Downstream.Input, Downstream.Failure>
    private let state: Mutex<State>
    private let deliver = Delivery()

    init(
        to downstream: Downstream, limit: Subscribers.Demand,
        transform: @escaping (Upstream.Output) async -> Result<Downstream.Input, Downstream.Failure>
    ) {
        self.limit = limit
        self.transform = transform
        state = Mutex(State(downstream: downstream))
    }

    // MARK: From the upstream

    func receive(subscription: any Subscription) {
        guard let downstream = state.withLock({ $0.connect(to: subscription) }) else { return subscription.cancel() }
        downstream.receive(subscription: self)
        // At once: a subject would lose what it sends before it is asked.
        if limit > .none { ask(for: limit) }
    }

    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        state.withLock { state in
            // The lock is held, so that the task is registered before it can end.
            state.start { id in
                Task { [transform] in
                    let result = await transform(input)
                    self.deliver { state in
                        switch result {
                        case .success(let output): return state.succeed(id, with: output)
                        case .failure(let error): return state.fail(with: error)
                        }
                    }
                }
            }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        deliver { state in
            state.disconnect()
            switch completion {
            case .finished: return state.finish()
            case .failure(let error): return state.fail(with: error)
            }
        }
    }

    // MARK: From the downstream

    func request(_ demand: Subscribers.Demand) {
        deliver { $0.add(demand) }
    }

    func cancel() {
        state.withLock { $0.end() }.cancel()
    }

    // MARK: Out

    private func ask(for demand: Subscribers.Demand) {
        state.withLock { $0.upstream }?.request(demand)
    }

    /// Changes the state at once, and has what is due after that delivered.
    private func deliver(after change: (inout State) -> State?) {
        let (ended, added) = state.withLock { state in
            let before = state.countOfDue
            return (change(&state), state.countOfDue - before)
        }
        ended?.cancel()
        guard added > 0 else { return }
        for _ in 0..<added {
            deliver { self.deliverNext() }
        }
    }

    private func deliverNext() {
        guard let (event, downstream) = state.withLock({ $0.nextDelivery() }) else { return }
        switch event {
        case .output(let output):
            let demand = downstream.receive(output)
            if demand > .none { request(demand) }
            if limit != .unlimited { ask(for: .max(1)) }
        case .completion(let completion):
            downstream.receive(completion: completion)
        }
    }
}

private struct TaskState<Downstream: Subscriber> {
    enum Event {
        case output(Downstream.Input)
        case completion(Subscribers.Completion<Downstream.Failure>)
    }

    private(set) var upstream: (any Subscription)?
    /// Nil as soon as nothing more may be added to what is due.
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastID = 0
    private var isUpstreamFinished = false
    /// What nobody has asked for yet.
    private var outputs: [Downstream.Input] = []
    private var due: [(Event, Downstream)] = []

    init(downstream: Downstream?) {
        self.downstream = downstream
    }

    var countOfDue: Int { due.count }

    mutating func connect(to subscription: any Subscription) -> Downstream? {
        guard upstream == nil, let downstream else { return nil }
        upstream = subscription
        return downstream
    }

    mutating func disconnect() {
        upstream = nil
    }

    mutating func start(_ makeTask: (Int) -> Task<Void, Never>) {
        guard downstream != nil else { return }
        lastID += 1
        tasks[lastID] = makeTask(lastID)
    }

    mutating func add(_ demand: Subscribers.Demand) -> TaskState? {
        guard downstream != nil else { return nil }
        self.demand += demand
        return moveOn()
    }

    mutating func succeed(_ id: Int, with output: Downstream.Input) -> TaskState? {
        guard downstream != nil else { return nil }
        tasks[id] = nil
        outputs.append(output)
        return moveOn()
    }

    mutating func finish() -> TaskState? {
        isUpstreamFinished = true
        return moveOn()
    }

    private mutating func moveOn() -> TaskState? {
        guard let downstream else { return nil }
        while demand > .none, !outputs.isEmpty {
            demand -= 1
            due.append((.output(outputs.removeFirst()), downstream))
        }
        if isUpstreamFinished, tasks.isEmpty, outputs.isEmpty {
            due.append((.completion(.finished), downstream))
            self.downstream = nil
        }
        return nil
    }

    /// The first failure ends everything but the results that were on their way before it.
    mutating func fail(with error: Downstream.Failure) -> TaskState? {
        guard let downstream else { return nil }
        let ended = end()
        due = ended.due + [(.completion(.failure(error)), downstream)]
        return ended
    }

    mutating func end() -> TaskState {
        let ended = self
        self = TaskState(downstream: nil)
        return ended
    }

    func cancel() {
        upstream?.cancel()
        tasks.values.forEach { $0.cancel() }
    }

    mutating func nextDelivery() -> (Event, Downstream)? {
        due.isEmpty ? nil : due.removeFirst()
    }
}
