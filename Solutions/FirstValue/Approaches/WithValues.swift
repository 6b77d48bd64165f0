// right: a loop over the values of a publisher that ends after the first
import Combine

public enum FirstValueError: Error, Equatable {
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    public var firstValue: Output {
        get async {
            for await value in first().values {
                return value
            }
            preconditionFailure("a publisher that sends no value has no first one")
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
