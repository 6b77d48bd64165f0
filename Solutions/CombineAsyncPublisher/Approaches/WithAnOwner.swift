// right: an iterator that owns its subscription, and a cancellation handler around each step
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
        Iterator(upstream, bufferingPolicy)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private var values: AsyncStream<P.Output>.Iterator
        private let subscription: AnyCancellable

        init(_ upstream: P, _ bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy) {
            let (stream, continuation) = AsyncStream<P.Output>.makeStream(bufferingPolicy: bufferingPolicy)
            values = stream.makeAsyncIterator()
            subscription =
                upstream
                .handleEvents(
                    receiveOutput: { continuation.yield($0) }, receiveCompletion: { _ in continuation.finish() }
                )
                .sink { _ in }
        }

        public mutating func next() async -> P.Output? {
            await withTaskCancellationHandler {
                await values.next()
            } onCancel: { [subscription] in
                subscription.cancel()
            }
        }
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
