// mutant: the publisher's own `values`, which asks for one value at a time and has no buffer
// fails: CombineAsyncPublisherTests/anUnboundedBufferKeepsEverything()
// fails: CombineAsyncPublisherTests/bufferingOldestKeepsTheOldest()
// fails: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest()
// fails: CombineAsyncPublisherXCTests/testDroppingTheIteratorCancelsTheUpstream
// fails: CombineAsyncPublisherTests/whatIsBufferedComesBeforeTheEnd()
// fails: CombineAsyncPublisherTests/everythingIsAskedFor()
// fails: CombineAsyncPublisherXCTests/testWhatIsDroppedIsReleased
// fails: CombineAsyncPublisherTests/valuesSentBeforeTheFirstNextAreKept()
// fails: CombineAsyncPublisherTests/valuesThatComeTogetherKeepTheirOrder()
// fails: CombineAsyncPublisherTests/aValueThatComesJustBeforeTheWaitIsReceived()
// fails: CombineAsyncPublisherTests/valuesFromSeveralThreadsAreAllReceived()
// hint: CombineAsyncPublisherTests/anUnboundedBufferKeepsEverything() unbounded.demand
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

    public func makeAsyncIterator() -> AsyncPublisher<P>.AsyncIterator {
        upstream.values.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
