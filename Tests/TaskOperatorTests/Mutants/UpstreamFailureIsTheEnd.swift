// mutant: a failure of the upstream becomes the end
// fails: TaskOperatorTests/aFailureOfTheUpstreamArrivesAsItIs()
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// hint: TaskOperatorTests/aFailureOfTheUpstreamArrivesAsItIs() general.completionForFailure
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        self.catch { _ in Empty<Output, Failure>() }
        .flatMap(maxPublishers: maxPublishers) { value in
            resultOfTask { Task { await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        self.catch { _ in Empty<Output, Failure>() }
        .flatMap(maxPublishers: maxPublishers) { value in
            resultOfTask { Task { try await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self).task(maxPublishers: maxPublishers, transform)
    }

    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}

private func resultOfTask<Success, Failure: Error>(
    _ start: @escaping () -> Task<Success, Failure>
) -> some Publisher<Success, Failure> {
    Deferred {
        let task = start()
        return Future { promise in
            Task { promise(await task.result) }
        }
        .handleEvents(receiveCancel: { task.cancel() })
    }
}
