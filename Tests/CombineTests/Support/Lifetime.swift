import Combine
import Testing

/// Checks that a chain releases its subscriber and its closures when it has finished, and when it was cancelled.
/// The chain is built on a subject and holds the witness in all of its closures.
func expectsNothingLeft<Output: Equatable, Failure: Error>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ chain: (PassthroughSubject<Int, Failure>, Witness) -> AnyPublisher<Output, Failure>
) {
    for end in ["finished", "cancelled"] {
        weak var leftWitness: Witness?
        weak var leftSubject: PassthroughSubject<Int, Failure>?
        weak var leftSink: Subscribers.Sink<Output, Failure>?
        do {
            let witness = Witness()
            let subject = PassthroughSubject<Int, Failure>()
            let sink = Subscribers.Sink<Output, Failure>(
                receiveCompletion: { _ in _ = witness }, receiveValue: { _ in _ = witness })
            chain(subject, witness).subscribe(sink)
            subject.send(1)
            subject.send(2)
            if end == "finished" {
                subject.send(completion: .finished)
            } else {
                sink.cancel()
            }
            (leftWitness, leftSubject, leftSink) = (witness, subject, sink)
        }
        #expect(leftWitness == nil, "A \(end) chain holds its closures.", sourceLocation: sourceLocation)
        #expect(leftSubject == nil, "A \(end) chain holds its upstream.", sourceLocation: sourceLocation)
        #expect(leftSink == nil, "A \(end) chain holds its downstream.", sourceLocation: sourceLocation)
    }
}
