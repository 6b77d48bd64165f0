import Combine
import Testing

@Suite struct SubscribeOnTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<Int, Oops>(requesting: .max(2), perValue: .max(1))

    private func subscribe() {
        upstream.subscribe(on: scheduler, options: .init(name: "options")).watched().subscribe(recorder)
    }

    @Test func `Subscribing, requesting and cancelling are scheduled`() {
        subscribe()
        #expect(upstream.subscriberCount == 0)
        scheduler.run()
        #expect(recorder.events == [.subscription("SubscribeOn")])
        #expect(upstream.events == [.requested(.max(2))])
        recorder.cancel()
        #expect(upstream.events == [.requested(.max(2))])
        scheduler.run()
        #expect(upstream.events == [.requested(.max(2)), .cancelled])
        #expect(scheduler.events == Array(repeating: .soon(options: "options"), count: 3))
    }

    @Test func `Values, their demand and the completion are not`() {
        subscribe()
        scheduler.run()
        #expect(upstream.send(1) == .max(1))
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.value(1), .failure("oops")])
        #expect(scheduler.waiting == 0)
    }

    @Test func `A request that waits when the subscription is cancelled reaches the upstream all the same`() {
        subscribe()
        scheduler.run()
        recorder.request(.max(9))
        recorder.cancel()
        scheduler.run()
        #expect(upstream.events == [.requested(.max(2)), .requested(.max(9)), .cancelled])
    }

    @Test func `Nothing comes after a cancel`() {
        subscribe()
        scheduler.run()
        recorder.cancel()
        #expect(upstream.send(1) == .none)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [])
    }

    @Test func `The subscription describes itself`() throws {
        #expect(
            try SelfDescription(of: upstream.subscribe(on: ImmediateScheduler.shared)) == SelfDescription("SubscribeOn")
        )
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, _) in
            subject.subscribe(on: ImmediateScheduler.shared).eraseToAnyPublisher()
        }
    }
}
