import Combine
import Testing

@Suite struct DelayTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<Int, Oops>(requesting: .max(5))

    private func subscribe() {
        upstream.delay(for: 10, tolerance: 3, scheduler: scheduler, options: .init(name: "options")).watched()
            .subscribe(recorder)
    }

    @Test func `Values and completion come later by the interval`() {
        subscribe()
        upstream.send(1)
        scheduler.run(until: 4)
        upstream.send(2)
        upstream.send(completion: .finished)
        scheduler.run(until: 9)
        #expect(recorder.signals == [])
        scheduler.run(until: 10)
        #expect(recorder.signals == [.value(1)])
        scheduler.run(until: 14)
        #expect(recorder.signals == [.value(1), .value(2), .finished])
        #expect(
            scheduler.events == [
                .once(after: 10, tolerance: 3, options: "options"),
                .once(after: 14, tolerance: 3, options: "options"),
                .once(after: 14, tolerance: 3, options: "options"),
            ])
    }

    @Test func `The tolerance is the scheduler's unless another is given`() {
        #expect(upstream.delay(for: 10, scheduler: scheduler).tolerance == 7)
        #expect(upstream.delay(for: 10, tolerance: 3, scheduler: scheduler).tolerance == 3)
    }

    @Test func `Demand goes upstream, and that which comes with a value when it comes`() {
        recorder.onValue = { _ in .max(2) }
        subscribe()
        #expect(upstream.send(1) == .none)
        #expect(upstream.events == [.requested(.max(5))])
        scheduler.run(until: 10)
        #expect(upstream.events == [.requested(.max(5)), .requested(.max(2))])
    }

    @Test func `A failure waits its turn`() {
        subscribe()
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        upstream.send(2)
        scheduler.run(until: 10)
        #expect(recorder.signals == [.value(1), .failure("oops")])
    }

    @Test func `What is on its way does not arrive after a cancel`() {
        subscribe()
        upstream.send(1)
        recorder.cancel()
        scheduler.run(until: 100)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.requested(.max(5)), .cancelled])
    }

    @Test func `Cancelling reaches the upstream once`() {
        subscribe()
        recorder.cancel()
        recorder.cancel()
        #expect(upstream.events == [.requested(.max(5)), .cancelled])
    }

    @Test func `Cancelling from inside a delivery stops the next`() {
        recorder.onValue = { [recorder] _ in
            recorder.cancel()
            return .max(1)
        }
        subscribe()
        upstream.send(1)
        upstream.send(2)
        scheduler.run(until: 10)
        #expect(recorder.signals == [.value(1)])
        #expect(upstream.events == [.requested(.max(5)), .cancelled])
        recorder.letGo()
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeftInVirtualTime { subject, scheduler in
            subject.delay(for: 10, scheduler: scheduler).eraseToAnyPublisher()
        }
    }
}
