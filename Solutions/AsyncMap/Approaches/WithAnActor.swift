// right: one task that reads an AsyncStream into a discarding task group, and an actor that counts demand
import Combine

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        AsyncMapped(upstream: self, transform: transform).eraseToAnyPublisher()
    }
}

struct AsyncMapped<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Error

    let upstream: Upstream
    let transform: (Upstream.Output) async throws -> Output

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Error {
        let outlet = Outlet(subscriber)
        let (requests, continuation) = AsyncStream<Subscribers.Demand>.makeStream()
        let task = Task {
            for await demand in requests {
                await outlet.add(demand) { Task { await run(into: outlet) } }
            }
            await outlet.close()
        }
        subscriber.receive(subscription: Requests(continuation: continuation, task: task))
    }

    private func run<S>(into outlet: Outlet<S>) async where S.Input == Output, S.Failure == Error {
        try? await withThrowingDiscardingTaskGroup { group in
            for await event in events() {
                switch event {
                case .success(let value):
                    group.addTask {
                        do {
                            await outlet.send(try await transform(value))
                        } catch {
                            await outlet.end(.failure(error))
                            throw error
                        }
                    }
                case .failure(let error):
                    await outlet.end(.failure(error))
                    throw error
                }
            }
        }
        await outlet.end(.finished)
    }

    private func events() -> AsyncStream<Result<Upstream.Output, Error>> {
        AsyncStream { continuation in
            let subscription = upstream.sink(
                receiveCompletion: { completion in
                    if case .failure(let error) = completion { continuation.yield(.failure(error)) }
                    continuation.finish()
                },
                receiveValue: { continuation.yield(.success($0)) })
            continuation.onTermination = { _ in subscription.cancel() }
        }
    }
}

final class Requests: Subscription {
    let continuation: AsyncStream<Subscribers.Demand>.Continuation
    let task: Task<Void, Never>

    init(continuation: AsyncStream<Subscribers.Demand>.Continuation, task: Task<Void, Never>) {
        self.continuation = continuation
        self.task = task
    }

    deinit {
        continuation.finish()
    }

    func request(_ demand: Subscribers.Demand) {
        continuation.yield(demand)
    }

    func cancel() {
        continuation.finish()
        task.cancel()
    }
}

actor Outlet<S: Subscriber> where S.Failure == Error {
    private var subscriber: S?
    private var demand = Subscribers.Demand.none
    private var kept: [S.Input] = []
    private var completion: Subscribers.Completion<Error>?
    private var work: Task<Void, Never>?

    init(_ subscriber: S) {
        self.subscriber = subscriber
    }

    func add(_ demand: Subscribers.Demand, start: () -> Task<Void, Never>) {
        self.demand += demand
        if work == nil { work = start() }
        deliver()
    }

    func send(_ value: S.Input) {
        kept.append(value)
        deliver()
    }

    func end(_ completion: Subscribers.Completion<Error>) {
        if case .failure = completion {
            kept = []
            work?.cancel()
        }
        if self.completion == nil { self.completion = completion }
        deliver()
    }

    func close() {
        subscriber = nil
        work?.cancel()
    }

    private func deliver() {
        while let subscriber, demand > .none, !kept.isEmpty {
            demand -= .max(1)
            demand += subscriber.receive(kept.removeFirst())
        }
        guard kept.isEmpty, let completion, let subscriber else { return }
        self.subscriber = nil
        subscriber.receive(completion: completion)
    }
}
