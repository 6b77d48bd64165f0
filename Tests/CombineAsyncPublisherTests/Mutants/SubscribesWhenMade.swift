// mutant: the subscription is made with the sequence, and a subject passes the values on to each loop
// fails: CombineAsyncPublisherTests/nothingIsSubscribedBeforeTheIterator()
// fails: CombineAsyncPublisherTests/aSecondLoopBeginsAnew()
// hint: CombineAsyncPublisherTests/nothingIsSubscribedBeforeTheIterator() notBefore
import Combine

public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let upstream = PassthroughSubject<P.Output, Never>()
    private let subscription: AnyCancellable
    private let bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        subscription = upstream.subscribe(self.upstream)
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> AsyncStream<P.Output>.Iterator {
        let (stream, continuation) = AsyncStream<P.Output>.makeStream(bufferingPolicy: bufferingPolicy)
        let outer = self.subscription
        let subscription = upstream.sink(
            receiveCompletion: { _ in continuation.finish() },
            receiveValue: { value in continuation.yield(value) })
        continuation.onTermination = { _ in
            subscription.cancel()
            outer.cancel()
        }
        return stream.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
