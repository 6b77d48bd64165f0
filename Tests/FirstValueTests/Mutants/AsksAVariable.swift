// mutant: asks a variable again and again whether something has come, without a lock
// fails: FirstValueTests/aWaitBlocksNoThread()
// fails: FirstValueTests/aRaceOfThreadsResumesOnce()
// fails: FirstValueTests/aValueAndACancellationResumeOnce()
// fails: FirstValueTests/aValueAsTheWaitBeginsArrives()
// may fail: FirstValueTests/firstValueFromAnotherThread()
// hint: FirstValueTests/aWaitBlocksNoThread() blocks.polls
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            var result: Result<Output, any Error>?
            let cancellable = first().sink { result = .success($0) }
            defer { cancellable.cancel() }
            while true {
                if case .success(let value) = result { return value }
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            var result: Result<Output, any Error>?
            let cancellable = first().sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: result = result ?? .failure(FirstValueError.finishedWithoutValue)
                    case .failure(let error): result = .failure(error)
                    }
                }, receiveValue: { result = .success($0) })
            defer { cancellable.cancel() }
            while true {
                if let result { return try result.get() }
                try Task.checkCancellation()
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
    }
}
