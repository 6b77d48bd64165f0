// mutant: a subject and a buffer without a limit, started by the first request
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
        let subject = PassthroughSubject<S.Element, any Error>()
        let iteration = Iteration(sequence, subject)
        subject
            .buffer(size: .max, prefetch: .keepFull, whenFull: .dropOldest)
            .handleEvents(
                receiveCancel: { iteration.cancel() },
                receiveRequest: { _ in iteration.start() }
            )
            .subscribe(subscriber)
    }
}

extension AsyncSequence {
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}

private final class Iteration<S: AsyncSequence> {
    private let lock = NSLock()
    private let sequence: S
    private let subject: PassthroughSubject<S.Element, any Error>
    private var task: Task<Void, Never>?
    private var isCancelled = false

    init(_ sequence: S, _ subject: PassthroughSubject<S.Element, any Error>) {
        self.sequence = sequence
        self.subject = subject
    }

    func start() {
        lock.withLock {
            if task != nil || isCancelled { return }
            task = Task { [sequence, subject] in
                do {
                    for try await element in sequence { subject.send(element) }
                    subject.send(completion: .finished)
                } catch {
                    subject.send(completion: .failure(error))
                }
            }
        }
    }

    func cancel() {
        lock.withLock {
            isCancelled = true
            task?.cancel()
        }
    }
}
