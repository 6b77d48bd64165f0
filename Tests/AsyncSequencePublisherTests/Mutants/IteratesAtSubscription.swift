// mutant: begins at the subscription and delivers without being asked
// fails: AsyncSequencePublisherTests/requestsOfManyThreadsAddUp()
// fails: AsyncSequencePublisherTests/nothingIsFetchedBeforeTheFirstRequest()
// fails: AsyncSequencePublisherTests/noMoreElementsArriveThanWereAskedFor()
// fails: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration()
// fails: AsyncSequencePublisherTests/requestsAddUp()
// fails: AsyncSequencePublisherTests/aRequestInsideReceiveCounts()
// fails: AsyncSequencePublisherTests/aRequestAfterTheEndDoesNothing()
// fails: AsyncSequencePublisherTests/whatIsOverIsReleased()
// fails: AsyncSequencePublisherTests/aCancellationMayMeetAnything()
// hint: AsyncSequencePublisherTests/nothingIsFetchedBeforeTheFirstRequest() design
import Combine

public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let sequence: S

    public init(_ sequence: S) {
        self.sequence = sequence
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        let subscription = AsyncSubscription(
            sequence: sequence,
            subscriber: subscriber
        )
        subscriber.receive(subscription: subscription)
        subscription.start()
    }
}

private final class AsyncSubscription<S: AsyncSequence, Sub: Subscriber>: Subscription
where Sub.Input == S.Element, Sub.Failure == Error {

    private var task: Task<Void, Never>?
    private var subscriber: Sub?
    private let sequence: S

    init(sequence: S, subscriber: Sub) {
        self.sequence = sequence
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {}

    func start() {
        task = Task {
            do {
                for try await element in sequence {
                    guard subscriber != nil else { break }
                    _ = subscriber?.receive(element)
                }
                subscriber?.receive(completion: .finished)
            } catch {
                subscriber?.receive(completion: .failure(error))
            }
        }
    }

    func cancel() {
        task?.cancel()
        subscriber = nil
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}
