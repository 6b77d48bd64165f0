// mutant: the buffer keeps the newest value only, as for a state that replaces the one before
// fails: CombineAsyncPublisherTests/anUnboundedBufferKeepsEverything()
// fails: CombineAsyncPublisherTests/bufferingOldestKeepsTheOldest()
// fails: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest()
// fails: CombineAsyncPublisherTests/whatIsBufferedComesBeforeTheEnd()
// fails: CombineAsyncPublisherTests/valuesSentDuringTheSubscriptionAreKept()
// fails: CombineAsyncPublisherTests/aSecondLoopBeginsAnew()
// fails: CombineAsyncPublisherTests/valuesSentBeforeTheFirstNextAreKept()
// fails: CombineAsyncPublisherTests/valuesThatComeTogetherKeepTheirOrder()
// fails: CombineAsyncPublisherTests/valuesFromSeveralThreadsAreAllReceived()
// hint: CombineAsyncPublisherTests/anUnboundedBufferKeepsEverything() unbounded
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
        let (stream, continuation) = AsyncStream<P.Output>.makeStream(bufferingPolicy: .bufferingNewest(1))
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
