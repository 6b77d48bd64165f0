// mutant: leaves a loop over the publisher's values, which still asks for nothing but is there
// fails: FirstValueTests/upstreamIsCancelledAfterTheValue()
// fails: FirstValueXCTests/testUpstreamIsCancelledAfterTheThrowingValue
// fails: FirstValueTests/anUpstreamThatSendsAtOnceIsCancelled()
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/upstreamIsCancelledAfterTheValue() upstream
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            for await value in values {
                return value
            }
            preconditionFailure("a publisher that sends no value has no first one")
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            for try await value in values {
                return value
            }
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}
