import Combine
import Foundation

/// Why there is no first value.
public enum FirstValueError: Error, Equatable {
    /// The publisher has finished, and has not sent a value.
    case finishedWithoutValue
}

extension Publisher where Failure == Never {
    /// The first value that the publisher sends.
    public var firstValue: Output {
        get async {
            // Write this property. A continuation that nobody resumes waits forever.
            await withUnsafeContinuation { _ in }
        }
    }
}

extension Publisher {
    /// The first value that the publisher sends, or the error that it fails with.
    public var firstValueThrowing: Output {
        get async throws {
            // Write this property.
            throw NotWrittenYet()
        }
    }
}

/// What the starting code throws. Delete it when you no longer need it.
struct NotWrittenYet: Error {}
