// mutant: the sequence keeps the subscription, so that the next iterator replaces it
// fails: CombineAsyncPublisherTests/twoLoopsEachGetEveryValue()
// hint: CombineAsyncPublisherTests/twoLoopsEachGetEveryValue() twoLoops.replaced
import Combine

public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private final class Place {
        var subscription: AnyCancellable?
    }

    private let place = Place()
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
            place.subscription = upstream.sink(
                receiveCompletion: { _ in continuation.finish() },
                receiveValue: { continuation.yield($0) })
            continuation.onTermination = { [place] _ in place.subscription = nil }
        }
        return stream.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
