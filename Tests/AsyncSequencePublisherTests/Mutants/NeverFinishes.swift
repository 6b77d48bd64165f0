// mutant: the end of the sequence ends the task, and the subscriber is not told
// fails: AsyncSequencePublisherTests/theEndOfTheSequenceFinishesThePipeline()
// fails: AsyncSequencePublisherTests/aRequestAfterTheEndDoesNothing()
// fails: AsyncSequencePublisherTests/whatIsOverIsReleased()
// fails: AsyncSequencePublisherTests/cancellingAfterSeveralRequestsCancelsAllWork()
// hint: AsyncSequencePublisherTests/theEndOfTheSequenceFinishesThePipeline() end
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
        let subscription = AsyncSubscription(iterator: sequence.makeAsyncIterator(), subscriber: subscriber)
        subscriber.receive(subscription: subscription)
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

/// The task runs as long as there is demand; only it uses the iterator.
private final class AsyncSubscription<Iterator: AsyncIteratorProtocol, Sub: Subscriber>: Subscription
where Sub.Input == Iterator.Element, Sub.Failure == any Error {
    private let lock = NSLock()
    private var iterator: Iterator
    private var subscriber: Sub?
    private var demand = Subscribers.Demand.none
    private var task: Task<Void, Never>?

    init(iterator: Iterator, subscriber: Sub) {
        self.iterator = iterator
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            guard subscriber != nil else { return }
            self.demand += demand
            if task == nil, self.demand > .none {
                task = Task { await self.iterate() }
            }
        }
    }

    func cancel() {
        let (task, subscriber) = lock.withLock {
            defer { self.subscriber = nil }
            return (self.task, self.subscriber)
        }
        task?.cancel()
        withExtendedLifetime(subscriber) {}
    }

    private func iterate() async {
        do {
            while takeDemand() {
                guard let element = try await iterator.next() else { return }
                deliver(element)
            }
        } catch {
            end(with: .failure(error))
        }
    }

    private func takeDemand() -> Bool {
        lock.withLock {
            guard subscriber != nil, demand > .none else {
                task = nil
                return false
            }
            demand -= .max(1)
            return true
        }
    }

    private func deliver(_ element: Iterator.Element) {
        guard let subscriber = lock.withLock({ subscriber }) else { return }
        let more = subscriber.receive(element)
        lock.withLock { demand += more }
    }

    private func end(with completion: Subscribers.Completion<any Error>) {
        let subscriber = lock.withLock {
            defer { self.subscriber = nil }
            return self.subscriber
        }
        subscriber?.receive(completion: completion)
    }
}
