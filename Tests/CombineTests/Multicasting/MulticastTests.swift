import Combine
import Testing

@Suite("multicast, share, makeConnectable and autoconnect")
struct MulticastTests {
    private let upstream = ProbePublisher<Int, Oops>()

    // MARK: multicast

    @Test func `one subscription serves all subscribers, from the connection on`() {
        let multicast = upstream.multicast { PassthroughSubject() }
        let recorders = [Recorder<Int, Oops>(), Recorder<Int, Oops>()]
        for recorder in recorders { multicast.watched().subscribe(recorder) }
        #expect(upstream.subscriberCount == 0)
        let connection = multicast.connect()
        #expect(upstream.subscriberCount == 1)
        #expect(upstream.events == [.requested(.unlimited)])
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        for recorder in recorders {
            #expect(recorder.events == [.subscription("Multicast"), .value(1), .failure("oops")])
        }
        connection.cancel()
    }

    @Test func `the subject is made once, when it is needed`() {
        var made = 0
        let multicast = upstream.multicast { () -> PassthroughSubject<Int, Oops> in
            made += 1
            return PassthroughSubject()
        }
        #expect(made == 0)
        multicast.subscribe(Recorder())
        multicast.subscribe(Recorder())
        multicast.connect().cancel()
        #expect(made == 1)
    }

    @Test func `the subject may be given`() {
        let subject = CurrentValueSubject<Int, Oops>(7)
        let multicast = upstream.multicast(subject: subject)
        let recorder = Recorder<Int, Oops>()
        multicast.watched().subscribe(recorder)
        #expect(recorder.values == [7])
        let connection = multicast.connect()
        upstream.send(8)
        #expect(subject.value == 8)
        #expect(recorder.values == [7, 8])
        connection.cancel()
    }

    @Test func `each subscriber gets what it asked for`() {
        let multicast = upstream.multicast { PassthroughSubject() }
        let modest = Recorder<Int, Oops>(requesting: .max(1))
        let growing = Recorder<Int, Oops>(requesting: .max(1), perValue: .max(1))
        multicast.watched().subscribe(modest)
        multicast.watched().subscribe(growing)
        let connection = multicast.connect()
        for value in 1...3 { upstream.send(value) }
        #expect(modest.values == [1])
        #expect(growing.values == [1, 2, 3])
        connection.cancel()
    }

    @Test func `the connection's cancel ends the values, a subscriber's only its own`() {
        let multicast = upstream.multicast { PassthroughSubject() }
        let first = Recorder<Int, Oops>()
        let second = Recorder<Int, Oops>()
        multicast.watched().subscribe(first)
        multicast.watched().subscribe(second)
        let connection = multicast.connect()
        first.cancel()
        upstream.send(1)
        #expect(first.values == [])
        #expect(second.values == [1])
        connection.cancel()
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        upstream.send(2)
        #expect(second.signals == [.value(1)])
    }

    // MARK: makeConnectable

    @Test func `makeConnectable waits for the connection`() {
        let connectable: Publishers.MakeConnectable = [1, 2].publisher.makeConnectable()
        let recorder = Recorder<Int, Never>()
        connectable.watched().subscribe(recorder)
        #expect(recorder.signals == [])
        let connection = connectable.connect()
        #expect(recorder.signals == [.value(1), .value(2), .finished])
        connection.cancel()
    }

    // MARK: autoconnect and share

    @Test func `the first subscriber connects, and the last one to cancel ends the connection`() {
        let shared = upstream.share()
        let first = Recorder<Int, Oops>()
        let second = Recorder<Int, Oops>()
        #expect(upstream.subscriberCount == 0)
        shared.watched().subscribe(first)
        shared.watched().subscribe(second)
        #expect(upstream.subscriberCount == 1)
        upstream.send(1)
        first.cancel()
        #expect(upstream.subscription?.isCancelled == false)
        upstream.send(2)
        second.cancel()
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(first.values == [1])
        #expect(second.values == [1, 2])
    }

    @Test func `one that cancels twice leaves once`() {
        let shared = upstream.share()
        var subscriptions: [any Subscription] = []
        for _ in 0..<2 {
            shared.subscribe(AnySubscriber(receiveSubscription: { subscriptions.append($0) }))
        }
        subscriptions[0].cancel()
        subscriptions[0].cancel()
        #expect(upstream.subscription?.isCancelled == false)
        subscriptions[1].cancel()
        #expect(upstream.subscription?.isCancelled == true)
    }

    @Test func `who comes after the last one left connects again`() {
        let shared = upstream.share()
        for round in 1...3 {
            let recorder = Recorder<Int, Oops>()
            shared.watched().subscribe(recorder)
            #expect(upstream.subscriberCount == round)
            upstream.send(round)
            recorder.cancel()
            #expect(recorder.values == [round])
        }
    }

    @Test func `who comes after the end is told of it`() {
        let shared = [1].publisher.share()
        let first = Recorder<Int, Never>()
        let second = Recorder<Int, Never>()
        shared.watched().subscribe(first)
        shared.watched().subscribe(second)
        #expect(first.signals == [.value(1), .finished])
        #expect(second.signals == [.finished])
    }

    @Test func `who cancels while the connection is made ends it`() {
        let recorder = Recorder<Int, Never>()
        recorder.onValue = { _ in
            recorder.cancel()
            return .none
        }
        var cancelled = 0
        let never = PassthroughSubject<Int, Never>()
        let shared = never.prepend(1).handleEvents(receiveCancel: { cancelled += 1 }).share()
        shared.watched().subscribe(recorder)
        #expect(recorder.signals == [.value(1)])
        #expect(cancelled == 1)
    }

    @Test func `autoconnect takes any connectable publisher`() {
        let recorder = Recorder<Int, Never>()
        Just(1).makeConnectable().autoconnect().watched().subscribe(recorder)
        #expect(recorder.signals == [.value(1), .finished])
    }

    // MARK: Description and lifetime

    @Test func `they describe themselves`() throws {
        #expect(
            try SelfDescription(of: upstream.multicast { PassthroughSubject() }) == SelfDescription("Multicast"))
        #expect(try SelfDescription(of: Just(1).makeConnectable()) == SelfDescription("Multicast"))
    }

    @Test func `a share is equal to itself only`() {
        let shared = Just(1).share()
        #expect(shared == shared)
        #expect(shared != Just(1).share())
    }

    @Test func `they let go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.map { _ in ObjectIdentifier(witness).hashValue }.share().eraseToAnyPublisher()
        }
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.map { _ in ObjectIdentifier(witness).hashValue }.makeConnectable().autoconnect()
                .eraseToAnyPublisher()
        }
    }
}
