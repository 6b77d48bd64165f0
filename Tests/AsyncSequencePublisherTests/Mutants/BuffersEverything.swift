// mutant: reads the whole sequence into a buffer and delivers as much as was asked for
// fails: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration()
// fails: AsyncSequencePublisherTests/whatIsOverIsReleased()
// fails: AsyncSequencePublisherTests/aCancellationMayMeetAnything()
// hint: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration() ahead
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
    private let lock = NSRecursiveLock()
    private let sequence: S
    private var subscriber: Sub?
    private var demand = Subscribers.Demand.none
    private var buffer: [S.Element] = []
    private var completion: Subscribers.Completion<any Error>?
    private var task: Task<Void, Never>?

    init(sequence: S, subscriber: Sub) {
        self.sequence = sequence
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock {
            guard subscriber != nil else { return }
            self.demand += demand
            if task == nil { task = Task { await self.read() } }
            deliver()
        }
    }

    func cancel() {
        lock.withLock {
            task?.cancel()
            subscriber = nil
        }
    }

    private func read() async {
        do {
            for try await element in sequence {
                add { buffer.append(element) }
            }
            add { completion = .finished }
        } catch {
            add { completion = .failure(error) }
        }
    }

    private func add(_ change: () -> Void) {
        lock.withLock {
            change()
            deliver()
        }
    }

    private func deliver() {
        while let subscriber, demand > .none, !buffer.isEmpty {
            demand -= .max(1)
            demand += subscriber.receive(buffer.removeFirst())
        }
        if buffer.isEmpty, let subscriber, let completion {
            self.subscriber = nil
            subscriber.receive(completion: completion)
        }
    }
}
