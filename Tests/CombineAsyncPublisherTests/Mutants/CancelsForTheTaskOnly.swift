// mutant: only a cancelled task is looked at: an iterator that is dropped leaves its subscription behind
// fails: CombineAsyncPublisherXCTests/testDroppingTheIteratorCancelsTheUpstream
// fails: CombineAsyncPublisherXCTests/testWhatIsDroppedIsReleased
// hint: CombineAsyncPublisherXCTests/testDroppingTheIteratorCancelsTheUpstream dropIterator
import Combine

private var forgotten: [() -> Void] = []

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
        let iterator = stream.makeAsyncIterator()
        return Iterator(iterator: iterator, cancel: subscription.cancel)
    }

    public struct Iterator: AsyncIteratorProtocol {
        var iterator: AsyncStream<P.Output>.Iterator
        let cancel: () -> Void

        init(iterator: AsyncStream<P.Output>.Iterator, cancel: @escaping () -> Void) {
            self.iterator = iterator
            self.cancel = cancel
            forgotten.append(cancel)
        }

        public mutating func next() async -> P.Output? {
            let value = await iterator.next()
            if value == nil { cancel() }
            return value
        }
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
