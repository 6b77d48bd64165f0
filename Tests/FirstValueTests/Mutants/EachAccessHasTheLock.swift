// mutant: each access to the state has the lock, and what is decided with it has not
// fails: FirstValueTests/aValueAndACancellationResumeOnce()
// fails: FirstValueTests/aCancellationAsTheWaitBeginsEndsIt()
// hint: FirstValueTests/aValueAndACancellationResumeOnce() raceCancel
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
    private let waiter = Guarded<((Result<Value, Error>) -> Void)?>(nil)
    private let cancellable = Guarded<AnyCancellable?>(nil)
    private let isOver = Guarded(false)

    func start<P: Publisher>(_ publisher: P, _ waiter: @escaping (Result<Value, Error>) -> Void)
    where P.Output == Value, P.Failure == Failure {
        self.waiter.value = waiter
        if isOver.value {
            self.waiter.value = nil
            return waiter(.failure(CancellationError()))
        }
        cancellable.value = publisher.first().sink(
            receiveCompletion: { completion in
                switch completion {
                case .finished: self.end(.failure(FirstValueError.finishedWithoutValue))
                case .failure(let error): self.end(.failure(error))
                }
            }, receiveValue: { self.end(.success($0)) })
        if isOver.value { cancellable.value = nil }
    }

    func cancel() {
        end(.failure(CancellationError()))
    }

    private func end(_ result: Result<Value, Error>) {
        isOver.value = true
        guard let waiter = waiter.value else { return }
        self.waiter.value = nil
        cancellable.value = nil
        waiter(result)
    }
}

private final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }
}
