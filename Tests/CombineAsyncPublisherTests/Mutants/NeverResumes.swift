// mutant: next() waits in a continuation that nobody resumes
// fails: CombineAsyncPublisherTests/aValueThatComesJustBeforeTheWaitIsReceived()
// fails: CombineAsyncPublisherTests/valuesComeInOrder()
// fails: CombineAsyncPublisherTests/anUnboundedBufferKeepsEverything()
// fails: CombineAsyncPublisherTests/bufferingOldestKeepsTheOldest()
// fails: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest()
// fails: CombineAsyncPublisherXCTests/testCancellingTheTaskCancelsTheUpstream
// fails: CombineAsyncPublisherXCTests/testDroppingTheIteratorCancelsTheUpstream
// fails: CombineAsyncPublisherTests/theLoopEndsWithThePublisher()
// fails: CombineAsyncPublisherTests/whatIsBufferedComesBeforeTheEnd()
// fails: CombineAsyncPublisherTests/nextAfterTheEndReturnsNil()
// fails: CombineAsyncPublisherTests/twoLoopsEachGetEveryValue()
// fails: CombineAsyncPublisherTests/valuesSentDuringTheSubscriptionAreKept()
// fails: CombineAsyncPublisherTests/aSecondLoopBeginsAnew()
// fails: CombineAsyncPublisherTests/nilIsAValueLikeAnyOther()
// fails: CombineAsyncPublisherTests/cancellingTheTaskEndsTheLoop()
// fails: CombineAsyncPublisherTests/aLoopInACancelledTaskEnds()
// fails: CombineAsyncPublisherTests/valuesFromSeveralThreadsAreAllReceived()
// fails: CombineAsyncPublisherTests/aValueAndACancellationMayMeet()
// fails: CombineAsyncPublisherTests/whatHasFinishedIsReleased()
// fails: CombineAsyncPublisherXCTests/testWhatIsCancelledIsReleased
// fails: CombineAsyncPublisherXCTests/testWhatIsDroppedIsReleased
// fails: CombineAsyncPublisherTests/valuesSentBeforeTheFirstNextAreKept()
// fails: CombineAsyncPublisherTests/valuesThatComeTogetherKeepTheirOrder()
// fails: CombineAsyncPublisherTests/theUpstreamIsCancelledAlthoughTheIteratorStays()
// hint: CombineAsyncPublisherTests/valuesComeInOrder() order.nothing
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

    public func makeAsyncIterator() -> Iterator {
        let (stream, continuation) = AsyncStream<P.Output>.makeStream(bufferingPolicy: bufferingPolicy)
        let subscription = upstream.sink(
            receiveCompletion: { _ in continuation.finish() },
            receiveValue: { value in continuation.yield(value) })
        continuation.onTermination = { _ in subscription.cancel() }
        return Iterator(stream: stream)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let stream: AsyncStream<P.Output>

        public mutating func next() async -> P.Output? {
            await withUnsafeContinuation { (_: UnsafeContinuation<P.Output?, Never>) in }
        }
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
