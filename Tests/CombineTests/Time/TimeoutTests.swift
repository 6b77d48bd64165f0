import Combine
import Testing

@Suite struct TimeoutTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<Int, Oops>()

    private func subscribe(failing: Bool = false) {
        upstream.timeout(
            10, scheduler: scheduler, options: .init(name: "options"), customError: failing ? { Oops("late") } : nil
        ).watched().subscribe(recorder)
    }

    @Test func `It finishes when no value came for the interval`() {
        subscribe()
        scheduler.run(until: 9)
        #expect(recorder.signals == [])
        scheduler.run(until: 10)
        #expect(recorder.signals == [.finished])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(scheduler.waiting == 0)
    }

    @Test func `It fails with an error of the caller's making`() {
        subscribe(failing: true)
        scheduler.run(until: 10)
        #expect(recorder.signals == [.failure("late")])
    }

    @Test func `Each value starts the time anew, and is sent from the scheduler`() {
        subscribe()
        for value in 1...3 {
            scheduler.run(until: value * 9)
            upstream.send(value)
            #expect(recorder.values.count == value - 1)
        }
        scheduler.run(until: 36)
        #expect(recorder.signals == [.value(1), .value(2), .value(3)])
        scheduler.run(until: 37)
        #expect(recorder.signals == [.value(1), .value(2), .value(3), .finished])
    }

    @Test func `The time begins with the subscription, and anew with the first request`() {
        recorder.onSubscription = { _ in }
        subscribe()
        scheduler.run(until: 5)
        recorder.request(.max(1))
        recorder.request(.max(1))
        #expect(
            scheduler.events == [
                .every(after: 10, interval: 10, tolerance: 7, options: "options"), .cancelled,
                .every(after: 15, interval: 10, tolerance: 7, options: "options"),
            ])
        #expect(upstream.events == [.requested(.max(1)), .requested(.max(1))])
    }

    @Test func `A value replaces the timer before it is scheduled`() {
        subscribe()
        upstream.send(1)
        #expect(
            scheduler.events.dropFirst(2) == [
                .every(after: 10, interval: 10, tolerance: 7, options: "options"), .cancelled,
                .every(after: 10, interval: 10, tolerance: 7, options: "options"), .soon(options: "options"),
            ])
    }

    @Test func `A completion stops the time and is scheduled`() {
        subscribe()
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [])
        scheduler.run(until: 100)
        #expect(recorder.signals == [.value(1), .failure("oops")])
        #expect(scheduler.waiting == 0)
    }

    @Test func `Demand that comes with a value goes upstream`() {
        recorder.onValue = { _ in .max(3) }
        subscribe()
        upstream.send(1)
        scheduler.run()
        #expect(upstream.events == [.requested(.unlimited), .requested(.max(3))])
    }

    @Test func `What comes too late is nothing`() {
        subscribe()
        scheduler.run(until: 10)
        upstream.send(1)
        upstream.send(completion: .finished)
        scheduler.run(until: 100)
        #expect(recorder.signals == [.finished])
    }

    @Test func `Nothing comes after a cancel`() {
        subscribe()
        upstream.send(1)
        recorder.cancel()
        scheduler.run(until: 100)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(scheduler.waiting == 0)
    }

    @Test func `The subscription describes itself`() throws {
        #expect(try SelfDescription(of: upstream.timeout(1, scheduler: scheduler)) == SelfDescription("Timeout"))
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeftInVirtualTime { subject, scheduler in
            subject.timeout(10, scheduler: scheduler).eraseToAnyPublisher()
        }
    }
}
