// mutant: each transform is wrapped in a continuation that nobody resumes
// fails: AsyncMapTests/valuesAreTransformed()
// fails: AsyncMapTests/aTransformThatRunsBlocksNoThread()
// fails: AsyncMapTests/valuesThatComeWhileATransformRunsAreNotLost()
// fails: AsyncMapTests/transformsRunAtTheSameTime()
// fails: AsyncMapTests/resultsComeAsTheyFinish()
// fails: AsyncMapXCTests/testAThrownErrorFailsThePipeline
// fails: AsyncMapTests/theCompletionArrivesWhenNothingIsInFlight()
// fails: AsyncMapXCTests/testCompletionWaitsForTheWorkInFlight
// fails: AsyncMapTests/manyTransformsRunAtTheSameTime()
// fails: AsyncMapTests/eachSubscriberGetsAllResults()
// fails: AsyncMapTests/anUpstreamMaySendInsideTheRequest()
// fails: AsyncMapTests/aSubscriberMayCancelInsideReceive()
// fails: AsyncMapTests/cancellingCancelsTheTransforms()
// fails: AsyncMapTests/nothingArrivesAfterCancelling()
// fails: AsyncMapTests/aFailureArrivesAtOnce()
// fails: AsyncMapTests/aFailureCancelsTheRest()
// fails: AsyncMapTests/aCancellationErrorOfATransformIsAFailure()
// fails: AsyncMapTests/nothingComesAfterAFailure()
// fails: AsyncMapTests/nothingIsDeliveredBeyondTheDemand()
// fails: AsyncMapTests/laterDemandCounts()
// fails: AsyncMapTests/valuesAndResultsOnTwoThreads()
// fails: AsyncMapTests/nothingIsKeptAliveAfterTheEnd()
// fails: AsyncMapTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: AsyncMapTests/cancellingMayMeetAnything()
// fails: AsyncMapTests/aFailureMayMeetAnything()
// hint: AsyncMapTests/valuesAreTransformed() transform
import Combine

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        Deferred {
            let isAskedFor = CurrentValueSubject<Bool, Never>(false)
            return
                isAskedFor
                .first { $0 }
                .flatMap { _ in self.mapError { $0 as Error } }
                .flatMap { value in
                    Deferred {
                        let task = Task { try await withUnsafeThrowingContinuation { (_: UnsafeContinuation<T, Error>) in } }
                        return Future { promise in
                            Task { promise(await task.result) }
                        }
                        .handleEvents(receiveCancel: { task.cancel() })
                    }
                }
                .handleEvents(receiveRequest: { _ in isAskedFor.send(true) })
        }
        .eraseToAnyPublisher()
    }
}
