// mutant: only the transform that was started last is cancelled
// fails: TaskOperatorTests/cancellingCancelsTheTransforms()
// fails: TaskOperatorXCTests/testDroppingTheResultOfEmptySinkCancels
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// fails: TaskOperatorTests/cancellingWhileAValueComesLeavesNoTransform()
// fails: TaskOperatorTests/valuesAndResultsOnSeveralThreads()
// hint: TaskOperatorTests/cancellingCancelsTheTransforms() cancelTransforms.some
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        Deferred {
            var last: Task<T, Never>?
            return self.flatMap(maxPublishers: maxPublishers) { value in
                Future<T, Never> { promise in
                    let task = Task { await transform(value) }
                    last = task
                    Task { promise(await task.result) }
                }
            }
            .handleEvents(receiveCancel: { last?.cancel() })
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
