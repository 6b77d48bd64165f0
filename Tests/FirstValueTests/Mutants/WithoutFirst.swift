// mutant: cancels in the closure, which is too late for a second value that is already there
// fails: FirstValueTests/firstValueOfASynchronousPublisher()
// fails: FirstValueTests/anUpstreamThatSendsAtOnceIsCancelled()
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/firstValueOfASynchronousPublisher() synchronous.twice
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                var cancellable: AnyCancellable?
                cancellable = sink { value in
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
            for try await value in first().values {
                return value
            }
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}
