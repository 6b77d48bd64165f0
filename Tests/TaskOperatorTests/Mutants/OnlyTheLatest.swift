// mutant: switches to the newest value, whose transform replaces the one that runs
// fails: TaskOperatorTests/valuesThatComeWhileATransformRunsAreNotLost()
// fails: TaskOperatorTests/withALimitOfOneTheyRunOneAfterTheOther()
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// fails: TaskOperatorTests/theUpstreamIsAskedForAsManyValuesAsMayRun()
// fails: TaskOperatorTests/aTransformThatEndsAsksForOneMoreValue()
// fails: TaskOperatorTests/theEndArrivesWhenNoTransformRuns()
// fails: TaskOperatorTests/theLimitHoldsInEveryForm()
// fails: TaskOperatorXCTests/testAThrownErrorIsTheFailure
// fails: TaskOperatorXCTests/testCancellingCancelsTheUpstream
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// fails: TaskOperatorTests/eachSubscriptionRunsItsOwnTransforms()
// fails: TaskOperatorTests/asManyResultsArriveAsWereAskedFor()
// fails: TaskOperatorTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: TaskOperatorTests/valuesAndResultsOnSeveralThreads()
// fails: TaskOperatorTests/cancellingMayMeetAnything()
// hint: TaskOperatorTests/valuesThatComeWhileATransformRunsAreNotLost() busy
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        map { value in
            resultOfTask { Task { await transform(value) } }.setFailureType(to: Failure.self)
        }
        .switchToLatest()
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        map { value in
            resultOfTask { Task { try await transform(value) } }
        }
        .switchToLatest()
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
