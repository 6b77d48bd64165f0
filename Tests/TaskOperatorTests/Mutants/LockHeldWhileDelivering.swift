// mutant: delivers with the lock held that cancelling needs
// fails: TaskOperatorXCTests/testCancellingCancelsTheUpstream
// hint: TaskOperatorXCTests/testCancellingCancelsTheUpstream insideReceive
import Combine
import Foundation

extension Publisher {
    /// Transforms each value with an async function, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        TaskPublisher(upstream: self, limit: maxPublishers) { .success(await transform($0)) }.eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    /// Transforms each value with an async function that may throw, at most so many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        TaskPublisher(upstream: self, limit: maxPublishers) { value in
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
        TaskPublisher(upstream: setFailureType(to: (any Error).self), limit: maxPublishers) { value in
            do { return .success(try await transform(value)) } catch { return .failure(error) }
        }
        .eraseToAnyPublisher()
    }

    /// Keeps a pipeline running whose values nobody needs.
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
        upstream.subscribe(Inner(downstream: subscriber, limit: limit, transform: transform))
    }

    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == Output, Downstream.Failure == Failure {
        typealias Input = Upstream.Output

        private let lock = NSLock()
        private let limit: Subscribers.Demand
        private var transform: ((Input) async -> Result<Output, Failure>)?
        private var downstream: Downstream?
        private var upstream: (any Subscription)?
        private var upstreamEnded = false
        private var failure: Failure?
        private var tasks: [Int: Task<Void, Never>] = [:]
        private var nextID = 0
        private var results: [Output] = []
        private var demand = Subscribers.Demand.none
        private var delivering = false

        init(
            downstream: Downstream, limit: Subscribers.Demand,
            transform: @escaping (Input) async -> Result<Output, Failure>
        ) {
            self.downstream = downstream
            self.limit = limit
            self.transform = transform
        }

        func receive(subscription: any Subscription) {
            lock.lock()
            guard upstream == nil, let downstream else {
                lock.unlock()
                subscription.cancel()
                return
            }
            upstream = subscription
            lock.unlock()
            downstream.receive(subscription: self)
            subscription.request(limit)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            defer { lock.unlock() }
            guard downstream != nil, failure == nil, !upstreamEnded, let transform else { return .none }
            let id = nextID
            nextID += 1
            tasks[id] = Task {
                if Task.isCancelled { return }
                let result = await transform(input)
                self.ended(id, result)
            }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            guard downstream != nil, failure == nil, !upstreamEnded else {
                lock.unlock()
                return
            }
            upstreamEnded = true
            upstream = nil
            var cancelled: [Task<Void, Never>] = []
            if case .failure(let error) = completion {
                failure = error
                cancelled = Array(tasks.values)
                tasks = [:]
            }
            lock.unlock()
            cancelled.forEach { $0.cancel() }
            deliver()
        }

        private func ended(_ id: Int, _ result: Result<Output, Failure>) {
            lock.lock()
            guard tasks.removeValue(forKey: id) != nil else {
                lock.unlock()
                return
            }
            switch result {
            case .success(let value):
                results.append(value)
                let upstream = upstream
                lock.unlock()
                deliver()
                if limit != .unlimited { upstream?.request(.max(1)) }
            case .failure(let error):
                failure = error
                let others = Array(tasks.values)
                let upstream = upstream
                tasks = [:]
                self.upstream = nil
                lock.unlock()
                upstream?.cancel()
                others.forEach { $0.cancel() }
                deliver()
            }
        }

        private func deliver() {
            lock.lock()
            guard !delivering else {
                lock.unlock()
                return
            }
            delivering = true
            while let downstream {
                if let failure {
                    release()
                    lock.unlock()
                    downstream.receive(completion: .failure(failure))
                    lock.lock()
                } else if !results.isEmpty, demand > .none {
                    let result = results.removeFirst()
                    demand -= 1
                    demand += downstream.receive(result)
                } else if results.isEmpty, upstreamEnded, tasks.isEmpty {
                    release()
                    lock.unlock()
                    downstream.receive(completion: .finished)
                    lock.lock()
                } else {
                    break
                }
            }
            delivering = false
            lock.unlock()
        }

        private func release() {
            downstream = nil
            upstream = nil
            transform = nil
            results = []
            tasks = [:]
        }

        func request(_ more: Subscribers.Demand) {
            lock.lock()
            demand += more
            lock.unlock()
            deliver()
        }

        func cancel() {
            lock.lock()
            let upstream = upstream
            let running = Array(tasks.values)
            release()
            lock.unlock()
            upstream?.cancel()
            running.forEach { $0.cancel() }
        }
    }
}
