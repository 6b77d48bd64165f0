// mutant: one subscription for the value and one for the completion
// fails: FirstValueTests/theSubscriptionLastsUntilTheValue()
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// fails: FirstValueTests/nothingIsKeptAliveAfterAFailure()
// fails: FirstValueTests/nothingIsKeptAliveAfterCancelling()
// hint: FirstValueTests/theSubscriptionLastsUntilTheValue() general.extraSubscription
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
    private var cancellables: [AnyCancellable] = []
    private var isOver = false

    func start<P: Publisher>(_ publisher: P, _ waiter: @escaping (Result<Value, Error>) -> Void)
    where P.Output == Value, P.Failure == Failure {
        let isCancelled = lock.withLock {
            if !isOver { self.waiter = waiter }
            return isOver
        }
        if isCancelled { return waiter(.failure(CancellationError())) }
        keep(publisher.first().sink(receiveCompletion: { _ in }, receiveValue: { self.end(.success($0)) }))
        if lock.withLock({ isOver }) { return }
        keep(
            publisher.sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: self.end(.failure(FirstValueError.finishedWithoutValue))
                    case .failure(let error): self.end(.failure(error))
                    }
                }, receiveValue: { _ in }))
    }

    private func keep(_ cancellable: AnyCancellable) {
        let isLate = lock.withLock {
            if !isOver { cancellables.append(cancellable) }
            return isOver
        }
        if isLate { cancellable.cancel() }
    }

    func cancel() {
        end(.failure(CancellationError()))
    }

    private func end(_ result: Result<Value, Error>) {
        let (waiter, cancellables) = lock.withLock {
            isOver = true
            defer { self.cancellables = [] }
            return (self.waiter.take(), self.cancellables)
        }
        cancellables.forEach { $0.cancel() }
        waiter?(result)
    }
}

extension Optional {
    fileprivate mutating func take() -> Wrapped? {
        defer { self = nil }
        return self
    }
}
