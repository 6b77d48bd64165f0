import Combine
import Testing

/// Checks that a chain releases its subscriber and its upstream when it has finished, and when it was cancelled.
/// Scheduled work may hold them until it has run.
func expectsNothingLeftInVirtualTime<Output: Equatable>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ chain: (PassthroughSubject<Int, Never>, VirtualScheduler) -> AnyPublisher<Output, Never>
) {
    for end in ["finished", "cancelled"] {
        weak var leftSubject: PassthroughSubject<Int, Never>?
        weak var leftSink: Subscribers.Sink<Output, Never>?
        let scheduler = VirtualScheduler()
        do {
            let subject = PassthroughSubject<Int, Never>()
            let sink = Subscribers.Sink<Output, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
            chain(subject, scheduler).subscribe(sink)
            subject.send(1)
            subject.send(2)
            if end == "finished" {
                subject.send(completion: .finished)
            } else {
                sink.cancel()
            }
            scheduler.run(until: 100)
            (leftSubject, leftSink) = (subject, sink)
        }
        #expect(leftSubject == nil, "A \(end) chain holds its upstream.", sourceLocation: sourceLocation)
        #expect(leftSink == nil, "A \(end) chain holds its downstream.", sourceLocation: sourceLocation)
        #expect(scheduler.waiting == 0, "A \(end) chain still waits.", sourceLocation: sourceLocation)
    }
}
