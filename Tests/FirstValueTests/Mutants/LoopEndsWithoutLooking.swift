// mutant: takes the end of a cancelled loop for the end of the publisher
// fails: FirstValueTests/cancellingTheTaskThrowsAtOnce()
// fails: FirstValueTests/aCancellationAsTheWaitBeginsEndsIt()
// fails: FirstValueTests/aValueAndACancellationResumeOnce()
// hint: FirstValueTests/cancellingTheTaskThrowsAtOnce() cancellation.other
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            for await value in first().values {
                return value
            }
            preconditionFailure("a publisher that sends no value has no first one")
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            for try await value in first().values {
                return value
            }
            throw FirstValueError.finishedWithoutValue
        }
    }
}
