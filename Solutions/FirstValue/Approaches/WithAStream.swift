// right: a stream that buffers the first value and cancels when it ends
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            let stream = AsyncStream<Output> { continuation in
                let cancellable = first().sink(
                    receiveCompletion: { _ in continuation.finish() }, receiveValue: { continuation.yield($0) })
                continuation.onTermination = { _ in cancellable.cancel() }
            }
            for await value in stream {
                return value
            }
            preconditionFailure("a publisher that sends no value has no first one")
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            let stream = AsyncThrowingStream<Output, Error> { continuation in
                let cancellable = first().sink(
                    receiveCompletion: { completion in
                        switch completion {
                        case .finished: continuation.finish()
                        case .failure(let error): continuation.finish(throwing: error)
                        }
                    }, receiveValue: { continuation.yield($0) })
                continuation.onTermination = { _ in cancellable.cancel() }
            }
            for try await value in stream {
                return value
            }
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}
