import Combine
import Testing

@Suite("retry")
struct RetryTests {
    private let upstream = ProbePublisher<Int, Oops>()

    private func subscribe(
        retries: Int, requesting demand: Subscribers.Demand? = .unlimited, perValue: Subscribers.Demand = .none
    ) -> Recorder<Int, Oops> {
        let recorder = Recorder<Int, Oops>(requesting: demand, perValue: perValue)
        upstream.retry(retries).watched().subscribe(recorder)
        return recorder
    }

    @Test func `it subscribes again after a failure, this many times`() {
        let recorder = subscribe(retries: 2)
        upstream.send(1)
        upstream.send(completion: .failure(Oops("first")))
        upstream.send(2)
        upstream.send(completion: .failure(Oops("second")))
        upstream.send(3)
        #expect(upstream.subscriberCount == 3)
        upstream.send(completion: .failure(Oops("third")))
        #expect(recorder.events == [.subscription("Retry"), .value(1), .value(2), .value(3), .failure("third")])
        #expect(upstream.subscriberCount == 3)
    }

    @Test func `no retries pass the first failure on`() {
        let recorder = subscribe(retries: 0)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(upstream.subscriberCount == 1)
    }

    @Test func `without a number it tries forever`() {
        var attempts = 0
        let publisher = Deferred { () -> Result<Int, Oops>.Publisher in
            attempts += 1
            return .init(attempts < 100_000 ? .failure(Oops()) : .success(attempts))
        }
        let recorder = Recorder<Int, Oops>()
        Publishers.Retry(upstream: publisher, retries: nil).watched().subscribe(recorder)
        #expect(recorder.signals == [.value(100_000), .finished])
    }

    @Test func `finishing is no reason to try again`() {
        let recorder = subscribe(retries: 5)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.finished])
        #expect(upstream.subscriberCount == 1)
    }

    @Test func `each attempt is asked for what is still wanted`() {
        let recorder = subscribe(retries: 3, requesting: .max(3))
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        #expect(upstream.events == [.requested(.max(3)), .requested(.max(2))])
        recorder.request(.max(4))
        #expect(upstream.events == [.requested(.max(3)), .requested(.max(2)), .requested(.max(4))])
    }

    @Test func `what a value asks for is requested from the attempt that is under way then`() {
        let recorder = subscribe(retries: 3, requesting: .max(1))
        recorder.onValue = { [upstream] value in
            if value == 1 { upstream.send(completion: .failure(Oops())) }
            return .max(2)
        }
        #expect(upstream.send(1) == .none)
        #expect(upstream.subscriberCount == 2)
        #expect(upstream.events == [.requested(.max(1)), .requested(.max(2))])
        recorder.cancel()
    }

    @Test func `cancelling ends the attempts`() {
        let recorder = subscribe(retries: 3)
        recorder.cancel()
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        upstream.send(completion: .failure(Oops()))
        #expect(upstream.subscriberCount == 1)
        #expect(recorder.signals == [])
    }

    @Test func `a second subscription is cancelled`() {
        let recorder = subscribe(retries: 3)
        let second = ProbeSubscription()
        upstream.send(subscription: second)
        #expect(second.events == [.cancelled])
        recorder.cancel()
    }

    @Test func `it describes itself`() throws {
        #expect(try SelfDescription(of: upstream.retry(1)) == SelfDescription("Retry"))
        #expect(Just(1).setFailureType(to: Oops.self).retry(1) == Just(1).setFailureType(to: Oops.self).retry(1))
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Oops>, witness) in
            subject.map { _ in ObjectIdentifier(witness).hashValue }.retry(2).eraseToAnyPublisher()
        }
    }
}
