// mutant: after the upstream's end, the first transform that ends finishes the pipeline
// fails: AsyncMapXCTests/testCompletionWaitsForTheWorkInFlight
// fails: AsyncMapTests/anUpstreamMaySendInsideTheRequest()
// fails: AsyncMapTests/laterDemandCounts()
// fails: AsyncMapTests/valuesAndResultsOnTwoThreads()
// hint: AsyncMapXCTests/testCompletionWaitsForTheWorkInFlight completion
import Combine
import Foundation

extension Publisher {
    /// Transforms each value with an async function.
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        ActorMap(upstream: self, transform: transform).eraseToAnyPublisher()
    }
}

private struct ActorMap<Upstream: Publisher, T>: Publisher {
    typealias Output = T
    typealias Failure = Error

    let upstream: Upstream
    let transform: (Upstream.Output) async throws -> T

    func receive<S: Subscriber>(subscriber: S) where S.Input == T, S.Failure == Error {
        upstream.subscribe(Link<Upstream.Output, Upstream.Failure, S>(downstream: subscriber, transform: transform))
    }
}

/// Calls the subscriber. An actor does one thing at a time.
private actor Speaker<Downstream: Subscriber> {
    private var downstream: Downstream?

    init(_ downstream: Downstream) {
        self.downstream = downstream
    }

    func say(_ value: Downstream.Input, if isAllowed: () -> Bool) -> Subscribers.Demand {
        guard isAllowed(), let downstream else { return .none }
        return downstream.receive(value)
    }

    func say(_ completion: Subscribers.Completion<Downstream.Failure>, if isAllowed: () -> Bool) {
        let downstream = downstream
        stop()
        if isAllowed() { downstream?.receive(completion: completion) }
    }

    func stop() {
        downstream = nil
    }
}

private final class Link<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription
where Downstream.Failure == Error {
    private enum Phase {
        case active, ending, over
    }

    private let lock = NSRecursiveLock()
    private var phase = Phase.active
    private var downstream: Downstream?
    private var speaker: Speaker<Downstream>?
    private var transform: ((Input) async throws -> Downstream.Input)?
    private var upstream: Subscription?
    private var waitingDemand = Subscribers.Demand.none
    private var tasks: [UUID: Task<Void, Never>] = [:]
    private var upstreamFinished = false

    init(downstream: Downstream, transform: @escaping (Input) async throws -> Downstream.Input) {
        self.downstream = downstream
        self.speaker = Speaker(downstream)
        self.transform = transform
    }

    func receive(subscription: Subscription) {
        let downstream = lock.withLock {
            defer { self.downstream = nil }
            return self.downstream
        }
        downstream?.receive(subscription: self)
        let demand: Subscribers.Demand? = lock.withLock {
            guard phase == .active, upstream == nil else { return nil }
            upstream = subscription
            return waitingDemand
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.withLock {
            guard phase == .active, let transform, let speaker else { return }
            let id = UUID()
            tasks[id] = Task {
                do {
                    let result = try await transform(input)
                    let more = await speaker.say(result, if: { self.isActive })
                    self.request(more)
                    self.ended(id)
                } catch {
                    self.end(.failure(error))
                }
            }
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        switch completion {
        case .finished:
            let isIdle = lock.withLock {
                upstreamFinished = true
                upstream = nil
                return tasks.isEmpty
            }
            if isIdle { end(.finished) }
        case .failure(let error):
            lock.withLock { upstream = nil }
            end(.failure(error))
        }
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let upstream: Subscription? = lock.withLock {
            if self.upstream == nil { waitingDemand += demand }
            return self.upstream
        }
        upstream?.request(demand)
    }

    func cancel() {
        lock.lock()
        phase = .over
        let old = release()
        lock.unlock()
        old.tasks.forEach { $0.cancel() }
        old.upstream?.cancel()
        if let speaker = old.speaker { Task { await speaker.stop() } }
    }

    private var isActive: Bool {
        lock.withLock { phase == .active }
    }

    private func ended(_ id: UUID) {
        let isDone = lock.withLock {
            tasks[id] = nil
            return upstreamFinished
        }
        if isDone { end(.finished) }
    }

    private func end(_ completion: Subscribers.Completion<Error>) {
        lock.lock()
        guard phase == .active else {
            lock.unlock()
            return
        }
        phase = .ending
        let old = release()
        lock.unlock()
        old.tasks.forEach { $0.cancel() }
        old.upstream?.cancel()
        guard let speaker = old.speaker else { return }
        Task {
            await speaker.say(completion, if: { self.mayEnd() })
        }
    }

    private func mayEnd() -> Bool {
        lock.withLock {
            guard phase == .ending else { return false }
            phase = .over
            return true
        }
    }

    private func release() -> (tasks: [Task<Void, Never>], upstream: Subscription?, speaker: Speaker<Downstream>?) {
        defer {
            tasks = [:]
            upstream = nil
            speaker = nil
            downstream = nil
            transform = nil
        }
        return (Array(tasks.values), upstream, speaker)
    }
}
