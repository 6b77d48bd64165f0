// mutant: the promise is never called
// fails: TaskOperatorTests/valuesAreTransformed()
// fails: TaskOperatorTests/valuesThatComeWhileATransformRunsAreNotLost()
// fails: TaskOperatorTests/withALimitOfOneTheyRunOneAfterTheOther()
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// fails: TaskOperatorTests/aTransformThatEndsAsksForOneMoreValue()
// fails: TaskOperatorTests/theEndArrivesWhenNoTransformRuns()
// fails: TaskOperatorTests/aFailureOfTheUpstreamArrivesAsItIs()
// fails: TaskOperatorTests/aThrowingTransformOfAPublisherThatMayFail()
// fails: TaskOperatorTests/aThrowingTransformOfAPublisherThatCannotFail()
// fails: TaskOperatorXCTests/testAThrownErrorIsTheFailure
// fails: TaskOperatorXCTests/testEmptySinkRunsThePipeline
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// fails: TaskOperatorTests/eachSubscriptionRunsItsOwnTransforms()
// fails: TaskOperatorTests/asManyResultsArriveAsWereAskedFor()
// fails: TaskOperatorTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: TaskOperatorXCTests/testCancellingCancelsTheUpstream
// fails: TaskOperatorTests/valuesAndResultsOnSeveralThreads()
// fails: TaskOperatorTests/cancellingMayMeetAnything()
// fails: TaskOperatorTests/nothingIsKeptAliveAfterTheEnd()
// hint: TaskOperatorTests/valuesAreTransformed() transform
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
        return Future<Success, Failure> { promise in
            Task { _ = await task.result }
        }
        .handleEvents(receiveCancel: { task.cancel() })
    }
}
