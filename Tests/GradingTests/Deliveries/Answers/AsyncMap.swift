import Combine
import Synchronization

extension Publisher {
    /// Runs an asynchronous transform for each value, all at the same time, and sends the results as they come.
    ///
    /// One unit of demand buys one value from the upstream, one transform and one result. Whatever the subscriber is sent
    /// goes through a `Delivery`; what is cancelled is cancelled at once.
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        AsyncMapPublisher(upstream: self, transform: transform).eraseToAnyPublisher()
    }
}

private struct AsyncMapPublisher<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Error

    let upstream: Upstream
    let transform: (Upstream.Output) async throws -> Output

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Error {
        upstream.subscribe(AsyncMapConnection<Upstream, S>(to: subscriber, transform: transform))
    }
}

private final class AsyncMapConnection<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Subscription
where Downstream.Failure == Error {
    private typealias State = AsyncMapState<Downstream>

    private let transform: (Upstream.Output) async throws -> Downstream.Input
    private let state: Mutex<State>
    private let deliver = Delivery()

    init(to downstream: Downstream, transform: @escaping (Upstream.Output) async throws -> Downstream.Input) {
        self.transform = transform
        state = Mutex(State(downstream: downstream))
    }

    // MARK: From the upstream

    func receive(subscription: any Subscription) {
        guard let downstream = state.withLock({ $0.connect(to: subscription) }) else { return subscription.cancel() }
        downstream.receive(subscription: self)
    }

    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        state.withLock { state in
            // The lock is held, so that the task is registered before it can end.
            state.start { id in
                Task { [transform] in
                    do {
                        let output = try await transform(input)
                        self.deliver { $0.succeed(id, with: output) }
                    } catch {
                        self.deliver { $0.fail(with: error) }
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
        state.withLock { $0.upstream }?.request(demand)
    }

    func cancel() {
        state.withLock { $0.end() }.cancel()
    }

    // MARK: To the downstream

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
        case .completion(let completion): downstream.receive(completion: completion)
        }
    }
}

private struct AsyncMapState<Downstream: Subscriber> {
    enum Event {
        case output(Downstream.Input)
        case completion(Subscribers.Completion<Downstream.Failure>)
    }

    private(set) var upstream: (any Subscription)?
    /// Nil as soon as nothing more may be added to what is due.
    private var downstream: Downstream?
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var lastID = 0
    private var isUpstreamFinished = false
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

    mutating func succeed(_ id: Int, with output: Downstream.Input) -> AsyncMapState? {
        guard let downstream else { return nil }
        tasks[id] = nil
        due.append((.output(output), downstream))
        return isUpstreamFinished ? finish() : nil
    }

    mutating func finish() -> AsyncMapState? {
        isUpstreamFinished = true
        guard tasks.isEmpty, let downstream else { return nil }
        due.append((.completion(.finished), downstream))
        self.downstream = nil
        return nil
    }

    /// The first failure ends everything but the results that were there before it: they are on their way.
    mutating func fail(with error: Downstream.Failure) -> AsyncMapState? {
        guard let downstream else { return nil }
        let ended = end()
        due = ended.due + [(.completion(.failure(error)), downstream)]
        return ended
    }

    mutating func end() -> AsyncMapState {
        let ended = self
        self = AsyncMapState(downstream: nil)
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
