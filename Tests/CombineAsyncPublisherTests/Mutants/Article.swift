// mutant: the code of the article: it subscribes when it is made, shares one stream, and never ends
// fails: CombineAsyncPublisherTests/theLoopEndsWithThePublisher()
// fails: CombineAsyncPublisherTests/nextAfterTheEndReturnsNil()
// fails: CombineAsyncPublisherTests/nothingIsSubscribedBeforeTheIterator()
// fails: CombineAsyncPublisherTests/twoLoopsEachGetEveryValue()
// fails: CombineAsyncPublisherTests/aSecondLoopBeginsAnew()
// fails: CombineAsyncPublisherTests/theUpstreamIsCancelledAlthoughTheIteratorStays()
// fails: CombineAsyncPublisherTests/aValueThatComesJustBeforeTheWaitIsReceived()
// hint: CombineAsyncPublisherTests/theLoopEndsWithThePublisher() end
import Combine

public struct CombineAsyncPublisher<P>: AsyncSequence, AsyncIteratorProtocol where P: Publisher, P.Failure == Never {
    public typealias Element = P.Output
    public typealias AsyncIterator = CombineAsyncPublisher<P>

    public func makeAsyncIterator() -> Self {
        return self
    }

    private let stream: AsyncStream<P.Output>
    private var iterator: AsyncStream<P.Output>.Iterator
    private var cancellable: AnyCancellable?

    public init(_ upstream: P, bufferingPolicy limit: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded) {
        var subscription: AnyCancellable?
        stream = AsyncStream<P.Output>(P.Output.self, bufferingPolicy: limit) { continuation in
            subscription = upstream
                .sink(receiveValue: { value in
                    continuation.yield(value)
                })
        }
        cancellable = subscription
        iterator = stream.makeAsyncIterator()
    }

    public mutating func next() async -> P.Output? {
        await iterator.next()
    }
}

public extension Publisher where Self.Failure == Never {
    var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
