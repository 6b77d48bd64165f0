// mutant: a loop task stays after `finished`; it keeps no transform
// fails: TaskOperatorTests/nothingIsKeptAliveAfterTheEnd()
// hint: TaskOperatorTests/nothingIsKeptAliveAfterTheEnd() general.openStream
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        Transformed(upstream: self, limit: maxPublishers) { .success(await transform($0)) }.eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        Transformed(upstream: self, limit: maxPublishers) { value in
            do { return .success(try await transform(value)) } catch { return .failure(error) }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        Transformed(upstream: setFailureType(to: (any Error).self), limit: maxPublishers) { value in
            do { return .success(try await transform(value)) } catch { return .failure(error) }
        }
        .eraseToAnyPublisher()
    }

    public func emptySink() -> AnyCancellable {
        let sink = Subscribers.Sink<Output, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

struct Transformed<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let limit: Subscribers.Demand
    let transform: (Upstream.Output) async -> Result<Output, Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        let outlet = Outlet(subscriber)
        let (requests, continuation) = AsyncStream<Subscribers.Demand>.makeStream()
        let inlet = Inlet<Upstream>(limit: limit)
        let work = Task { await run(from: inlet, into: outlet) }
        let task = Task {
            await outlet.set(work)
            for await demand in requests { await outlet.add(demand) }
            await outlet.close()
        }
        subscriber.receive(subscription: Requests(continuation: continuation, task: task, inlet: inlet))
        upstream.subscribe(inlet)
    }

    private func run<S>(
        from inlet: Inlet<Upstream>, into outlet: Outlet<S>
    ) async where S.Input == Output, S.Failure == Failure {
        defer { inlet.cancel() }
        let hasFailed = await withTaskGroup(of: Bool.self) { group in
            for await event in inlet.events {
                switch event {
                case .success(let value):
                    group.addTask {
                        switch await transform(value) {
                        case .success(let result):
                            await outlet.send(result)
                            inlet.request()
                            return false
                        case .failure(let error):
                            await outlet.end(.failure(error))
                            inlet.cancel()
                            return true
                        }
                    }
                case .failure(let error):
                    await outlet.end(.failure(error))
                    group.cancelAll()
                    return true
                }
            }
            for await isFailure in group where isFailure {
                group.cancelAll()
                return true
            }
            return false
        }
        if !hasFailed, !Task.isCancelled { await outlet.end(.finished) }
    }
}

final class Inlet<Upstream: Publisher>: Subscriber {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    let events: AsyncStream<Result<Input, Failure>>
    private let continuation: AsyncStream<Result<Input, Failure>>.Continuation
    private let limit: Subscribers.Demand
    private let subscription = CurrentValueSubject<(any Subscription)?, Never>(nil)
    private let isCancelled = CurrentValueSubject<Bool, Never>(false)

    init(limit: Subscribers.Demand) {
        self.limit = limit
        (events, continuation) = AsyncStream.makeStream()
    }

    func receive(subscription: any Subscription) {
        self.subscription.value = subscription
        if isCancelled.value { return cancel() }
        subscription.request(limit)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        continuation.yield(.success(input))
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        if case .failure(let error) = completion { continuation.yield(.failure(error)) }
        continuation.finish()
    }

    func request() {
        subscription.value?.request(.max(1))
    }

    func cancel() {
        isCancelled.value = true
        subscription.value?.cancel()
        subscription.value = nil
        continuation.finish()
    }
}

final class Requests<Upstream: Publisher>: Subscription {
    private let continuation: AsyncStream<Subscribers.Demand>.Continuation
    private let task: Task<Void, Never>
    private let inlet: Inlet<Upstream>

    init(
        continuation: AsyncStream<Subscribers.Demand>.Continuation, task: Task<Void, Never>, inlet: Inlet<Upstream>
    ) {
        self.continuation = continuation
        self.task = task
        self.inlet = inlet
    }

    func request(_ demand: Subscribers.Demand) {
        continuation.yield(demand)
    }

    func cancel() {
        inlet.cancel()
        continuation.finish()
        task.cancel()
    }
}

actor Outlet<S: Subscriber> {
    private var subscriber: S?
    private var demand = Subscribers.Demand.none
    private var results: [S.Input] = []
    private var completion: Subscribers.Completion<S.Failure>?
    private var work: Task<Void, Never>?
    private var isClosed = false

    init(_ subscriber: S) {
        self.subscriber = subscriber
    }

    func set(_ work: Task<Void, Never>) {
        if isClosed { work.cancel() } else { self.work = work }
    }

    func add(_ demand: Subscribers.Demand) {
        self.demand += demand
        deliver()
    }

    func send(_ result: S.Input) {
        results.append(result)
        deliver()
    }

    func end(_ completion: Subscribers.Completion<S.Failure>) {
        if case .failure = completion {
            results = []
            work?.cancel()
        }
        if self.completion == nil { self.completion = completion }
        deliver()
    }

    func close() {
        isClosed = true
        subscriber = nil
        work?.cancel()
        work = nil
    }

    private func deliver() {
        while let subscriber, demand > .none, !results.isEmpty {
            demand -= .max(1)
            demand += subscriber.receive(results.removeFirst())
        }
        guard results.isEmpty, let completion, let subscriber else { return }
        self.subscriber = nil
        work = nil
        subscriber.receive(completion: completion)
    }
}
