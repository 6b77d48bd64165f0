// mutant: the completion of the publisher is not passed on
// fails: CombineAsyncPublisherTests/theLoopEndsWithThePublisher()
// fails: CombineAsyncPublisherTests/nextAfterTheEndReturnsNil()
// fails: CombineAsyncPublisherTests/aValueThatComesJustBeforeTheWaitIsReceived()
// hint: CombineAsyncPublisherTests/theLoopEndsWithThePublisher() end
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
            receiveCompletion: { _ in },
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
