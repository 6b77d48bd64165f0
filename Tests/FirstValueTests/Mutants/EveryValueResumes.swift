// mutant: resumes the continuation with every value that comes
// fails: FirstValueTests/throwingValueOfASynchronousPublisher()
// fails: FirstValueTests/throwingValueThatComesLater()
// fails: FirstValueXCTests/testUpstreamIsCancelledAfterTheThrowingValue
// fails: FirstValueXCTests/testFinishingWithoutAValueThrows
// fails: FirstValueTests/anUpstreamThatSendsAtOnceIsCancelled()
// fails: FirstValueTests/nilIsAValue()
// fails: FirstValueTests/cancellingTheTaskThrowsAtOnce()
// fails: FirstValueXCTests/testCancellingTheTaskCancelsTheUpstream
// fails: FirstValueTests/aTaskThatIsCancelledBeforehandDoesNotHang()
// fails: FirstValueTests/aTaskThatIsCancelledBeforehandLeavesNoSubscription()
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/nothingIsKeptAliveAfterCancelling()
// fails: FirstValueTests/aCancellationAsTheWaitBeginsEndsIt()
// fails: FirstValueTests/nothingIsKeptAliveAfterAFailure()
// fails: FirstValueTests/aPublisherThatEndsAtOnceThrows()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/throwingValueOfASynchronousPublisher() synchronous.twice
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                var cancellable: AnyCancellable?
                cancellable = self.first()
                    .sink { value in
                        continuation.resume(returning: value)
                        cancellable?.cancel()
                    }
            }
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                var cancellable: AnyCancellable?
                cancellable = sink(
                    receiveCompletion: { completion in
                        if case .failure(let error) = completion {
                            continuation.resume(throwing: error)
                        }
                        cancellable?.cancel()
                    },
                    receiveValue: { value in
                        continuation.resume(returning: value)
                    }
                )
            }
        }
    }
}
