// mutant: nothing tells the subscription that nobody reads any more
// fails: CombineAsyncPublisherXCTests/testCancellingTheTaskCancelsTheUpstream
// fails: CombineAsyncPublisherXCTests/testDroppingTheIteratorCancelsTheUpstream
// fails: CombineAsyncPublisherXCTests/testWhatIsCancelledIsReleased
// fails: CombineAsyncPublisherXCTests/testWhatIsDroppedIsReleased
// fails: CombineAsyncPublisherTests/theUpstreamIsCancelledAlthoughTheIteratorStays()
// hint: CombineAsyncPublisherXCTests/testCancellingTheTaskCancelsTheUpstream cancelTask
import Combine

private var subscriptions: [AnyCancellable] = []

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
        continuation.onTermination = { _ in }
        subscriptions.append(subscription)
        return stream.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
