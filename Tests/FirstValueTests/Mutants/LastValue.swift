// mutant: waits for the last value
// fails: FirstValueTests/firstValueOfASynchronousPublisher()
// fails: FirstValueTests/firstValueThatComesLater()
// fails: FirstValueTests/firstValueFromAnotherThread()
// fails: FirstValueTests/upstreamIsCancelledAfterTheValue()
// fails: FirstValueTests/anUpstreamThatSendsAtOnceIsCancelled()
// fails: FirstValueTests/nilIsAValue()
// fails: FirstValueTests/severalTasksWaitForOnePublisher()
// fails: FirstValueTests/aWaitBlocksNoThread()
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/firstValueOfASynchronousPublisher() synchronous.other
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                var cancellable: AnyCancellable?
                cancellable = self.last()
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
            for try await value in first().values {
                return value
            }
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}
