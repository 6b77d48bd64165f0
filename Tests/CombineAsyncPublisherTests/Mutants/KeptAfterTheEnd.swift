// mutant: a list keeps each subscription that is not cancelled
// fails: CombineAsyncPublisherTests/whatHasFinishedIsReleased()
// hint: CombineAsyncPublisherTests/whatHasFinishedIsReleased() releasedEnd
import Combine

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

    public func makeAsyncIterator() -> AsyncStream<P.Output>.Iterator {
        let (stream, continuation) = AsyncStream<P.Output>.makeStream(bufferingPolicy: bufferingPolicy)
        let subscription = upstream.sink(
            receiveCompletion: { _ in continuation.finish() },
            receiveValue: { value in continuation.yield(value) })
        let pipeline = upstream
        kept.append(pipeline)
        continuation.onTermination = { reason in
            subscription.cancel()
            if case .cancelled = reason { kept.removeAll() }
        }
        return stream.makeAsyncIterator()
    }
}

nonisolated(unsafe) private var kept: [Any] = []

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
