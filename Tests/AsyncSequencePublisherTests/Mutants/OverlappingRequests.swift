// mutant: each request iterates in a task of its own, on one actor
// fails: AsyncSequencePublisherTests/nextIsNotCalledWhileItRuns()
// fails: AsyncSequencePublisherTests/requestsAddUp()
// fails: AsyncSequencePublisherTests/aRequestAfterTheEndDoesNothing()
// fails: AsyncSequencePublisherTests/requestsOfManyThreadsAddUp()
// hint: AsyncSequencePublisherTests/nextIsNotCalledWhileItRuns() overlap
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
        let pump = Pump(sequence.makeAsyncIterator(), subscriber)
        subscriber.receive(subscription: AsyncSubscription(pump))
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

private actor Pump<Iterator: AsyncIteratorProtocol, Sub: Subscriber>
where Sub.Input == Iterator.Element, Sub.Failure == any Error {
    private var iterator: Iterator
    private var subscriber: Sub?

    init(_ iterator: Iterator, _ subscriber: Sub) {
        self.iterator = iterator
        self.subscriber = subscriber
    }

    func send(_ demand: Subscribers.Demand) async {
        var demand = demand
        do {
            while demand > .none, !Task.isCancelled {
                var iterator = self.iterator
                let element = try await iterator.next()
                self.iterator = iterator
                guard let subscriber, !Task.isCancelled else { return }
                guard let element else {
                    self.subscriber = nil
                    return subscriber.receive(completion: .finished)
                }
                demand -= .max(1)
                demand += subscriber.receive(element)
            }
        } catch {
            let ended = subscriber
            subscriber = nil
            if !Task.isCancelled { ended?.receive(completion: .failure(error)) }
        }
    }

    func stop() {
        subscriber = nil
    }
}

private final class AsyncSubscription<Iterator: AsyncIteratorProtocol, Sub: Subscriber>: Subscription
where Sub.Input == Iterator.Element, Sub.Failure == any Error {
    private let lock = NSLock()
    private let pump: Pump<Iterator, Sub>
    private var tasks: [Task<Void, Never>] = []
    private var isCancelled = false

    init(_ pump: Pump<Iterator, Sub>) {
        self.pump = pump
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            if isCancelled { return }
            tasks.append(Task { [pump] in await pump.send(demand) })
        }
    }

    func cancel() {
        let tasks = lock.withLock {
            isCancelled = true
            return self.tasks
        }
        tasks.forEach { $0.cancel() }
        Task { [pump] in await pump.stop() }
    }
}
