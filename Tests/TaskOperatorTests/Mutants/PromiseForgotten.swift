// mutant: the promise is never called
// fails: TaskOperatorTests/valuesAreTransformed()
// fails: TaskOperatorTests/valuesThatComeWhileATransformRunsAreNotLost()
// fails: TaskOperatorTests/withALimitOfOneTheyRunOneAfterTheOther()
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// fails: TaskOperatorTests/aTransformThatEndsAsksForOneMoreValue()
// fails: TaskOperatorTests/aBufferInFrontKeepsABurst()
// fails: TaskOperatorTests/theEndArrivesWhenNoTransformRuns()
// fails: TaskOperatorTests/theEndComesAfterTheLastResult()
// fails: TaskOperatorTests/aFailureOfTheUpstreamArrivesAsItIs()
// fails: TaskOperatorTests/aThrowingTransformOfAPublisherThatMayFail()
// fails: TaskOperatorTests/aThrowingTransformOfAPublisherThatCannotFail()
// fails: TaskOperatorXCTests/testAThrownErrorIsTheFailure
// fails: TaskOperatorTests/afterAThrownErrorWhatWaitsDoesNotStart()
// fails: TaskOperatorTests/withoutTryThePipelineCannotFail()
// fails: TaskOperatorXCTests/testEmptySinkRunsThePipeline
// fails: TaskOperatorTests/aFailureOfATransformCancelsTheOthers()
// fails: TaskOperatorTests/aFailureOfATransformCancelsTheUpstream()
// fails: TaskOperatorTests/eachSubscriptionRunsItsOwnTransforms()
// fails: TaskOperatorTests/cancellingOneSubscriptionLeavesTheOther()
// fails: TaskOperatorTests/noMoreResultsArriveThanWereAskedFor()
// fails: TaskOperatorTests/resultsThatWaitArriveWhenTheyAreAskedFor()
// fails: TaskOperatorTests/requestsAddUp()
// fails: TaskOperatorTests/demandThatIsReturnedCounts()
// fails: TaskOperatorTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: TaskOperatorTests/aSubscriberMayCancelInsideReceive()
// fails: TaskOperatorTests/valuesAndResultsOnSeveralThreads()
// fails: TaskOperatorTests/theLastResultAndTheCompletionAtTheSameMoment()
// fails: TaskOperatorTests/aFailureMayMeetAnything()
// fails: TaskOperatorTests/nothingIsKeptAliveAfterTheEnd()
// fails: TaskOperatorTests/nothingIsKeptAliveAfterCancelling()
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
