import Combine
import Dispatch
import Testing

@Suite struct ReceiveOnTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<Int, Oops>(requesting: .max(5))

    private func subscribe() {
        upstream.receive(on: scheduler, options: .init(name: "options")).watched().subscribe(recorder)
    }

    @Test func `Values and completion are scheduled, the subscription is not`() {
        subscribe()
        #expect(recorder.events == [.subscription("ReceiveOn")])
        upstream.send(1)
        upstream.send(completion: .finished)
        #expect(recorder.signals == [])
        #expect(scheduler.events == [.soon(options: "options"), .soon(options: "options")])
        scheduler.run()
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `Demand goes upstream at once, and that which comes with a value when it comes`() {
        recorder.onValue = { _ in .max(2) }
        subscribe()
        #expect(upstream.events == [.requested(.max(5))])
        #expect(upstream.send(1) == .none)
        scheduler.run()
        #expect(upstream.events == [.requested(.max(5)), .requested(.max(2))])
    }

    @Test func `Nothing comes after a cancel`() {
        subscribe()
        upstream.send(1)
        recorder.cancel()
        scheduler.run()
        #expect(recorder.signals == [])
    }

    @Test func `Cancelling reaches the upstream once, and not the scheduler`() {
        subscribe()
        recorder.cancel()
        recorder.cancel()
        #expect(upstream.events == [.requested(.max(5)), .cancelled])
        #expect(scheduler.events == [])
    }

    @Test func `What the downstream sends itself arrives where the scheduler runs it at once`() {
        let subject = PassthroughSubject<Int, Oops>()
        recorder.onValue = { value in
            if value < 3 { subject.send(value + 1) }
            return .none
        }
        subject.receive(on: ImmediateScheduler.shared).watched().subscribe(recorder)
        subject.send(1)
        subject.send(completion: .finished)
        #expect(recorder.signals == [.value(1), .value(2), .value(3), .finished])
        recorder.letGo()
    }

    @Test func `Values keep their order, and come one at a time, on a concurrent queue`() async {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let received = await withCheckedContinuation { (continuation: CheckedContinuation<[Int], Never>) in
            var received: [Int] = []
            var kept: AnyCancellable?
            kept = (0..<2000).publisher.receive(on: queue).sink(
                receiveCompletion: { _ in
                    _ = kept
                    continuation.resume(returning: received)
                }, receiveValue: { received.append($0) })
        }
        #expect(received == Array(0..<2000))
    }

    @Test func `The subscription describes itself`() throws {
        #expect(try SelfDescription(of: upstream.receive(on: scheduler)) == SelfDescription("ReceiveOn"))
    }

    @Test func `Nothing is left of it`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, _) in
            subject.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher()
        }
    }
}
