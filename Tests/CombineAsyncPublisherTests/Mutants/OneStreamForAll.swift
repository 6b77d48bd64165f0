// mutant: one stream serves all loops, which take the values away from each other
// fails: CombineAsyncPublisherTests/twoLoopsEachGetEveryValue()
// fails: CombineAsyncPublisherTests/aSecondLoopBeginsAnew()
// hint: CombineAsyncPublisherTests/twoLoopsEachGetEveryValue() twoLoops
import Combine

public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let shared: Shared<P>

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        shared = Shared(upstream, bufferingPolicy)
    }

    public func makeAsyncIterator() -> AsyncStream<P.Output>.Iterator {
        shared.stream.makeAsyncIterator()
    }
}

private final class Shared<P: Publisher> where P.Failure == Never {
    let upstream: P
    let policy: AsyncStream<P.Output>.Continuation.BufferingPolicy

    init(_ upstream: P, _ policy: AsyncStream<P.Output>.Continuation.BufferingPolicy) {
        self.upstream = upstream
        self.policy = policy
    }

    lazy var stream: AsyncStream<P.Output> = {
        let (stream, continuation) = AsyncStream<P.Output>.makeStream(bufferingPolicy: policy)
        let subscription = upstream.sink(
            receiveCompletion: { _ in continuation.finish() },
            receiveValue: { value in continuation.yield(value) })
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }()
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
