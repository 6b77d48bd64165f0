import Combine
import Foundation

/// The values of a publisher as an asynchronous sequence.
public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let upstream: P
    private let bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        self.upstream = upstream
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> Iterator {
        // Write this function. You may return an iterator of another type.
        Iterator()
    }

    public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async -> P.Output? {
            // Write this function.
            nil
        }
    }
}

extension Publisher where Failure == Never {
    /// The values of this publisher, for `for await`.
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
