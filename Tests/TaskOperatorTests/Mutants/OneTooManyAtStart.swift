// mutant: receive(subscription:) asks the upstream for one value more than may run
// fails: TaskOperatorTests/withALimitOfOneTheyRunOneAfterTheOther()
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// fails: TaskOperatorTests/theUpstreamIsAskedForAsManyValuesAsMayRun()
// fails: TaskOperatorTests/aTransformThatEndsAsksForOneMoreValue()
// fails: TaskOperatorTests/theLimitHoldsInEveryForm()
// fails: TaskOperatorXCTests/testCancellingCancelsTheUpstream
// fails: TaskOperatorTests/eachSubscriptionRunsItsOwnTransforms()
// hint: TaskOperatorTests/withALimitOfOneTheyRunOneAfterTheOther() one.tooMany
import Combine
import Synchronization

extension Publisher {
    fileprivate func limitedTasks<T>(
        _ limit: Subscribers.Demand, _ work: @escaping (Output) async -> Result<T, Failure>
    ) -> AnyPublisher<T, Failure> {
        GroupedTasks(upstream: self, limit: limit, work: work).eraseToAnyPublisher()
    }
}

private struct GroupedTasks<Upstream: Publisher, T>: Publisher {
    typealias Output = T
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let limit: Subscribers.Demand
    let work: (Upstream.Output) async -> Result<T, Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == T, S.Failure == Failure {
        let outbox = Outbox(subscriber)
        upstream.subscribe(Inbox(outbox, limit: limit, work: work))
    }
}

private struct Transfer<Value>: @unchecked Sendable {
    let value: Value
}

/// Takes the values of the upstream and gives them to a task group, one child task for each.
private final class Inbox<Input, Downstream: Subscriber>: Subscriber, @unchecked Sendable {
    typealias Failure = Downstream.Failure

    private let outbox: Outbox<Downstream>
    private let limit: Subscribers.Demand
    private let work: (Input) async -> Result<Downstream.Input, Failure>
    private let values: AsyncStream<Transfer<Input>>
    private let continuation: AsyncStream<Transfer<Input>>.Continuation

    init(
        _ outbox: Outbox<Downstream>, limit: Subscribers.Demand,
        work: @escaping (Input) async -> Result<Downstream.Input, Failure>
    ) {
        self.outbox = outbox
        self.limit = limit
        self.work = work
        (values, continuation) = AsyncStream.makeStream()
    }

    func receive(subscription: any Subscription) {
        let driver = Task { [outbox, work, values] in
            let transform = Transfer(value: work)
            await withDiscardingTaskGroup { group in
                for await input in values {
                    guard outbox.isActive else { break }
                    _ = group.addTaskUnlessCancelled {
                        guard outbox.isActive else { return }
                        let result = await transform.value(input.value)
                        outbox.put(result)
                    }
                }
            }
            outbox.finish()
        }
        if outbox.start(upstream: subscription, driver: driver) {
            subscription.request(limit + 1)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        continuation.yield(Transfer(value: input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        outbox.upstreamEnded()
        if case .failure(let error) = completion {
            outbox.fail(error)
        }
        continuation.finish()
    }
}

/// Keeps the results until the subscriber has asked for them, and delivers them one after the other.
private final class Outbox<Downstream: Subscriber>: Subscription, @unchecked Sendable {
    private struct State {
        var downstream: Downstream?
        var upstream: (any Subscription)?
        var driver: Task<Void, Never>?
        var demand = Subscribers.Demand.none
        var results: [Downstream.Input] = []
        var completion: Subscribers.Completion<Downstream.Failure>?
        var isDelivering = false
    }

    private enum Step {
        case value(Downstream, Downstream.Input)
        case completion(Downstream, Subscribers.Completion<Downstream.Failure>)
        case pause
    }

    private let state: Mutex<State>

    init(_ downstream: Downstream) {
        state = Mutex(State(downstream: downstream))
    }

    var isActive: Bool {
        state.withLock { $0.downstream != nil && $0.completion == nil }
    }

    /// Returns whether the upstream may be asked for values.
    func start(upstream: any Subscription, driver: Task<Void, Never>) -> Bool {
        let downstream = state.withLock { state -> Downstream? in
            guard let downstream = state.downstream, state.driver == nil else { return nil }
            state.upstream = upstream
            state.driver = driver
            state.isDelivering = true
            return downstream
        }
        guard let downstream else {
            upstream.cancel()
            driver.cancel()
            return false
        }
        downstream.receive(subscription: self)
        state.withLock { $0.isDelivering = false }
        deliver()
        return isActive
    }

    func upstreamEnded() {
        let old = state.withLock { $0.upstream.take() }
        _ = old
    }

    func put(_ result: Result<Downstream.Input, Downstream.Failure>) {
        switch result {
        case .success(let value):
            state.withLock { state in
                guard state.downstream != nil, state.completion == nil else { return }
                state.results.append(value)
            }
            deliver()
            let upstream = state.withLock { $0.upstream }
            upstream?.request(.max(1))
        case .failure(let error):
            fail(error)
        }
    }

    func fail(_ error: Downstream.Failure) {
        let old = state.withLock { state -> State? in
            guard state.downstream != nil, state.completion == nil else { return nil }
            let old = state
            state.completion = .failure(error)
            state.upstream = nil
            state.driver = nil
            return old
        }
        guard let old else { return }
        old.upstream?.cancel()
        old.driver?.cancel()
        deliver()
    }

    /// All values have been transformed.
    func finish() {
        state.withLock { state in
            guard state.downstream != nil, state.completion == nil else { return }
            state.completion = .finished
            state.driver = nil
        }
        deliver()
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        deliver()
    }

    func cancel() {
        let old = state.withLock { state in
            let old = state
            state.downstream = nil
            state.upstream = nil
            state.driver = nil
            state.results = []
            return old
        }
        old.upstream?.cancel()
        old.driver?.cancel()
    }

    private func deliver() {
        let isMine = state.withLock { state in
            guard !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        guard isMine else { return }
        while true {
            switch state.withLock({ nextStep(&$0) }) {
            case .value(let downstream, let value):
                let more = downstream.receive(value)
                state.withLock { $0.demand += more }
            case .completion(let downstream, let completion):
                downstream.receive(completion: completion)
                return
            case .pause:
                return
            }
        }
    }

    private func nextStep(_ state: inout State) -> Step {
        if let downstream = state.downstream {
            if !state.results.isEmpty, state.demand > .none {
                state.demand -= 1
                return .value(downstream, state.results.removeFirst())
            }
            if let completion = state.completion {
                var mayComplete = state.results.isEmpty
                if case .failure = completion {
                    mayComplete = true
                }
                if mayComplete {
                    state.downstream = nil
                    state.results = []
                    return .completion(downstream, completion)
                }
            }
        }
        state.isDelivering = false
        return .pause
    }
}

extension Publisher {
    /// Transforms each value with an async function, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        limitedTasks(maxPublishers) { .success(await transform($0)) }
    }
}

extension Publisher where Failure == any Error {
    /// Transforms each value with an async function that may throw, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        limitedTasks(maxPublishers) { value in
            do {
                return .success(try await transform(value))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Publisher where Failure == Never {
    /// Transforms each value with an async function that may throw, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self).task(maxPublishers: maxPublishers, transform)
    }

    /// Keeps a pipeline running when nobody needs its values.
    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}
