import Combine
import Testing

@Suite("append and prepend")
struct ConcatenateTests {
    private let prefix = ProbePublisher<Int, Oops>()
    private let suffix = ProbePublisher<Int, Oops>()

    private func subscribe(
        requesting demand: Subscribers.Demand? = .unlimited, perValue: Subscribers.Demand = .none
    ) -> Recorder<Int, Oops> {
        let recorder = Recorder<Int, Oops>(requesting: demand, perValue: perValue)
        prefix.append(suffix).watched().subscribe(recorder)
        return recorder
    }

    @Test func `values, a sequence or a publisher come after, or before`() {
        let chain = Just(4).append(5, 6).append([7]).append(Just(8)).prepend(3).prepend([1, 2]).prepend(Just(0))
        let recorder = Recorder<Int, Never>()
        chain.watched().subscribe(recorder)
        #expect(recorder.signals == (0...8).map { .value($0) } + [.finished])
    }

    @Test func `the suffix is subscribed to when the prefix has finished`() {
        let recorder = subscribe()
        prefix.send(1)
        #expect(suffix.subscriberCount == 0)
        prefix.send(completion: .finished)
        #expect(suffix.subscriberCount == 1)
        suffix.send(2)
        suffix.send(completion: .finished)
        #expect(recorder.events == [.subscription("Concatenate"), .value(1), .value(2), .finished])
    }

    @Test func `the suffix is asked for what the prefix left unanswered`() {
        let recorder = subscribe(requesting: .max(2))
        recorder.onValue = { $0 == 1 ? .max(3) : .none }
        #expect(prefix.send(1) == .max(3))
        #expect(prefix.send(2) == .none)
        prefix.send(completion: .finished)
        #expect(prefix.events == [.requested(.max(2))])
        #expect(suffix.events == [.requested(.max(3))])
        recorder.request(.max(4))
        #expect(suffix.events == [.requested(.max(3)), .requested(.max(4))])
    }

    @Test func `the suffix is asked for nothing where nothing is wanted`() {
        let recorder = subscribe(requesting: .max(1))
        prefix.send(1)
        prefix.send(completion: .finished)
        #expect(suffix.events == [])
        recorder.cancel()
        #expect(suffix.events == [.cancelled])
    }

    @Test func `where the prefix finishes inside of its value, the suffix is asked for what that value returns`() {
        let recorder = subscribe(requesting: .max(3))
        recorder.onValue = { [prefix] _ in
            prefix.send(completion: .finished)
            return .max(4)
        }
        #expect(prefix.send(1) == .none)
        #expect(suffix.events == [.requested(.max(2)), .requested(.max(4))])
    }

    @Test func `a suffix without a subscription yet is asked for that once, together with the rest`() {
        let late = ProbePublisher<Int, Oops>(subscription: nil)
        let recorder = Recorder<Int, Oops>(requesting: .max(3))
        prefix.append(late).subscribe(recorder)
        recorder.onValue = { [prefix] _ in
            prefix.send(completion: .finished)
            return .max(4)
        }
        #expect(prefix.send(1) == .none)
        let subscription = ProbeSubscription()
        late.send(subscription: subscription)
        #expect(subscription.events == [.requested(.max(6))])
    }

    @Test func `no value is lost where a subject finishes inside of its value`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        subject.append(2, 3, 4).subscribe(recorder)
        recorder.onValue = { value in
            if value == 1 { subject.send(completion: .finished) }
            return value < 3 ? .max(1) : .none
        }
        subject.send(1)
        #expect(recorder.signals == [.value(1), .value(2), .value(3)])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .value(2), .value(3), .value(4), .finished])
    }

    @Test func `a failure of the prefix ends it without the suffix`() {
        let recorder = subscribe()
        prefix.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(suffix.subscriberCount == 0)
    }

    @Test func `a failure of the suffix ends it`() {
        let recorder = subscribe()
        prefix.send(completion: .finished)
        suffix.send(completion: .failure(Oops()))
        prefix.send(1)
        suffix.send(2)
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `cancelling cancels the one that sends`() {
        let first = subscribe()
        first.cancel()
        #expect(prefix.events == [.requested(.unlimited), .cancelled])
        prefix.send(completion: .finished)
        #expect(suffix.subscriberCount == 0)
    }

    @Test func `a second subscription is cancelled`() {
        let recorder = subscribe()
        let second = ProbeSubscription()
        prefix.send(subscription: second)
        #expect(second.events == [.cancelled])
        recorder.cancel()
    }

    @Test func `cancelling from inside of the last value leaves the suffix alone`() {
        let recorder = subscribe()
        recorder.onValue = { _ in
            recorder.cancel()
            return .none
        }
        prefix.send(1)
        prefix.send(completion: .finished)
        #expect(recorder.signals == [.value(1)])
        #expect(suffix.subscriberCount == 0)
    }

    @Test func `it describes itself`() throws {
        #expect(try SelfDescription(of: prefix.append(suffix)) == SelfDescription("Concatenate"))
        #expect(
            Publishers.Concatenate(prefix: Just(1), suffix: Just(2))
                == Publishers.Concatenate(prefix: Just(1), suffix: Just(2)))
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.map { _ in ObjectIdentifier(witness).hashValue }.append(subject).prepend(0).eraseToAnyPublisher()
        }
    }
}
