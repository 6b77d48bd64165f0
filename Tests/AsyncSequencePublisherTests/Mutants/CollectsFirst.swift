// mutant: collects all elements and delivers them when the sequence has ended
// fails: AsyncSequencePublisherTests/requestsOfManyThreadsAddUp()
// fails: AsyncSequencePublisherXCTests/testAThrownErrorFailsThePipeline
// fails: AsyncSequencePublisherTests/eachElementArrivesAtOnce()
// fails: AsyncSequencePublisherTests/nothingArrivesAfterCancelling()
// fails: AsyncSequencePublisherTests/noMoreElementsArriveThanWereAskedFor()
// fails: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration()
// fails: AsyncSequencePublisherTests/nextIsNotCalledWhileItRuns()
// fails: AsyncSequencePublisherTests/requestsAddUp()
// fails: AsyncSequencePublisherTests/aRequestInsideReceiveCounts()
// fails: AsyncSequencePublisherTests/cancellingAfterSeveralRequestsCancelsAllWork()
// fails: AsyncSequencePublisherTests/aRequestAfterTheEndDoesNothing()
// fails: AsyncSequencePublisherTests/aCancellationMayMeetAnything()
// fails: AsyncSequencePublisherTests/whatIsOverIsReleased()
// hint: AsyncSequencePublisherTests/eachElementArrivesAtOnce() atOnce
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

    func request(_ demand: Subscribers.Demand) {
        task = Task {
            do {
                var elements: [S.Element] = []
                for try await element in sequence { elements.append(element) }
                for element in elements {
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
