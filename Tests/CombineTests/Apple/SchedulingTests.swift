import Combine
import Foundation
import Testing

/// When the operators that have a scheduler use it, and what they hold until it has run: the same as Apple's.
@Suite struct SchedulingTests {
    private let scheduler = VirtualScheduler()
    private let upstream = ProbePublisher<Int, Oops>()
    private let recorder = Recorder<Int, Oops>(requesting: .unlimited, perValue: .max(3))

    @Test func `a timeout begins with the subscription, before anything is asked for`() {
        let recorder = Recorder<Int, Oops>(requesting: nil)
        upstream.timeout(13, scheduler: scheduler).subscribe(recorder)
        #expect(scheduler.events == [.every(after: 13, interval: 13, tolerance: 7, options: nil)])
        scheduler.run(until: 13)
        #expect(recorder.signals == [.finished])
        #expect(upstream.events == [.cancelled])
    }

    @Test func `a completion that a timeout has put off can be cancelled`() {
        upstream.timeout(13, scheduler: scheduler).subscribe(recorder)
        upstream.send(completion: .finished)
        recorder.cancel()
        scheduler.run(until: 50)
        #expect(recorder.signals == [])
    }

    @Test func `a completion that delay or receive(on:) has put off cannot be cancelled`() {
        let delayed = Recorder<Int, Oops>()
        upstream.delay(for: 5, scheduler: scheduler).subscribe(delayed)
        upstream.send(completion: .finished)
        delayed.cancel()
        scheduler.run(until: 5)
        #expect(delayed.signals == [.finished])
        let moved = Recorder<Int, Oops>()
        upstream.receive(on: scheduler).subscribe(moved)
        upstream.send(completion: .finished)
        moved.cancel()
        scheduler.run()
        #expect(moved.signals == [.finished])
    }

    @Test func `what is asked for with a value that comes after the end still goes upstream`() {
        upstream.receive(on: scheduler).subscribe(recorder)
        upstream.send(1)
        upstream.send(completion: .finished)
        scheduler.run()
        #expect(recorder.signals == [.value(1), .finished])
        #expect(upstream.events == [.requested(.unlimited), .requested(.max(3))])
    }

    @Test func `a debounce's completion is scheduled without options`() {
        upstream.debounce(for: 5, scheduler: scheduler, options: .init(name: "slow")).subscribe(recorder)
        upstream.send(completion: .finished)
        #expect(scheduler.events == [.soon(options: nil)])
    }

    @Test func `subscribe(on:) makes every request, also of nothing and of what is cancelled by then`() {
        let recorder = Recorder<Int, Oops>(requesting: nil)
        upstream.subscribe(on: scheduler).subscribe(recorder)
        scheduler.run()
        recorder.request(.none)
        recorder.request(.max(2))
        recorder.cancel()
        #expect(upstream.events == [])
        scheduler.run()
        #expect(upstream.events == [.requested(.none), .requested(.max(2)), .cancelled])
    }

    @Test func `what is scheduled holds the subscriber, but not with throttle`() {
        func isHeld<P: Publisher<Int, Oops>>(_ build: (ProbePublisher<Int, Oops>) -> P) -> Bool {
            weak var left: Recorder<Int, Oops>?
            do {
                let upstream = ProbePublisher<Int, Oops>()
                let recorder = Recorder<Int, Oops>()
                build(upstream).subscribe(recorder)
                upstream.send(1)
                recorder.cancel()
                recorder.letGo()
                upstream.letGo()
                left = recorder
            }
            return left != nil
        }
        #expect(isHeld { $0.delay(for: 5, scheduler: scheduler) })
        #expect(isHeld { $0.receive(on: scheduler) })
        #expect(!isHeld { $0.throttle(for: 5, scheduler: scheduler, latest: true) })
    }

    @Test func `dates of run loops and of operation queues are of two types`() {
        let type: Any.Type = RunLoop.SchedulerTimeType.self
        #expect(type != OperationQueue.SchedulerTimeType.self)
        let stride: Any.Type = RunLoop.SchedulerTimeType.Stride.self
        #expect(stride != OperationQueue.SchedulerTimeType.Stride.self)
        #expect(RunLoop.SchedulerTimeType.Stride.milliseconds(1500) == 1.5)
    }

    @Test func `a stride of a dispatch queue that cannot be counted is the longest there is`() throws {
        typealias Stride = DispatchQueue.SchedulerTimeType.Stride
        #expect(Stride.seconds(Int.max) == .nanoseconds(.max))
        #expect(Stride.seconds(Int.min) == .nanoseconds(.min))
        #expect(Stride.seconds(1e300) == .nanoseconds(.max))
        #expect(Stride(exactly: 2) == .seconds(2))
        #expect(Stride.seconds(3) * .seconds(2) == .seconds(6))
        #expect(Stride.nanoseconds(3) * .nanoseconds(2) == .nanoseconds(0))
        #expect(
            String(decoding: try JSONEncoder().encode([Stride(.nanoseconds(5))]), as: UTF8.self)
                == #"[{"_nanoseconds":5}]"#)
        let (soon, never) = (DispatchQueue.SchedulerTimeType(.now()), DispatchQueue.SchedulerTimeType(.distantFuture))
        #expect(soon.distance(to: never) == .nanoseconds(.max))
        #expect(never.distance(to: soon) == .nanoseconds(.max))
    }

    @Test func `all moments of the immediate scheduler are one`() {
        let now = ImmediateScheduler.shared.now
        #expect(now.advanced(by: 100) == now)
        #expect(now.distance(to: now.advanced(by: 100)) == 0)
    }
}
