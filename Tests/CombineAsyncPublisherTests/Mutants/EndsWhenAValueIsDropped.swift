// mutant: `if case .dropped = continuation.yield(value) { continuation.finish() }`
// fails: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest()
// hint: CombineAsyncPublisherTests/bufferingNewestKeepsTheNewest() general.droppedIsNoEnd
import Combine

/// The values of a publisher as an asynchronous sequence, buffered while the loop is busy.
///
/// Each iterator has a subscription and a buffer of its own. The subscription ends with whatever ends first: the publisher,
/// the task of the loop, or the iterator.
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
            // `sink` asks for everything: what is too much is for the policy to drop, not for the publisher to hold back.
            let subscription = upstream.sink(
                receiveCompletion: { _ in continuation.finish() },
                receiveValue: { value in
                    if case .dropped = continuation.yield(value) { continuation.finish() }
                })
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
