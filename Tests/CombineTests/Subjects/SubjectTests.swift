import Combine
import Testing

/// What both kinds of subjects promise.
@Suite struct SubjectTests {
    @Test func `No value goes to a subscriber without demand`() {
        let subject = PassthroughSubject<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(1), perValue: .none)
        subject.subscribe(recorder)
        subject.send(1)
        subject.send(2)
        recorder.request(.max(2))
        subject.send(3)
        recorder.onValue = { _ in .max(1) }
        subject.send(4)
        recorder.onValue = { _ in .none }
        subject.send(5)
        subject.send(6)
        #expect(recorder.values == [1, 3, 4, 5])
    }

    @Test func `A current value is sent when it is first asked for, and when one was missed`() {
        let subject = CurrentValueSubject<Int, Never>(1)
        let recorder = Recorder<Int, Never>(requesting: nil)
        subject.subscribe(recorder)
        #expect(recorder.values == [])
        subject.send(2)
        recorder.request(.max(1))
        #expect(recorder.values == [2])
        subject.value = 3
        subject.value = 4
        #expect(subject.value == 4)
        #expect(recorder.values == [2])
        recorder.request(.max(2))
        #expect(recorder.values == [2, 4])
        subject.send(5)
        #expect(recorder.values == [2, 4, 5])
    }

    @Test func `Subscribers are served in the order in which they came`() {
        let subject = PassthroughSubject<Int, Never>()
        var order: [String] = []
        let all = ["a", "b", "c"].map { name in subject.sink { order.append("\(name)\($0)") } }
        subject.send(1)
        all[1].cancel()
        subject.send(2)
        #expect(order == ["a1", "b1", "c1", "a2", "c2"])
    }

    @Test func `Nothing comes after the end, and late subscribers get only that`() {
        let passthrough = PassthroughSubject<Int, Oops>()
        let current = CurrentValueSubject<Int, Oops>(0)
        for subject in [AnySubject(passthrough), AnySubject(current)] {
            let early = Recorder<Int, Oops>(requesting: nil)
            subject.publisher.subscribe(early)
            subject.end(.failure(Oops("first")))
            subject.end(.finished)
            subject.send(1)
            let late = Recorder<Int, Oops>()
            subject.publisher.subscribe(late)
            #expect(early.signals == [.failure("first")])
            #expect(late.events == [.subscription("Empty"), .failure("first")])
        }
        #expect(current.value == 0)
    }

    private struct AnySubject {
        let publisher: AnyPublisher<Int, Oops>
        let send: (Int) -> Void
        let end: (Subscribers.Completion<Oops>) -> Void

        init<S: Subject>(_ subject: S) where S.Output == Int, S.Failure == Oops {
            publisher = subject.eraseToAnyPublisher()
            send = { subject.send($0) }
            end = { subject.send(completion: $0) }
        }
    }

    @Test func `A subscriber may send, subscribe, cancel and end from inside of a value`() {
        let subject = PassthroughSubject<Int, Never>()
        let inner = Recorder<Int, Never>()
        let outer = Recorder<Int, Never>()
        outer.onValue = { value in
            switch value {
            case 1:
                subject.subscribe(inner)
                subject.send(2)
            case 2: subject.send(3)
            case 3:
                inner.cancel()
                subject.send(completion: .finished)
            default: break
            }
            return .none
        }
        subject.subscribe(outer)
        subject.send(1)
        #expect(outer.signals == [.value(1), .value(2), .value(3), .finished])
        #expect(inner.values.allSatisfy { $0 > 1 })
        #expect(!inner.signals.contains(.finished))
    }

    @Test func `A passthrough subject asks its upstream once somebody downstream asks`() {
        let subject = PassthroughSubject<Int, Never>()
        let (first, second) = (ProbeSubscription(), ProbeSubscription())
        subject.send(subscription: first)
        #expect(first.events == [])
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        subject.subscribe(recorder)
        #expect(first.events == [.requested(.unlimited)])
        subject.send(subscription: second)
        #expect(second.events == [.requested(.unlimited)])
        recorder.request(.max(1))
        #expect(first.events == [.requested(.unlimited)])
    }

    @Test func `A current value subject asks its upstream at once`() {
        let subject = CurrentValueSubject<Int, Never>(0)
        let subscription = ProbeSubscription()
        subject.send(subscription: subscription)
        #expect(subscription.events == [.requested(.unlimited)])
    }

    @Test func `A subject that goes cancels its upstreams`() {
        let subscription = ProbeSubscription()
        PassthroughSubject<Int, Never>().send(subscription: subscription)
        CurrentValueSubject<Int, Never>(0).send(subscription: subscription)
        #expect(subscription.events == [.cancelled, .requested(.unlimited), .cancelled])
    }

    @Test func `A publisher feeds a subject until it is cancelled`() {
        let upstream = ProbePublisher<Int, Oops>()
        let subject = PassthroughSubject<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        subject.subscribe(recorder)
        let cancellable = upstream.subscribe(subject)
        upstream.send(1)
        cancellable.cancel()
        upstream.send(2)
        #expect(recorder.signals == [.value(1)])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `A cancelled subscription lets go of its subscriber`() {
        weak var left: Recorder<Int, Never>?
        var subscription: (any Subscription)?
        let subject = CurrentValueSubject<Int, Never>(0)
        do {
            let recorder = Recorder<Int, Never>()
            left = recorder
            subject.subscribe(recorder)
            subscription = recorder.subscription
        }
        #expect(left != nil)
        subscription?.cancel()
        #expect(left == nil)
    }

    @Test func `Subscriptions describe themselves`() throws {
        let recorder = Recorder<Int, Never>(requesting: .max(3))
        PassthroughSubject<Int, Never>().subscribe(recorder)
        let subscription = try #require(recorder.subscription)
        #expect(String(describing: subscription) == "PassthroughSubject")
        let children = Array(Mirror(reflecting: subscription).children)
        #expect(children.map { $0.label } == ["parent", "downstream", "demand", "subject"])
        #expect(children[1].value as? Recorder<Int, Never> === recorder)
        #expect(children[2].value as? Subscribers.Demand == .max(3))
        let other = Recorder<Int, Never>()
        CurrentValueSubject<Int, Never>(1).subscribe(other)
        #expect(other.events.first == .subscription("CurrentValueSubject"))
    }

    @Test func `A subject of Void sends without an argument`() {
        let subject = PassthroughSubject<Void, Never>()
        var count = 0
        let cancellable = subject.sink { count += 1 }
        subject.send()
        cancellable.cancel()
        #expect(count == 1)
    }
}
