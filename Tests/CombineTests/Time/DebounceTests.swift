import Combine
import Testing

@Suite struct DebounceTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<Int, Oops>()

    private func subscribe() {
        upstream.debounce(for: 10, scheduler: scheduler, options: .init(name: "options")).watched().subscribe(recorder)
    }

    @Test func `A value is sent when no other came for the due time`() {
        subscribe()
        upstream.send(1)
        scheduler.run(until: 5)
        upstream.send(2)
        scheduler.run(until: 14)
        #expect(recorder.values == [])
        scheduler.run(until: 15)
        #expect(recorder.values == [2])
        scheduler.run(until: 100)
        #expect(recorder.values == [2])
        #expect(scheduler.waiting == 0)
    }

    @Test func `Each value has a timer of its own, with the least tolerance`() {
        subscribe()
        upstream.send(1)
        scheduler.run(until: 3)
        upstream.send(2)
        #expect(
            scheduler.events == [
                .every(after: 10, interval: 10, tolerance: 7, options: "options"), .cancelled,
                .every(after: 13, interval: 10, tolerance: 7, options: "options"),
            ])
    }

    @Test func `Everything is asked of the upstream, whatever downstream asks for`() {
        recorder.onSubscription = { $0.request(.max(1)) }
        subscribe()
        #expect(upstream.events == [.requested(.unlimited)])
        #expect(upstream.send(1) == .none)
    }

    @Test func `A value that nobody asked for is dropped`() {
        recorder.onSubscription = { $0.request(.max(1)) }
        subscribe()
        upstream.send(1)
        scheduler.run(until: 10)
        upstream.send(2)
        scheduler.run(until: 20)
        recorder.request(.max(1))
        upstream.send(3)
        scheduler.run(until: 30)
        #expect(recorder.values == [1, 3])
    }

    @Test func `Demand that comes with a value counts`() {
        recorder.onSubscription = { $0.request(.max(1)) }
        recorder.onValue = { $0 == 1 ? .max(1) : .none }
        subscribe()
        for value in 1...3 {
            upstream.send(value)
            scheduler.run(until: value * 10)
        }
        #expect(recorder.values == [1, 2])
    }

    @Test func `The completion is scheduled, and the value that waits is given up`() {
        subscribe()
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [])
        #expect(scheduler.events.suffix(2) == [.cancelled, .soon(options: nil)])
        scheduler.run(until: 100)
        #expect(recorder.signals == [.finished])
    }

    @Test func `A failure is scheduled`() {
        subscribe()
        upstream.send(completion: .failure(Oops()))
        scheduler.run()
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `Nothing comes after a cancel`() {
        subscribe()
        upstream.send(1)
        recorder.cancel()
        recorder.cancel()
        upstream.send(2)
        upstream.send(completion: .finished)
        scheduler.run(until: 100)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(scheduler.waiting == 0)
    }

    @Test func `A value that is sent from inside a delivery has its own time`() {
        recorder.onValue = { [upstream] value in
            if value == 1 { upstream.send(2) }
            return .none
        }
        subscribe()
        upstream.send(1)
        scheduler.run(until: 19)
        #expect(recorder.values == [1])
        scheduler.run(until: 20)
        #expect(recorder.values == [1, 2])
        recorder.letGo()
    }

    @Test func `A scheduler that runs everything at once delays nothing`() {
        let subject = PassthroughSubject<Int, Oops>()
        subject.debounce(for: 10, scheduler: ImmediateScheduler.shared).watched().subscribe(recorder)
        subject.send(1)
        subject.send(2)
        subject.send(completion: .finished)
        #expect(recorder.signals == [.value(1), .value(2), .finished])
    }

    @Test func `A second subscription is cancelled`() {
        subscribe()
        let second = ProbeSubscription()
        upstream.send(subscription: second)
        #expect(second.events == [.cancelled])
    }

    @Test func `The subscription describes itself`() throws {
        #expect(
            try SelfDescription(of: upstream.debounce(for: 10, scheduler: scheduler))
                == SelfDescription("Debounce", labels: ["downstream", "downstreamDemand", "currentValue"]))
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeftInVirtualTime { subject, scheduler in
            subject.debounce(for: 10, scheduler: scheduler).eraseToAnyPublisher()
        }
    }
}
