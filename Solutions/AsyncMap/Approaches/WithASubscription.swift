// right: a subscription of its own that passes the demand on, and a mutex
import Combine
import Synchronization

extension Publisher {
    /// Runs an asynchronous transform for each value, all at the same time, and sends the results as they come.
    ///
    /// One unit of demand buys one value from the upstream, one transform and one result, so nothing has to be buffered
    /// and no transform runs that nobody asked for. The first failure ends it; cancelling stops the transforms too.
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

/// One subscriber's connection: a subscriber for the upstream, a subscription for the downstream.
private final class AsyncMapConnection<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Subscription
where Downstream.Failure == Error {
    private typealias State = AsyncMapState<Downstream>

    private let transform: (Upstream.Output) async throws -> Downstream.Input
    private let state: Mutex<State>

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

    /// Changes the state and delivers what is due after that: from one thread at a time, with the lock released.
    private func deliver(after change: (inout State) -> State?) {
        let (ended, isFree) = state.withLock { state in (change(&state), state.beginDelivery()) }
        ended?.cancel()
        guard isFree else { return }
        while let (event, downstream) = state.withLock({ $0.nextDelivery() }) {
            switch event {
            case .output(let output):
                let demand = downstream.receive(output)
                if demand > .none { request(demand) }
            case .completion(let completion): downstream.receive(completion: completion)
            }
        }
    }
}

/// How far a connection is. Nobody else's code runs in here: what ends is returned, to be cancelled and let go of outside.
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
    private var isDelivering = false

    init(downstream: Downstream?) {
        self.downstream = downstream
    }

    /// Returns the downstream where this is the first subscription, and is still wanted.
    mutating func connect(to subscription: any Subscription) -> Downstream? {
        guard upstream == nil, let downstream else { return nil }
        upstream = subscription
        return downstream
    }

    /// Lets go of an upstream that has completed: there is nothing left to cancel.
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

    /// Completes once the work in flight is done, which may be now.
    mutating func finish() -> AsyncMapState? {
        isUpstreamFinished = true
        guard tasks.isEmpty, let downstream else { return nil }
        due.append((.completion(.finished), downstream))
        self.downstream = nil
        return nil
    }

    /// The first failure overtakes results that are not delivered yet, and ends everything else.
    mutating func fail(with error: Downstream.Failure) -> AsyncMapState? {
        guard let downstream else { return nil }
        let ended = end()
        due = [(.completion(.failure(error)), downstream)]
        return ended
    }

    mutating func end() -> AsyncMapState {
        let ended = self
        self = AsyncMapState(downstream: nil)
        isDelivering = ended.isDelivering
        return ended
    }

    /// Stops the work of a state that has ended.
    func cancel() {
        upstream?.cancel()
        tasks.values.forEach { $0.cancel() }
    }

    /// Whether something is due and nobody is delivering it yet.
    mutating func beginDelivery() -> Bool {
        guard !isDelivering, !due.isEmpty else { return false }
        isDelivering = true
        return true
    }

    mutating func nextDelivery() -> (Event, Downstream)? {
        isDelivering = !due.isEmpty
        return isDelivering ? due.removeFirst() : nil
    }
}
