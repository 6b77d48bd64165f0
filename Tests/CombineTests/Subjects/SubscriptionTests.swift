import Combine
import Testing

/// What another thread sends while a subscriber receives its subscription comes after that.
@Suite struct SubscriptionTests {
    private struct Broken: Error {}

    /// Runs the action on another thread while the subscription is received.
    private func received<Upstream: Publisher<Int, Broken>>(
        from publisher: Upstream, requesting demand: Subscribers.Demand? = .unlimited,
        during action: @escaping () -> Void
    ) -> [Event<Int>] {
        let recorder = Recorder<Int, Broken>(requesting: nil)
        var before: [Event<Int>] = []
        recorder.onSubscription = { [unowned recorder] subscription in
            if let demand { subscription.request(demand) }
            before = recorder.signals
            onAnotherThread(action)
            #expect(recorder.signals == before)
        }
        publisher.subscribe(recorder)
        return recorder.signals
    }

    @Test func `Values and the end of a subject that keeps nothing`() {
        let subject = PassthroughSubject<Int, Broken>()
        let signals = received(from: subject) {
            subject.send(1)
            subject.send(2)
            subject.send(completion: .finished)
        }
        #expect(signals == [.value(1), .value(2), .finished])
    }

    @Test func `Values and the end of a subject that keeps its latest value`() {
        let subject = CurrentValueSubject<Int, Broken>(0)
        let signals = received(from: subject) {
            subject.send(1)
            subject.send(completion: .finished)
        }
        #expect(signals == [.value(0), .value(1), .finished])
    }

    @Test func `The end of a publisher that is shared`() {
        let subject = PassthroughSubject<Int, Broken>()
        let shared = subject.share()
        let first = Recorder<Int, Broken>()
        shared.subscribe(first)
        #expect(received(from: shared) { subject.send(completion: .finished) } == [.finished])
        #expect(first.signals == [.finished])
    }

    @Test(arguments: [nil, Subscribers.Demand.max(1)]) func `The result of a future`(demand: Subscribers.Demand?) {
        for result in [Result<Int, Broken>.success(1), .failure(Broken())] {
            var promise: Future<Int, Broken>.Promise?
            let future = Future<Int, Broken> { promise = $0 }
            let signals = received(from: future, requesting: demand) { promise?(result) }
            switch result {
            case .success: #expect(signals == (demand == nil ? [] : [.value(1), .finished]))
            case .failure: #expect(signals == [.failure("Broken()")])
            }
        }
    }
}
