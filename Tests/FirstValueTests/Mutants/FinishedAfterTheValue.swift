// mutant: takes the completion that follows the value for an end without one
// fails: FirstValueTests/throwingValueOfASynchronousPublisher()
// fails: FirstValueTests/theSubscriptionLastsUntilTheValue()
// fails: FirstValueTests/throwingValueThatComesLater()
// fails: FirstValueXCTests/testUpstreamIsCancelledAfterTheThrowingValue
// fails: FirstValueTests/anUpstreamThatSendsAtOnceIsCancelled()
// fails: FirstValueTests/nilIsAValue()
// fails: FirstValueTests/theCompletionDoesNotOvertakeTheValue()
// fails: FirstValueTests/severalTasksWaitForOnePublisher()
// fails: FirstValueTests/aWaitBlocksNoThread()
// fails: FirstValueTests/cancellingTheTaskThrowsAtOnce()
// fails: FirstValueXCTests/testCancellingTheTaskCancelsTheUpstream
// fails: FirstValueTests/aTaskThatIsCancelledBeforehandDoesNotHang()
// fails: FirstValueTests/aTaskThatIsCancelledBeforehandLeavesNoSubscription()
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/aValueAndACancellationResumeOnce()
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/nothingIsKeptAliveAfterCancelling()
// fails: FirstValueTests/aCancellationAsTheWaitBeginsEndsIt()
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
                cancellable = self.first()
                    .sink(
                        receiveCompletion: { completion in
                            switch completion {
                            case .finished: continuation.resume(throwing: FirstValueError.finishedWithoutValue)
                            case .failure(let error): continuation.resume(throwing: error)
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
