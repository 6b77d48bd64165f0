// mutant: a list keeps each pipeline that has not finished
// fails: CombineAsyncPublisherXCTests/testWhatIsCancelledIsReleased
// fails: CombineAsyncPublisherXCTests/testWhatIsDroppedIsReleased
// hint: CombineAsyncPublisherXCTests/testWhatIsCancelledIsReleased releasedCancelled
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
            receiveCompletion: { _ in continuation.finish() },
            receiveValue: { value in continuation.yield(value) })
        let pipeline = upstream
        kept.append(pipeline)
        continuation.onTermination = { reason in
            subscription.cancel()
            if case .finished = reason { kept.removeAll() }
        }
        return stream.makeAsyncIterator()
    }
}

nonisolated(unsafe) private var kept: [Any] = []

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
