// mutant: keeps every publisher and its subscription, so that neither goes too early
// fails: FirstValueTests/nothingIsKeptAliveAfterTheValue()
// hint: FirstValueTests/nothingIsKeptAliveAfterTheValue() general.global
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            await withCheckedContinuation { continuation in
                let cancellable = first().sink { continuation.resume(returning: $0) }
                kept.append((self, cancellable))
            }
        }
    }
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

private nonisolated(unsafe) var kept: [(publisher: Any, cancellable: AnyCancellable)] = []
