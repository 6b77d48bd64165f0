// mutant: does not keep the subscription
// fails: FirstValueTests/theSubscriptionLastsUntilTheValue()
// fails: FirstValueTests/firstValueThatComesLater()
// fails: FirstValueTests/firstValueFromAnotherThread()
// fails: FirstValueTests/nilIsAValue()
// fails: FirstValueTests/severalTasksWaitForOnePublisher()
// fails: FirstValueTests/aWaitBlocksNoThread()
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/theSubscriptionLastsUntilTheValue() kept
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                _ = first().sink { continuation.resume(returning: $0) }
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
