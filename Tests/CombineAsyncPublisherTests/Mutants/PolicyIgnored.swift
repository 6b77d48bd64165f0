// mutant: the buffer is unbounded whatever the caller says
// fails: CombineAsyncPublisherTests/bufferingOldestKeepsTheOldest()
// fails: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest()
// hint: CombineAsyncPublisherTests/bufferingOldestKeepsTheOldest() policy.extra
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
        let (stream, continuation) = AsyncStream<P.Output>.makeStream()
        let subscription = upstream.sink(
            receiveCompletion: { _ in continuation.finish() },
            receiveValue: { value in continuation.yield(value) })
        continuation.onTermination = { _ in subscription.cancel() }
        return stream.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
