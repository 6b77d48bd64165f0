// mutant: the subscription is made by the first call of next()
// fails: CombineAsyncPublisherTests/makingTheIteratorSubscribes()
// fails: CombineAsyncPublisherTests/valuesSentBeforeTheFirstNextAreKept()
// hint: CombineAsyncPublisherTests/makingTheIteratorSubscribes() subscribes
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
        Iterator(start: start)
    }

    public struct Iterator: AsyncIteratorProtocol {
        let start: () -> AsyncStream<P.Output>.Iterator
        var iterator: AsyncStream<P.Output>.Iterator?

        public mutating func next() async -> P.Output? {
            var iterator = self.iterator ?? start()
            let value = await iterator.next()
            self.iterator = iterator
            return value
        }
    }

    private func start() -> AsyncStream<P.Output>.Iterator {
        let (stream, continuation) = AsyncStream<P.Output>.makeStream(bufferingPolicy: bufferingPolicy)
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
