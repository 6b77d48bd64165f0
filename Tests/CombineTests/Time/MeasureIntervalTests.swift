import Combine
import Testing

@Suite struct MeasureIntervalTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<VirtualScheduler.SchedulerTimeType.Stride, Oops>(requesting: .max(2))

    @Test func `Each value becomes the time since the one before it`() {
        scheduler.run(until: 5)
        upstream.measureInterval(using: scheduler).watched().subscribe(recorder)
        scheduler.run(until: 8)
        upstream.send(1)
        scheduler.run(until: 20)
        upstream.send(2)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [.value(3), .value(12), .finished])
        #expect(scheduler.events == [])
    }

    @Test func `Demand goes upstream`() {
        recorder.onValue = { _ in .max(1) }
        upstream.measureInterval(using: scheduler).watched().subscribe(recorder)
        #expect(upstream.send(1) == .none)
        #expect(upstream.events == [.requested(.max(2)), .requested(.max(1))])
    }

    @Test func `A failure is passed on, and nothing after it`() {
        upstream.measureInterval(using: scheduler).watched().subscribe(recorder)
        upstream.send(completion: .failure(Oops()))
        upstream.send(1)
        #expect(recorder.signals == [.failure("oops")])
    }

    @Test func `Cancelling reaches the upstream once, and nothing comes after it`() {
        upstream.measureInterval(using: scheduler).watched().subscribe(recorder)
        recorder.cancel()
        recorder.cancel()
        upstream.send(1)
        #expect(recorder.signals == [])
        #expect(upstream.events == [.requested(.max(2)), .cancelled])
    }

    @Test func `The subscription describes itself`() throws {
        #expect(
            try SelfDescription(of: upstream.measureInterval(using: scheduler)) == SelfDescription("MeasureInterval"))
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, _) in
            subject.measureInterval(using: VirtualScheduler()).eraseToAnyPublisher()
        }
    }
}
