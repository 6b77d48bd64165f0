import Combine
import Testing

@Suite("switchToLatest")
struct SwitchToLatestTests {
    private typealias Inner = ProbePublisher<Int, Oops>

    private let publishers = ProbePublisher<ProbePublisher<Int, Oops>, Oops>()
    private let first = ProbePublisher<Int, Oops>()
    private let second = ProbePublisher<Int, Oops>()

    private func subscribe(
        requesting demand: Subscribers.Demand? = .unlimited, perValue: Subscribers.Demand = .none
    ) -> Recorder<Int, Oops> {
        let recorder = Recorder<Int, Oops>(requesting: demand, perValue: perValue)
        publishers.switchToLatest().watched().subscribe(recorder)
        return recorder
    }

    // MARK: Values

    @Test func `the values of the latest pass, and what came before is cancelled`() {
        let recorder = subscribe()
        publishers.send(first)
        first.send(1)
        publishers.send(second)
        first.send(2)
        second.send(3)
        #expect(recorder.values == [1, 3])
        #expect(first.events == [.requested(.unlimited), .cancelled])
        #expect(second.events == [.requested(.unlimited)])
    }

    @Test func `it takes publishers that cannot fail, and from a publisher that cannot`() {
        func values<P: Publisher>(_ publisher: P) -> [P.Output] where P.Output: Equatable {
            let recorder = Recorder<P.Output, P.Failure>()
            publisher.watched().subscribe(recorder)
            return recorder.values
        }
        let both: Publishers.SwitchToLatest<Just<Int>, Just<Just<Int>>> = Just(Just(1)).switchToLatest()
        #expect(values(both) == [1])
        #expect(values(Just(Result<Int, Oops>.Publisher(2)).switchToLatest()) == [2])
        #expect(values(Result<Just<Int>, Oops>.Publisher(Just(3)).switchToLatest()) == [3])
    }

    // MARK: Demand

    @Test func `all publishers are requested, and of each no more values than are wanted`() {
        let recorder = subscribe(requesting: .max(3))
        #expect(publishers.events == [.requested(.unlimited)])
        publishers.send(first)
        #expect(first.events == [.requested(.max(3))])
        first.send(1)
        publishers.send(second)
        #expect(second.events == [.requested(.max(2))])
        recorder.request(.max(4))
        #expect(second.events == [.requested(.max(2)), .requested(.max(4))])
    }

    @Test func `what a value asks for is returned to its publisher`() {
        let recorder = subscribe(requesting: .max(1), perValue: .max(2))
        publishers.send(first)
        #expect(first.send(1) == .max(2))
        publishers.send(second)
        #expect(second.events == [.requested(.max(2))])
        #expect(recorder.values == [1])
    }

    @Test func `what a value asks for while it brings about the switch goes to the new publisher`() {
        let recorder = subscribe(requesting: .max(1))
        recorder.onValue = { [publishers, second] _ in
            publishers.send(second)
            return .max(2)
        }
        publishers.send(first)
        #expect(first.send(1) == .none)
        #expect(second.events == [.requested(.max(2))])
    }

    @Test func `a publisher is asked for nothing where nothing is wanted`() {
        let recorder = subscribe(requesting: nil)
        publishers.send(first)
        #expect(first.events == [])
        recorder.request(.max(1))
        #expect(first.events == [.requested(.max(1))])
    }

    // MARK: The end

    @Test func `it finishes when the publishers and the latest have finished`() {
        let recorder = subscribe()
        publishers.send(first)
        publishers.send(completion: .finished)
        #expect(recorder.signals == [])
        first.send(1)
        first.send(completion: .finished)
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `the latest may finish and others may follow`() {
        let recorder = subscribe()
        publishers.send(first)
        first.send(completion: .finished)
        publishers.send(second)
        second.send(2)
        second.send(completion: .finished)
        #expect(recorder.signals == [.value(2)])
        publishers.send(completion: .finished)
        #expect(recorder.signals == [.value(2), .finished])
    }

    @Test func `a failure of the latest cancels the publishers`() {
        let recorder = subscribe()
        publishers.send(first)
        first.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(publishers.events == [.requested(.unlimited), .cancelled])
        publishers.send(second)
        #expect(second.subscriberCount == 0)
    }

    @Test func `a failure of the publishers cancels the latest`() {
        let recorder = subscribe()
        publishers.send(first)
        publishers.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(first.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `a failure of one that is not the latest is no news`() {
        let recorder = subscribe()
        publishers.send(first)
        publishers.send(second)
        first.send(completion: .failure(Oops()))
        second.send(1)
        #expect(recorder.signals == [.value(1)])
    }

    @Test func `cancelling cancels the latest and the publishers`() {
        let recorder = subscribe()
        publishers.send(first)
        recorder.cancel()
        #expect(first.events == [.requested(.unlimited), .cancelled])
        #expect(publishers.events == [.requested(.unlimited), .cancelled])
        first.send(1)
        #expect(recorder.signals == [])
    }

    // MARK: Re-entrancy

    @Test func `switching from inside of a value leaves the rest of the old publisher behind`() {
        let subject = PassthroughSubject<Publishers.Sequence<[Int], Never>, Never>()
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { value in
            if value == 1 { subject.send([10, 11].publisher) }
            return .none
        }
        subject.switchToLatest().watched().subscribe(recorder)
        subject.send([1, 2, 3].publisher)
        #expect(recorder.values == [1, 10, 11])
    }

    @Test func `cancelling from inside of a value ends it`() {
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { _ in
            recorder.cancel()
            return .none
        }
        Just([1, 2].publisher).switchToLatest().watched().subscribe(recorder)
        #expect(recorder.signals == [.value(1)])
    }

    // MARK: Description and lifetime

    @Test func `it describes itself`() throws {
        #expect(try SelfDescription(of: publishers.switchToLatest()) == SelfDescription("SwitchToLatest"))
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.map { value in
                subject.map { [witness] _ in value + (ObjectIdentifier(witness).hashValue & 1) }.prepend(value)
            }
            .switchToLatest().eraseToAnyPublisher()
        }
    }

    /// The same as Apple's, although nothing of it continues.
    @Test func `a publisher whose subscription comes after the failure is asked for values and not cancelled`() {
        let recorder = subscribe()
        let late = Inner(subscription: nil)
        publishers.send(late)
        publishers.send(completion: .failure(Oops()))
        let subscription = ProbeSubscription()
        late.send(subscription: subscription)
        late.send(1)
        #expect(recorder.signals == [.failure("oops")])
        #expect(subscription.events == [.requested(.unlimited)])
    }

    @Test func `a publisher whose subscription comes after a cancel is cancelled`() {
        let recorder = subscribe()
        let late = Inner(subscription: nil)
        publishers.send(late)
        recorder.cancel()
        let subscription = ProbeSubscription()
        late.send(subscription: subscription)
        #expect(subscription.events == [.cancelled])
    }
}
