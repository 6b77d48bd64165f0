// mutant: cancelling only starts a task that ends the subscription
// fails: AsyncSequencePublisherTests/aRequestInsideReceiveCounts()
// hint: AsyncSequencePublisherTests/aRequestInsideReceiveCounts() insideCancel
import Combine

public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let sequence: S

    public init(_ sequence: S) {
        self.sequence = sequence
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        let delivery = Delivery(iterator: sequence.makeAsyncIterator(), subscriber: subscriber)
        subscriber.receive(subscription: AsyncSubscription(delivery: delivery))
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

/// Counts demand. While one call delivers, the others only add to the demand.
private actor Delivery<Iterator: AsyncIteratorProtocol, Sub: Subscriber>
where Sub.Input == Iterator.Element, Sub.Failure == any Error {
    private var iterator: Iterator
    private var subscriber: Sub?
    private var demand = Subscribers.Demand.none
    private var task: Task<Void, Never>?

    init(iterator: Iterator, subscriber: Sub) {
        self.iterator = iterator
        self.subscriber = subscriber
    }

    func stop() {
        task?.cancel()
        subscriber = nil
    }

    func add(_ demand: Subscribers.Demand) {
        guard isWanted else { return }
        self.demand += demand
        if task == nil {
            task = Task { await deliver() }
        }
    }

    private var isWanted: Bool {
        subscriber != nil
    }

    private func deliver() async {
        var iterator = self.iterator
        defer {
            self.iterator = iterator
            task = nil
        }
        do {
            while isWanted, demand > .none {
                let element = try await iterator.next()
                guard isWanted, let subscriber else { return }
                guard let element else {
                    self.subscriber = nil
                    return subscriber.receive(completion: .finished)
                }
                demand -= .max(1)
                demand += subscriber.receive(element)
            }
        } catch {
            guard isWanted, let subscriber else { return }
            self.subscriber = nil
            subscriber.receive(completion: .failure(error))
        }
    }
}

private final class AsyncSubscription<Iterator: AsyncIteratorProtocol, Sub: Subscriber>: Subscription
where Sub.Input == Iterator.Element, Sub.Failure == any Error {
    private let delivery: Delivery<Iterator, Sub>

    init(delivery: Delivery<Iterator, Sub>) {
        self.delivery = delivery
    }

    func request(_ demand: Subscribers.Demand) {
        Task { await delivery.add(demand) }
    }

    func cancel() {
        Task { await delivery.stop() }
    }
}
