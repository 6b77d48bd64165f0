// right: one task for each subscription, which waits for demand with a continuation
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
        let demand = DemandCounter()
        let task = Task { [sequence] in
            do {
                var iterator = sequence.makeAsyncIterator()
                while await demand.takeOne() {
                    let element = try await iterator.next()
                    if demand.isCancelled { return }
                    guard let element else { return subscriber.receive(completion: .finished) }
                    demand.add(subscriber.receive(element))
                }
            } catch  where !demand.isCancelled {
                subscriber.receive(completion: .failure(error))
            } catch {}
        }
        subscriber.receive(subscription: AsyncSubscription(demand: demand, task: task))
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

/// Demand that a task can wait for.
private final class DemandCounter {
    private let lock = NSLock()
    private var demand = Subscribers.Demand.none
    private var isOver = false
    private var waiting: CheckedContinuation<Bool, Never>?

    var isCancelled: Bool { lock.withLock { isOver } }

    /// Waits for a unit of demand; false once it is cancelled.
    func takeOne() async -> Bool {
        await withCheckedContinuation { continuation in
            resume { waiting = continuation }
        }
    }

    func add(_ demand: Subscribers.Demand) {
        resume { self.demand += demand }
    }

    func cancel() {
        resume { isOver = true }
    }

    private func resume(after change: () -> Void) {
        let (continuation, isWanted) = lock.withLock {
            change()
            guard let waiting, isOver || demand > .none else {
                return (CheckedContinuation<Bool, Never>?.none, false)
            }
            self.waiting = nil
            if !isOver { demand -= .max(1) }
            return (waiting, !isOver)
        }
        continuation?.resume(returning: isWanted)
    }
}

private final class AsyncSubscription: Subscription {
    private let demand: DemandCounter
    private let task: Task<Void, Never>

    init(demand: DemandCounter, task: Task<Void, Never>) {
        self.demand = demand
        self.task = task
    }

    func request(_ demand: Subscribers.Demand) {
        self.demand.add(demand)
    }

    func cancel() {
        demand.cancel()
        task.cancel()
    }
}
