import Combine

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    /// The first value that the publisher sends. The publisher has to send one: there is no way to tell that it did not.
    public var firstValue: Output {
        get async {
            // A task of its own has no canceller: this property can answer with a value only.
            await Task {
                for await value in first().values { return value }
                preconditionFailure("firstValue needs a publisher that sends a value before it finishes.")
            }.value
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    ///
    /// Throws `FirstValueError.finishedWithoutValue` if the publisher finishes first, and `CancellationError` if the task is
    /// cancelled first.
    public var firstValueThrowing: Output {
        get async throws {
            for try await value in first().values { return value }
            // A loop over `values` also ends where its task is cancelled.
            try Task.checkCancellation()
            throw FirstValueError.finishedWithoutValue
        }
    }
}
