// mutant: waits for continuations that nobody resumes
// fails: FirstValueTests/aValueIsAskedFor()
// fails: FirstValueTests/firstValueOfASynchronousPublisher()
// fails: FirstValueTests/throwingValueOfASynchronousPublisher()
// fails: FirstValueTests/theSubscriptionLastsUntilTheValue()
// fails: FirstValueTests/firstValueThatComesLater()
// fails: FirstValueTests/firstValueFromAnotherThread()
// fails: FirstValueTests/upstreamIsCancelledAfterTheValue()
// fails: FirstValueTests/throwingValueThatComesLater()
// fails: FirstValueXCTests/testFailureIsThrown
// fails: FirstValueXCTests/testUpstreamIsCancelledAfterTheThrowingValue
// fails: FirstValueXCTests/testFinishingWithoutAValueThrows
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
// fails: FirstValueTests/nothingIsKeptAliveAfterAFailure()
// fails: FirstValueTests/nothingIsKeptAliveAfterCancelling()
// fails: FirstValueTests/aCancellationAsTheWaitBeginsEndsIt()
// fails: FirstValueTests/aPublisherThatEndsAtOnceThrows()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/aValueIsAskedFor() asks
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withUnsafeContinuation { continuation in _ = continuation }
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            try await withUnsafeThrowingContinuation { _ in }
        }
    }
}
