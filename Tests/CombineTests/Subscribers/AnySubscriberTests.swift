import Combine
import Testing

@Suite struct AnySubscriberTests {
    @Test func `It passes everything to the subscriber that it hides`() {
        let recorder = Recorder<Int, Oops>(requesting: .max(1), perValue: .max(2))
        let erased = AnySubscriber(recorder)
        let subscription = ProbeSubscription()
        erased.receive(subscription: subscription)
        #expect(erased.receive(1) == .max(2))
        erased.receive(completion: .failure(Oops()))
        #expect(recorder.events == [.subscription("ProbeSubscription"), .value(1), .failure("oops")])
        #expect(erased.combineIdentifier == recorder.combineIdentifier)
        #expect(AnySubscriber(erased).combineIdentifier == recorder.combineIdentifier)
    }

    @Test func `It can be made of closures`() {
        var log: [String] = []
        let erased = AnySubscriber<Int, Never>(
            receiveSubscription: { _ in log.append("subscription") },
            receiveValue: { value in
                log.append("\(value)")
                return .max(3)
            }, receiveCompletion: { log.append("\($0)") })
        erased.receive(subscription: Subscriptions.empty)
        #expect(erased.receive(1) == .max(3))
        erased.receive(completion: .finished)
        #expect(log == ["subscription", "1", "finished"])
        #expect(erased.description == "Anonymous AnySubscriber")
        #expect(erased.customMirror.children.isEmpty)
        #expect(AnySubscriber<Int, Never>().receive(1) == .none)
    }

    @Test func `It can be made of a subject, which is sent everything`() {
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        let erased = AnySubscriber(subject)
        #expect(erased.description == "Subject")
        #expect(
            erased.customMirror.children.map { $0.label } == ["downstreamSubject", "upstreamSubscription", "subject"])
        let subscription = ProbeSubscription()
        erased.receive(subscription: subscription)
        #expect(subscription.events == [.requested(.unlimited)])
        _ = erased.receive(1)
        erased.receive(completion: .finished)
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `It describes what it hides`() {
        let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
        #expect(AnySubscriber(sink).description == "Sink")
        #expect(AnySubscriber(sink).playgroundDescription as? String == "Sink")
    }
}
