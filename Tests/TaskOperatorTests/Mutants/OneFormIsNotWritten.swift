// mutant: the form for a publisher that cannot fail is still the stub
// fails: TaskOperatorTests/aThrowingTransformOfAPublisherThatCannotFail()
// fails: TaskOperatorXCTests/testAThrownErrorIsTheFailure
// fails: TaskOperatorTests/theLimitHoldsInEveryForm()
// fails: TaskOperatorTests/cancellingCancelsTheTransforms()
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// fails: TaskOperatorTests/cancellingMayMeetAnything()
// hint: TaskOperatorTests/aThrowingTransformOfAPublisherThatCannotFail() throwingNever
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        flatMap(maxPublishers: maxPublishers) { value in
            resultOfTask { Task { await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        flatMap(maxPublishers: maxPublishers) { value in
            resultOfTask { Task { try await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        Empty().eraseToAnyPublisher()
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
