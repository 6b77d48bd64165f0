import Combine
import Testing

@Suite struct SinkTests {
    @Test func `A sink asks for everything and hands it on until the end`() {
        let upstream = ProbePublisher<Int, Oops>()
        var log: [String] = []
        let sink = Subscribers.Sink<Int, Oops>(receiveCompletion: { log.append("\($0)") }) { log.append("\($0)") }
        upstream.subscribe(sink)
        #expect(upstream.events == [.requested(.unlimited)])
        #expect(upstream.send(1) == .none)
        upstream.send(completion: .failure(Oops()))
        upstream.send(2)
        #expect(log == ["1", "failure(oops)"])
    }

    @Test func `A second subscription is cancelled, as is one that comes after the end`() {
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        let (first, second, third) = (ProbeSubscription(), ProbeSubscription(), ProbeSubscription())
        sink.receive(subscription: first)
        sink.receive(subscription: second)
        #expect(second.events == [.cancelled])
        sink.cancel()
        sink.cancel()
        #expect(first.events == [.requested(.unlimited), .cancelled])
        sink.receive(subscription: third)
        #expect(third.events == [.cancelled])
    }

    @Test func `Its closures go at the end, even while it is kept`() {
        for end in ["finished", "cancelled"] {
            weak var left: Witness?
            let upstream = ProbePublisher<Int, Never>()
            let sink: Subscribers.Sink<Int, Never>
            do {
                let witness = Witness()
                left = witness
                sink = .init(receiveCompletion: { _ in _ = witness }, receiveValue: { _ in _ = witness })
            }
            upstream.subscribe(sink)
            #expect(left != nil)
            if end == "finished" { upstream.send(completion: .finished) } else { sink.cancel() }
            #expect(left == nil, "\(end)")
        }
    }

    @Test func `It may be cancelled from inside of a value`() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var cancellable: AnyCancellable?
        cancellable = subject.sink { value in
            seen.append(value)
            cancellable?.cancel()
        }
        subject.send(1)
        subject.send(2)
        #expect(seen == [1])
    }

    @Test func `It describes itself`() {
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        #expect(sink.description == "Sink")
        #expect(sink.playgroundDescription as? String == "Sink")
        #expect(sink.customMirror.children.isEmpty)
    }
}
