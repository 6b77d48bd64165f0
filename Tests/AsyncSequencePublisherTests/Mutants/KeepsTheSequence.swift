// mutant: a subscription that is cancelled before its first request keeps the sequence
// fails: AsyncSequencePublisherTests/whatIsOverIsReleased()
// hint: AsyncSequencePublisherTests/whatIsOverIsReleased() releasedSequence
import Combine
import Foundation

public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let sequence: S

    public init(_ sequence: S) {
        self.sequence = sequence
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        subscriber.receive(subscription: Iteration(sequence, subscriber))
    }
}

extension AsyncSequence {
    /// The elements of this sequence, for a Combine pipeline.
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

private final class Iteration<S: AsyncSequence, Sub: Subscriber>: Subscription, @unchecked Sendable
where Sub.Input == S.Element, Sub.Failure == any Error {
    private let lock = NSLock()
    private var sequence: S?
    private var subscriber: Sub?
    private var demand = Subscribers.Demand.none
    private var task: Task<Void, Never>?
    private var waiting: CheckedContinuation<Bool, Never>?

    init(_ sequence: S, _ subscriber: Sub) {
        self.sequence = sequence
        self.subscriber = subscriber
    }

    func request(_ more: Subscribers.Demand) {
        guard more > .none else { return }
        lock.lock()
        guard subscriber != nil else {
            lock.unlock()
            return
        }
        demand += more
        let waiting = waiting
        self.waiting = nil
        if let sequence {
            self.sequence = nil
            task = Task { await self.run(sequence) }
        }
        lock.unlock()
        waiting?.resume(returning: true)
    }

    func cancel() {
        lock.lock()
        let old = subscriber
        subscriber = nil
        let task = task
        self.task = nil
        let waiting = waiting
        self.waiting = nil
        lock.unlock()
        task?.cancel()
        waiting?.resume(returning: false)
        _ = old
    }

    private func run(_ sequence: S) async {
        var iterator = sequence.makeAsyncIterator()
        do {
            while await mayContinue() {
                guard let element = try await iterator.next() else {
                    finish(.finished)
                    return
                }
                deliver(element)
            }
        } catch {
            finish(.failure(error))
        }
    }

    private func mayContinue() async -> Bool {
        await withCheckedContinuation { continuation in
            lock.lock()
            if subscriber == nil {
                lock.unlock()
                continuation.resume(returning: false)
            } else if demand > .none {
                lock.unlock()
                continuation.resume(returning: true)
            } else {
                waiting = continuation
                lock.unlock()
            }
        }
    }

    private func deliver(_ element: S.Element) {
        lock.lock()
        demand -= 1
        let subscriber = subscriber
        lock.unlock()
        guard let more = subscriber?.receive(element) else { return }
        lock.lock()
        demand += more
        lock.unlock()
    }

    private func finish(_ completion: Subscribers.Completion<any Error>) {
        lock.lock()
        let subscriber = subscriber
        self.subscriber = nil
        task = nil
        lock.unlock()
        subscriber?.receive(completion: completion)
    }
}
