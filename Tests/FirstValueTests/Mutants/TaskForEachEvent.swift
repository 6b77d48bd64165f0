// mutant: brings each event to an actor in a task of its own, so that the completion may come first
// fails: FirstValueTests/firstValueFromAnotherThread()
// fails: FirstValueTests/theCompletionDoesNotOvertakeTheValue()
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/aValueAndACancellationResumeOnce()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// hint: FirstValueTests/firstValueFromAnotherThread() overtakes
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async { try! await firstOfEvents() }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws { try await firstOfEvents() }
    }

    fileprivate func firstOfEvents() async throws -> Output {
        let letterbox = Letterbox<Output>()
        let subscription = first().sink(
            receiveCompletion: { completion in
                Task {
                    if case .failure(let error) = completion {
                        await letterbox.put(.failure(error))
                    } else {
                        await letterbox.put(.failure(FirstValueError.finishedWithoutValue))
                    }
                }
            },
            receiveValue: { value in Task { await letterbox.put(.success(value)) } })
        defer { subscription.cancel() }
        return try await withTaskCancellationHandler {
            try await letterbox.result()
        } onCancel: {
            subscription.cancel()
            Task { await letterbox.put(.failure(CancellationError())) }
        }
    }
}

private actor Letterbox<Value> {
    private var content: Result<Value, any Error>?
    private var reader: CheckedContinuation<Value, any Error>?

    func put(_ result: Result<Value, any Error>) {
        guard content == nil else { return }
        content = result
        reader?.resume(with: result)
        reader = nil
    }

    func result() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            if let content { continuation.resume(with: content) } else { reader = continuation }
        }
    }
}
