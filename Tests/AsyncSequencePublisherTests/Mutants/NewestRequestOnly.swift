// mutant: of the requests that wait, only the newest is kept
// fails: AsyncSequencePublisherTests/requestsAddUp()
// hint: AsyncSequencePublisherTests/requestsAddUp() addUp.dropped
import Combine

public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let sequence: S

    public init(_ sequence: S) {
        self.sequence = sequence
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        let (requests, continuation) = AsyncStream<Subscribers.Demand>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let task = Task { [sequence] in
            do {
                var iterator = sequence.makeAsyncIterator()
                for await request in requests {
                    var demand = request
                    while demand > .none {
                        let element = try await iterator.next()
                        if Task.isCancelled { return }
                        guard let element else { return subscriber.receive(completion: .finished) }
                        demand -= .max(1)
                        demand += subscriber.receive(element)
                        if Task.isCancelled { return }
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
