// mutant: a task sends the elements to a subject, whoever has asked for them
// fails: AsyncSequencePublisherTests/requestsOfManyThreadsAddUp()
// fails: AsyncSequencePublisherTests/nothingIsFetchedBeforeTheFirstRequest()
// fails: AsyncSequencePublisherXCTests/testCancellingCancelsTheIteration
// fails: AsyncSequencePublisherTests/noMoreElementsArriveThanWereAskedFor()
// fails: AsyncSequencePublisherTests/aLaterRequestContinuesTheIteration()
// fails: AsyncSequencePublisherTests/requestsAddUp()
// fails: AsyncSequencePublisherTests/aRequestInsideReceiveCounts()
// fails: AsyncSequencePublisherTests/cancellingAfterSeveralRequestsCancelsAllWork()
// fails: AsyncSequencePublisherTests/aRequestAfterTheEndDoesNothing()
// fails: AsyncSequencePublisherTests/aCancellationMayMeetAnything()
// fails: AsyncSequencePublisherTests/whatIsOverIsReleased()
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
        let subject = PassthroughSubject<S.Element, any Error>()
        Task { [sequence] in
            do {
                for try await element in sequence { subject.send(element) }
                subject.send(completion: .finished)
            } catch {
                subject.send(completion: .failure(error))
            }
        }
        subject.subscribe(subscriber)
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}
