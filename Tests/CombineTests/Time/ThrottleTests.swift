import Combine
import Testing

@Suite struct ThrottleTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<Int, Oops>()

    private func subscribe(latest: Bool) {
        upstream.throttle(for: 10, scheduler: scheduler, latest: latest).watched().subscribe(recorder)
    }

    /// Sends a value at each nanosecond, and runs what is due.
    private func sendOneEachNanosecond(_ values: ClosedRange<Int>) {
        for value in values {
            scheduler.run(until: value)
            upstream.send(value)
            scheduler.run()
        }
    }

    @Test func `The first value comes at once, then the latest of each interval`() {
        subscribe(latest: true)
        sendOneEachNanosecond(0...25)
        scheduler.run(until: 100)
        #expect(recorder.values == [0, 9, 19, 25])
    }

    @Test func `The first value comes at once, then the first of each interval`() {
        subscribe(latest: false)
        sendOneEachNanosecond(0...25)
        scheduler.run(until: 100)
        #expect(recorder.values == [0, 1, 10, 20])
    }

    @Test func `Values further apart than the interval are not held up`() {
        subscribe(latest: true)
        upstream.send(1)
        scheduler.run(until: 30)
        upstream.send(2)
        scheduler.run()
        #expect(recorder.values == [1, 2])
        #expect(scheduler.events == [.soon(options: nil), .soon(options: nil)])
    }

    @Test func `A value that is too early is scheduled for the end of the interval`() {
        subscribe(latest: true)
        upstream.send(1)
        scheduler.run(until: 4)
        upstream.send(2)
        #expect(scheduler.events == [.soon(options: nil), .once(after: 10, tolerance: 7, options: nil)])
    }

    @Test func `The completion comes with the value that waits`() {
        subscribe(latest: true)
        upstream.send(1)
        scheduler.run(until: 4)
        upstream.send(2)
        upstream.send(completion: .finished)
        scheduler.run(until: 9)
        #expect(recorder.signals == [.value(1)])
        scheduler.run(until: 10)
        #expect(recorder.signals == [.value(1), .value(2), .finished])
    }

    @Test func `A failure where nothing waits is scheduled`() {
        subscribe(latest: true)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [])
        scheduler.run()
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `Everything is asked of the upstream, and only what was asked for is sent`() {
        recorder.onSubscription = { $0.request(.max(1)) }
        subscribe(latest: true)
        #expect(upstream.events == [.requested(.unlimited)])
        upstream.send(1)
        scheduler.run(until: 20)
        upstream.send(2)
        scheduler.run(until: 40)
        #expect(recorder.values == [1])
        recorder.request(.max(1))
        upstream.send(3)
        scheduler.run(until: 60)
        #expect(recorder.values == [1, 3])
    }

    @Test func `Nothing comes after a cancel`() {
        subscribe(latest: true)
        upstream.send(1)
        recorder.cancel()
        upstream.send(2)
        upstream.send(completion: .finished)
        scheduler.run(until: 100)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `A value that is sent from inside a delivery waits for the next interval`() {
        recorder.onValue = { [upstream] value in
            if value == 1 { upstream.send(2) }
            return .none
        }
        subscribe(latest: true)
        upstream.send(1)
        scheduler.run(until: 9)
        #expect(recorder.values == [1])
        scheduler.run(until: 10)
        #expect(recorder.values == [1, 2])
        recorder.letGo()
    }

    @Test func `A value that comes while another is emitted waits for the next interval`() {
        subscribe(latest: true)
        upstream.send(1)
        scheduler.onNow = { [scheduler, upstream] in
            scheduler.onNow = {}
            upstream.send(2)
        }
        scheduler.run()
        #expect(recorder.values == [1])
        #expect(scheduler.events == [.soon(options: nil), .once(after: 10, tolerance: 7, options: nil)])
        scheduler.run(until: 10)
        #expect(recorder.values == [1, 2])
    }

    @Test func `The end that comes while a value is emitted comes after that`() {
        subscribe(latest: true)
        upstream.send(1)
        scheduler.onNow = { [scheduler, upstream] in
            scheduler.onNow = {}
            upstream.send(completion: .finished)
            // As a scheduler with several threads does.
            scheduler.run()
        }
        scheduler.run()
        scheduler.run(until: 10)
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `Downstream may be waiting for another thread that requests, sends and cancels`() {
        recorder.onSubscription = { $0.request(.max(1)) }
        recorder.onValue = { [upstream, recorder] value in
            onAnotherThread {
                recorder.request(.max(2))
                upstream.send(value + 1)
                if value == 2 { recorder.cancel() }
            }
            return .none
        }
        subscribe(latest: true)
        upstream.send(1)
        scheduler.run(until: 100)
        #expect(recorder.signals == [.value(1), .value(2)])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        recorder.letGo()
    }

    @Test func `The subscription describes itself`() throws {
        #expect(
            try SelfDescription(of: upstream.throttle(for: 1, scheduler: scheduler, latest: true))
                == SelfDescription("Throttle"))
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeftInVirtualTime { subject, scheduler in
            subject.throttle(for: 10, scheduler: scheduler, latest: true).eraseToAnyPublisher()
        }
    }
}
