// mutant: `firstValueThrowing` waits in an unstructured task, so cancelling the caller does not reach the wait
// fails: FirstValueTests/cancellingTheTaskThrowsAtOnce()
// fails: FirstValueXCTests/testCancellingTheTaskCancelsTheUpstream
// fails: FirstValueTests/aCancellationAsTheWaitBeginsEndsIt()
// fails: FirstValueTests/nothingIsKeptAliveAfterCancelling()
// hint: FirstValueTests/cancellingTheTaskThrowsAtOnce() general.taskValue
import Combine
import Foundation

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    /// The first value that the publisher sends.
    public var firstValue: Output {
        get async {
            let publisher = self
            // A task of its own is not cancelled with the caller.
            let task = Task { () -> Output in
                for await value in publisher.first().values {
                    return value
                }
                preconditionFailure("The publisher has finished without a value.")
            }
            return await task.value
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    public var firstValueThrowing: Output {
        get async throws {
            try Task.checkCancellation()
            let publisher = self
            let task = Task { () -> Output in
                for try await value in publisher.first().values {
                    return value
                }
                try Task.checkCancellation()
                throw FirstValueError.finishedWithoutValue
            }
            return try await task.value
        }
    }
}
