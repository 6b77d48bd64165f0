// mutant: one transform at a time, whatever the limit is
// fails: TaskOperatorTests/withoutALimitTheyRunAtTheSameTime()
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// fails: TaskOperatorTests/theUpstreamIsAskedForAsManyValuesAsMayRun()
// fails: TaskOperatorTests/aTransformThatEndsAsksForOneMoreValue()
// fails: TaskOperatorTests/theEndArrivesWhenNoTransformRuns()
// fails: TaskOperatorTests/theLimitHoldsInEveryForm()
// fails: TaskOperatorTests/cancellingCancelsTheTransforms()
// fails: TaskOperatorXCTests/testDroppingTheResultOfEmptySinkCancels
// fails: TaskOperatorTests/nothingArrivesAfterCancelling()
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// fails: TaskOperatorTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: TaskOperatorTests/valuesAndResultsOnSeveralThreads()
// fails: TaskOperatorTests/cancellingMayMeetAnything()
// hint: TaskOperatorTests/withoutALimitTheyRunAtTheSameTime() sameTime
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        flatMap(maxPublishers: .max(1)) { value in
            resultOfTask { Task { await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        flatMap(maxPublishers: .max(1)) { value in
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
