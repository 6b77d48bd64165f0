// mutant: subscribes once for the values and once for the end, and both pass values on
// fails: CombineAsyncPublisherTests/valuesComeInOrder()
// fails: CombineAsyncPublisherTests/anUnboundedBufferKeepsEverything()
// fails: CombineAsyncPublisherTests/valuesThatComeTogetherKeepTheirOrder()
// fails: CombineAsyncPublisherTests/bufferingOldestKeepsTheOldest()
// fails: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest()
// fails: CombineAsyncPublisherTests/whatIsBufferedComesBeforeTheEnd()
// fails: CombineAsyncPublisherTests/nextAfterTheEndReturnsNil()
// fails: CombineAsyncPublisherTests/makingTheIteratorSubscribes()
// fails: CombineAsyncPublisherTests/valuesSentBeforeTheFirstNextAreKept()
// fails: CombineAsyncPublisherTests/twoLoopsEachGetEveryValue()
// fails: CombineAsyncPublisherTests/valuesSentDuringTheSubscriptionAreKept()
// fails: CombineAsyncPublisherTests/aSecondLoopBeginsAnew()
// fails: CombineAsyncPublisherTests/nilIsAValueLikeAnyOther()
// fails: CombineAsyncPublisherTests/whatHasFinishedIsReleased()
// fails: CombineAsyncPublisherTests/aValueThatComesJustBeforeTheWaitIsReceived()
// fails: CombineAsyncPublisherTests/valuesFromSeveralThreadsAreAllReceived()
// hint: CombineAsyncPublisherTests/valuesComeInOrder() order.extra
import Combine

public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let upstream: P
    private let bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        self.upstream = upstream
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
        let stream = AsyncStream(Element.self, bufferingPolicy: bufferingPolicy) { continuation in
            let values = upstream.sink { continuation.yield($0) }
            let subscription = upstream.sink(
                receiveCompletion: { _ in continuation.finish() },
                receiveValue: { continuation.yield($0) })
            continuation.onTermination = { _ in
                values.cancel()
                subscription.cancel()
            }
        }
        return stream.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
