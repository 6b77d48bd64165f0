import Combine

/// The values of a publisher as an asynchronous sequence, buffered while the loop is busy.
///
/// Each iterator has a subscription and a buffer of its own. Values and the end reach the buffer through a `Delivery`. The
/// publisher is asked at once, as a subject would lose what it sends before, and what is cancelled is cancelled at once.
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
        let deliver = Delivery()
        let stream = AsyncStream(Element.self, bufferingPolicy: bufferingPolicy) { continuation in
            let subscription = upstream.sink(
                receiveCompletion: { _ in deliver { continuation.finish() } },
                receiveValue: { value in deliver { continuation.yield(value) } })
            continuation.onTermination = { _ in subscription.cancel() }
        }
        return stream.makeAsyncIterator()
    }
}

extension Publisher where Failure == Never {
    /// The values of this publisher, for `for await`.
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
