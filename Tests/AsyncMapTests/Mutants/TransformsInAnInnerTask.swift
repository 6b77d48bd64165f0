// mutant: the kept and cancelled task only awaits a second `Task { }` in which the transform runs
// fails: AsyncMapTests/cancellingCancelsTheTransforms()
// fails: AsyncMapTests/aFailureCancelsTheRest()
// fails: AsyncMapTests/cancellingMayMeetAnything()
// fails: AsyncMapTests/aFailureMayMeetAnything()
// hint: AsyncMapTests/cancellingCancelsTheTransforms() general.nestedTask
import Combine
import Foundation

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        Mapped(upstream: self, transform: transform).eraseToAnyPublisher()
    }
}

struct Mapped<Upstream: Publisher, Output>: Publisher {
    typealias Failure = Error

    let upstream: Upstream
    let transform: (Upstream.Output) async throws -> Output

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Error {
        let mapping = Mapping(upstream: upstream, transform: transform, downstream: subscriber)
        subscriber.receive(subscription: mapping)
    }
}

/// Subscribes at the first request, takes every value at once, and keeps the results that nobody has asked for.
final class Mapping<Upstream: Publisher, Downstream: Subscriber>: Subscription where Downstream.Failure == Error {
    private let lock = NSRecursiveLock()
    private let transform: (Upstream.Output) async throws -> Downstream.Input
    private var source: Upstream?
    private var upstream: AnyCancellable?
    private var downstream: Downstream?
    private var tasks: [UUID: Task<Void, Never>] = [:]
    private var results: [Downstream.Input] = []
    private var demand = Subscribers.Demand.none
    private var isUpstreamFinished = false

    init(
        upstream: Upstream, transform: @escaping (Upstream.Output) async throws -> Downstream.Input,
        downstream: Downstream
    ) {
        source = upstream
        self.transform = transform
        self.downstream = downstream
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        self.demand += demand
        let source = self.source
        self.source = nil
        lock.unlock()
        if let source { start(source) }
        deliver()
    }

    func cancel() {
        lock.lock()
        defer { lock.unlock() }
        stop()
    }

    private func start(_ source: Upstream) {
        let upstream = source.sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: self.finish()
                case .failure(let error): self.fail(with: error)
                }
            },
            receiveValue: { value in self.run(value) })
        lock.lock()
        defer { lock.unlock() }
        if downstream == nil { upstream.cancel() } else { self.upstream = upstream }
    }

    private func run(_ value: Upstream.Output) {
        lock.lock()
        defer { lock.unlock() }
        guard downstream != nil else { return }
        let id = UUID()
        tasks[id] = Task { [transform] in
            let work = Task { try await transform(value) }
            do {
                let result = try await work.value
                self.end(id, with: result)
            } catch {
                self.fail(with: error)
            }
        }
    }

    private func end(_ id: UUID, with result: Downstream.Input) {
        lock.lock()
        tasks[id] = nil
        results.append(result)
        lock.unlock()
        deliver()
    }

    private func finish() {
        lock.lock()
        isUpstreamFinished = true
        lock.unlock()
        deliver()
    }

    private func fail(with error: Error) {
        lock.lock()
        defer { lock.unlock() }
        let downstream = self.downstream
        stop()
        downstream?.receive(completion: .failure(error))
    }

    private func deliver() {
        lock.lock()
        defer { lock.unlock() }
        while let downstream, demand > .none, !results.isEmpty {
            demand -= .max(1)
            let result = results.removeFirst()
            demand += downstream.receive(result)
        }
        if let downstream, isUpstreamFinished, tasks.isEmpty, results.isEmpty {
            self.downstream = nil
            downstream.receive(completion: .finished)
        }
    }

    private func stop() {
        downstream = nil
        upstream?.cancel()
        upstream = nil
        tasks.values.forEach { $0.cancel() }
        tasks = [:]
        results = []
    }
}
