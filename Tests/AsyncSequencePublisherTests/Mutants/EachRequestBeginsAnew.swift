// mutant: each request sends so many elements from the beginning of the sequence
// fails: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration()
// fails: AsyncSequencePublisherTests/nextIsNotCalledWhileItRuns()
// fails: AsyncSequencePublisherTests/requestsAddUp()
// fails: AsyncSequencePublisherTests/aRequestInsideReceiveCounts()
// fails: AsyncSequencePublisherTests/requestsOfManyThreadsAddUp()
// fails: AsyncSequencePublisherTests/whatIsOverIsReleased()
// fails: AsyncSequencePublisherTests/aRequestAfterTheEndDoesNothing()
// fails: AsyncSequencePublisherTests/aCancellationMayMeetAnything()
// hint: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration() again
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
        subscriber.receive(subscription: AsyncSubscription(sequence: sequence, subscriber: subscriber))
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

private final class AsyncSubscription<S: AsyncSequence, Sub: Subscriber>: Subscription
where Sub.Input == S.Element, Sub.Failure == any Error {
    private let lock = NSLock()
    private let sequence: S
    private var subscriber: Sub?
    private var tasks: [Task<Void, Never>] = []

    init(sequence: S, subscriber: Sub) {
        self.sequence = sequence
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            guard subscriber != nil else { return }
            tasks.append(Task { await self.send(demand) })
        }
    }

    func cancel() {
        let (tasks, subscriber) = end()
        tasks.forEach { $0.cancel() }
        withExtendedLifetime(subscriber) {}
    }

    private func send(_ demand: Subscribers.Demand) async {
        var demand = demand
        do {
            var iterator = sequence.makeAsyncIterator()
            while demand > .none {
                guard let element = try await iterator.next() else {
                    end().1?.receive(completion: .finished)
                    return
                }
                guard let subscriber = lock.withLock({ subscriber }) else { return }
                demand -= .max(1)
                demand += subscriber.receive(element)
            }
        } catch {
            end().1?.receive(completion: .failure(error))
        }
    }

    private func end() -> ([Task<Void, Never>], Sub?) {
        lock.withLock {
            defer {
                tasks = []
                subscriber = nil
            }
            return (tasks, subscriber)
        }
    }
}
