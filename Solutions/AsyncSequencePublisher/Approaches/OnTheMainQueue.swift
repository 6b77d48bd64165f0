// right: requests go through the main queue, and elements are delivered on the main actor
import Combine
import Dispatch
import Synchronization

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

/// Everything but cancelling happens on the main actor, where the subscriber receives as well.
private final class AsyncSubscription<Iterator: AsyncIteratorProtocol, Sub: Subscriber>: Subscription
where Sub.Input == Iterator.Element, Sub.Failure == any Error {
    private var iterator: Iterator
    private var subscriber: Sub?
    private var demand = Subscribers.Demand.none
    private var task: Task<Void, Never>?
    private let isCancelled = Atomic<Bool>(false)

    init(iterator: Iterator, subscriber: Sub) {
        self.iterator = iterator
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        DispatchQueue.main.async {
            self.demand += demand
            guard self.isWanted, self.task == nil else { return }
            self.task = Task { await self.iterate() }
        }
    }

    func cancel() {
        isCancelled.store(true, ordering: .sequentiallyConsistent)
        DispatchQueue.main.async {
            self.task?.cancel()
            self.subscriber = nil
        }
    }

    private var isWanted: Bool {
        subscriber != nil && !isCancelled.load(ordering: .sequentiallyConsistent)
    }

    @MainActor private func iterate() async {
        defer { task = nil }
        do {
            while isWanted, demand > .none {
                let element = try await iterator.next()
                guard isWanted else { return }
                guard let element else { return end(with: .finished) }
                demand -= .max(1)
                demand += subscriber?.receive(element) ?? .none
            }
        } catch {
            if isWanted { end(with: .failure(error)) }
        }
    }

    @MainActor private func end(with completion: Subscribers.Completion<any Error>) {
        let subscriber = self.subscriber
        self.subscriber = nil
        subscriber?.receive(completion: completion)
    }
}
