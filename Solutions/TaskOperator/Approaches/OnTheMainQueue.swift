// right: a subscription for each task, which starts it at the first request; results arrive on the main queue
import Combine
import Foundation

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        flatMap(maxPublishers: maxPublishers) { value in
            OneResult<T, Failure> { .success(await transform(value)) }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        flatMap(maxPublishers: maxPublishers) { value in
            OneResult<T, any Error> {
                do { return .success(try await transform(value)) } catch { return .failure(error) }
            }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        mapError { $0 as any Error }.task(maxPublishers: maxPublishers, transform)
    }

    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}

struct OneResult<Output, Failure: Error>: Publisher {
    let work: () async -> Result<Output, Failure>

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Inner(subscriber, work))
    }

    private final class Inner<S: Subscriber>: Subscription where S.Input == Output, S.Failure == Failure {
        private let lock = NSLock()
        private var subscriber: S?
        private var work: (() async -> Result<Output, Failure>)?
        private var task: Task<Void, Never>?

        init(_ subscriber: S, _ work: @escaping () async -> Result<Output, Failure>) {
            self.subscriber = subscriber
            self.work = work
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            lock.withLock {
                guard let work, subscriber != nil else { return }
                self.work = nil
                task = Task {
                    let result = await work()
                    DispatchQueue.main.async { self.end(with: result) }
                }
            }
        }

        func cancel() {
            release().1?.cancel()
        }

        private func release() -> (S?, Task<Void, Never>?) {
            lock.withLock {
                defer {
                    subscriber = nil
                    work = nil
                    task = nil
                }
                return (subscriber, task)
            }
        }

        private func end(with result: Result<Output, Failure>) {
            guard let subscriber = release().0 else { return }
            switch result {
            case .success(let value):
                _ = subscriber.receive(value)
                subscriber.receive(completion: .finished)
            case .failure(let error):
                subscriber.receive(completion: .failure(error))
            }
        }
    }
}
