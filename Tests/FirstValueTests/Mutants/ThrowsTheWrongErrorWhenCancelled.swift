// mutant: `onCancel` resumes with `finishedWithoutValue`
// fails: FirstValueTests/cancellingTheTaskThrowsAtOnce()
// fails: FirstValueTests/aValueAndACancellationResumeOnce()
// fails: FirstValueTests/aCancellationAsTheWaitBeginsEndsIt()
// hint: FirstValueTests/cancellingTheTaskThrowsAtOnce() cancellation.handler
import Combine
import Foundation

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                Box<Output, Never>().start(self) { result in
                    if case .success(let value) = result { continuation.resume(returning: value) }
                }
            }
        }
    }
}

extension Publisher {
    public var firstValueThrowing: Output {
        get async throws {
            let box = Box<Output, Failure>()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    box.start(self) { continuation.resume(with: $0) }
                }
            } onCancel: {
                box.cancel()
            }
        }
    }
}

private final class Box<Value, Failure: Error>: @unchecked Sendable {
    private let lock = NSLock()
    private var waiter: ((Result<Value, Error>) -> Void)?
    private var cancellable: AnyCancellable?
    private var isOver = false

    func start<P: Publisher>(_ publisher: P, _ waiter: @escaping (Result<Value, Error>) -> Void)
    where P.Output == Value, P.Failure == Failure {
        let isCancelled = lock.withLock {
            if !isOver { self.waiter = waiter }
            return isOver
        }
        if isCancelled { return waiter(.failure(CancellationError())) }
        let cancellable = publisher.first().sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: self.end(.failure(FirstValueError.finishedWithoutValue))
                case .failure(let error): self.end(.failure(error))
                }
            }, receiveValue: { self.end(.success($0)) })
        let isLate = lock.withLock {
            if !isOver { self.cancellable = cancellable }
            return isOver
        }
        if isLate { cancellable.cancel() }
    }

    func cancel() {
        end(.failure(FirstValueError.finishedWithoutValue))
    }

    private func end(_ result: Result<Value, Error>) {
        let (waiter, cancellable) = lock.withLock {
            isOver = true
            return (self.waiter.take(), self.cancellable.take())
        }
        cancellable?.cancel()
        waiter?(result)
    }
}

extension Optional {
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
