import Combine
import Synchronization

/// The elements of an asynchronous sequence as a publisher.
///
/// Each unit of demand is one call of `next()`. Requests, elements and the end go through a `Delivery`; what is cancelled is
/// cancelled at once.
public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let sequence: S

    public init(_ sequence: S) {
        self.sequence = sequence
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        let (requests, continuation) = AsyncStream<Subscribers.Demand>.makeStream()
        let deliver = Delivery()
        let cancellation = Cancellation()
        let task = Task { [sequence] in
            var end: Subscribers.Completion<any Error>?
            do {
                let isFinished = try await sequence.pass(
                    to: subscriber, asRequestedBy: requests, through: deliver, until: cancellation)
                if isFinished { end = .finished }
            } catch {
                end = .failure(error)
            }
            guard let end else { return }
            deliver {
                if !cancellation.hasCome { subscriber.receive(completion: end) }
            }
        }
        subscriber.receive(
            subscription: Iteration(
                task: task, requests: continuation, deliver: deliver, cancellation: cancellation))
    }
}

extension AsyncSequence {
    /// The elements of this sequence, for a Combine pipeline.
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }

    /// Calls `next()` once for each unit of demand. Returns whether the sequence has ended: otherwise nobody asks any more.
    fileprivate func pass<Sub: Subscriber>(
        to subscriber: Sub, asRequestedBy requests: AsyncStream<Subscribers.Demand>, through deliver: Delivery,
        until cancellation: Cancellation
    ) async throws -> Bool where Sub.Input == Element {
        var iterator = makeAsyncIterator()
        for await request in requests {
            var demand = request
            while demand > .none {
                if cancellation.hasCome { return false }
                guard let element = try await iterator.next() else { return true }
                demand -= .max(1)
                demand += await withCheckedContinuation { received in
                    deliver {
                        received.resume(returning: cancellation.hasCome ? .none : subscriber.receive(element))
                    }
                }
            }
        }
        return false
    }
}

private final class Cancellation: Sendable {
    private let state = Mutex(false)

    var hasCome: Bool { state.withLock { $0 } }

    func come() {
        state.withLock { $0 = true }
    }
}

/// What the subscriber holds: it reaches the task, and keeps neither the sequence nor the subscriber alive.
private final class Iteration: Subscription {
    private let task: Task<Void, Never>
    private let requests: AsyncStream<Subscribers.Demand>.Continuation
    private let deliver: Delivery
    private let cancellation: Cancellation

    init(
        task: Task<Void, Never>, requests: AsyncStream<Subscribers.Demand>.Continuation, deliver: Delivery,
        cancellation: Cancellation
    ) {
        self.task = task
        self.requests = requests
        self.deliver = deliver
        self.cancellation = cancellation
    }

    func request(_ demand: Subscribers.Demand) {
        deliver { [requests] in requests.yield(demand) }
    }

    func cancel() {
        cancellation.come()
        task.cancel()
    }

    deinit {
        // Nobody can ask any more: what was asked for is delivered, and the task ends.
        deliver { [requests] in requests.finish() }
    }
}
