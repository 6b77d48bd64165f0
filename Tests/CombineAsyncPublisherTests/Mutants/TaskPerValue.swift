// mutant: each value is yielded in a task of its own, so that the end overtakes the values
// fails: CombineAsyncPublisherTests/whatIsBufferedComesBeforeTheEnd()
// fails: CombineAsyncPublisherTests/valuesSentDuringTheSubscriptionAreKept()
// fails: CombineAsyncPublisherTests/aSecondLoopBeginsAnew()
// fails: CombineAsyncPublisherTests/whatHasFinishedIsReleased()
// fails: CombineAsyncPublisherTests/valuesThatComeTogetherKeepTheirOrder()
// hint: CombineAsyncPublisherTests/valuesThatComeTogetherKeepTheirOrder() together
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
            receiveValue: { value in Task { continuation.yield(value) } })
        continuation.onTermination = { _ in subscription.cancel() }
        return stream.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
