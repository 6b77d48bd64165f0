// mutant: waits for continuations that nobody resumes
// fails: FirstValueTests/firstValueOfASynchronousPublisher()
// fails: FirstValueTests/firstValueThatComesLater()
// fails: FirstValueTests/firstValueFromAnotherThread()
// fails: FirstValueTests/upstreamIsCancelledAfterTheValue()
// fails: FirstValueTests/throwingValueOfASynchronousPublisher()
// fails: FirstValueTests/throwingValueThatComesLater()
// fails: FirstValueXCTests/testFailureIsThrown
// fails: FirstValueXCTests/testUpstreamIsCancelledAfterTheThrowingValue
// fails: FirstValueXCTests/testFinishingWithoutAValueThrows
// fails: FirstValueTests/cancellingTheTaskThrowsAtOnce()
// fails: FirstValueXCTests/testCancellingTheTaskCancelsTheUpstream
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/nothingIsKeptAlive()
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withUnsafeContinuation { _ in }
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
