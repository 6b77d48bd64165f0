// right: operators, and one task for each value, which hands over its result on the main actor
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        flatMap(maxPublishers: maxPublishers) { value in
            cancellable { .success(await transform(value)) } as AnyPublisher<T, Failure>
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        flatMap(maxPublishers: maxPublishers) { value in
            cancellable {
                do { return .success(try await transform(value)) } catch { return .failure(error) }
            } as AnyPublisher<T, any Error>
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self)
            .flatMap(maxPublishers: maxPublishers) { value in
                cancellable {
                    do { return .success(try await transform(value)) } catch { return .failure(error) }
                } as AnyPublisher<T, any Error>
            }
            .eraseToAnyPublisher()
    }

    public func emptySink() -> AnyCancellable {
        ignoreOutput().sink(receiveValue: { _ in })
    }
}

private func cancellable<T, E: Error>(_ work: @escaping () async -> Result<T, E>) -> AnyPublisher<T, E> {
    Deferred {
        var task: Task<Void, Never>?
        let result = Future<T, E> { promise in
            task = Task { @MainActor in promise(await work()) }
        }
        return result.handleEvents(receiveCancel: { [task] in task?.cancel() })
    }
    .eraseToAnyPublisher()
}
