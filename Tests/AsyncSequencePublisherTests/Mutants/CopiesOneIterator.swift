// mutant: the publisher makes the iterator, and each subscriber gets a copy of it
// fails: AsyncSequencePublisherTests/eachSubscriberHasAnIterationOfItsOwn()
// hint: AsyncSequencePublisherTests/eachSubscriberHasAnIterationOfItsOwn() ownIteration
import Combine

/// The elements of an asynchronous sequence as a publisher.
///
/// Demand pulls: each unit of demand is one call of `next()`, so nothing is fetched ahead and nothing has to be buffered.
/// Each subscriber has an iteration of its own, which ends with the sequence or with the subscription.
public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let iterator: S.AsyncIterator

    public init(_ sequence: S) {
        iterator = sequence.makeAsyncIterator()
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        // Requests come from any thread, also from inside `receive(_:)`. They go into a stream that one task reads. Only this
        // task knows the iterator, the demand and the subscriber, so nothing needs a lock.
        let (requests, continuation) = AsyncStream<Subscribers.Demand>.makeStream()
        let task = Task { [iterator] in
            do {
                try await deliver(iterator, to: subscriber, asRequestedBy: requests)
            } catch  where !Task.isCancelled {
                subscriber.receive(completion: .failure(error))
            } catch {}  // who has cancelled is told nothing more
        }
        subscriber.receive(subscription: Iteration(task: task, requests: continuation))
    }
}

extension AsyncSequence {
    /// The elements of this sequence, for a Combine pipeline.
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

/// Calls `next()` once for each unit of demand, until the sequence ends or the task is cancelled.
private func deliver<Iterator: AsyncIteratorProtocol, Sub: Subscriber>(
    _ iterator: Iterator, to subscriber: Sub, asRequestedBy requests: AsyncStream<Subscribers.Demand>
) async throws where Sub.Input == Iterator.Element {
    var iterator = iterator
    for await request in requests {
        var demand = request
        while demand > .none {
            let element = try await iterator.next()
            try Task.checkCancellation()
            guard let element else { return subscriber.receive(completion: .finished) }
            demand -= .max(1)
            demand += subscriber.receive(element)
            try Task.checkCancellation()
        }
    }
}

/// What the subscriber holds: it reaches the task, and keeps neither the sequence nor the subscriber alive.
private final class Iteration: Subscription {
    private let task: Task<Void, Never>
    private let requests: AsyncStream<Subscribers.Demand>.Continuation

    init(task: Task<Void, Never>, requests: AsyncStream<Subscribers.Demand>.Continuation) {
        self.task = task
        self.requests = requests
    }

    func request(_ demand: Subscribers.Demand) {
        requests.yield(demand)
    }

    func cancel() {
        task.cancel()
    }

    deinit {
        // Nobody can ask any more: what was asked for is delivered, and the task ends.
        requests.finish()
    }
}
