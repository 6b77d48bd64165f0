// mutant: waits with a semaphore
// fails: FirstValueTests/aWaitBlocksNoThread()
// hint: FirstValueTests/aWaitBlocksNoThread() blocks
import Combine
import Dispatch

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            let box = Box(self)
            box.semaphore.wait()
            return box.value!
        }
    }
}

private final class Box<Value>: @unchecked Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    var value: Value?
    private var cancellable: AnyCancellable?

    init<P: Publisher>(_ publisher: P) where P.Output == Value, P.Failure == Never {
        cancellable = publisher.first().sink { [self] in
            value = $0
            semaphore.signal()
        }
    }
}

extension DispatchSemaphore {
    // The method of the same name cannot be called where code is asynchronous.
    fileprivate func wait() { _ = wait(timeout: .distantFuture) }
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
