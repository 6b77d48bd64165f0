// mutant: keeps the continuation and the subscription in variables of the module
// fails: FirstValueTests/severalTasksWaitForOnePublisher()
// fails: FirstValueTests/aWaitBlocksNoThread()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/aWaitBlocksNoThread() several
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

private nonisolated(unsafe) var cancellable: AnyCancellable?

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                let subscription = first().sink { value in
                    continuation.resume(returning: value)
                    cancellable = nil
                }
                if !isSynchronous { cancellable = subscription }
            }
        }
    }

    /// Whether all of its values have been sent by now.
    private var isSynchronous: Bool { self is Publishers.Sequence<[Output], Never> }
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
