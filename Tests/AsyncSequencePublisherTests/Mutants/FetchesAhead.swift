// mutant: the next element is fetched before anybody asks for it
// fails: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration()
// hint: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration() ahead
import Combine

public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let sequence: S

    public init(_ sequence: S) {
        self.sequence = sequence
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        let (requests, continuation) = AsyncStream<Subscribers.Demand>.makeStream()
        let task = Task { [sequence] in
            do {
                var iterator = sequence.makeAsyncIterator()
                var next: S.Element?
                var isFirst = true
                for await request in requests {
                    var demand = request
                    if isFirst { next = try await iterator.next() }
                    isFirst = false
                    while demand > .none {
                        let element = next
                        if Task.isCancelled { return }
                        guard let element else { return subscriber.receive(completion: .finished) }
                        demand -= .max(1)
                        demand += subscriber.receive(element)
                        if Task.isCancelled { return }
                        next = try await iterator.next()
                    }
                }
            } catch {
                if Task.isCancelled { return }
                subscriber.receive(completion: .failure(error))
            }
        }
        subscriber.receive(subscription: AsyncSubscription(task: task, requests: continuation))
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

private final class AsyncSubscription: Subscription {
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
        requests.finish()
    }
}
