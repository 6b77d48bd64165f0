import Combine
import Dispatch
import Foundation
import Testing

@Suite struct DispatchQueueSchedulerTests {
    typealias Time = DispatchQueue.SchedulerTimeType
    typealias Stride = DispatchQueue.SchedulerTimeType.Stride

    private let queue = DispatchQueue(label: "scheduler")

    /// Waits until the queue has done what the closure scheduled on it.
    private func awaits(_ schedule: (@escaping () -> Void) -> Void) -> DispatchTimeoutResult {
        let done = DispatchSemaphore(value: 0)
        schedule { done.signal() }
        return done.wait(timeout: .now() + 600)
    }

    @Test func `A stride counts nanoseconds, whatever it was made of`() {
        #expect(Stride.seconds(2).magnitude == 2_000_000_000)
        #expect(Stride.seconds(1.5).magnitude == 1_500_000_000)
        #expect(Stride.milliseconds(2).magnitude == 2_000_000)
        #expect(Stride.microseconds(2).magnitude == 2000)
        #expect(Stride.nanoseconds(2).magnitude == 2)
        #expect((2 as Stride).magnitude == 2_000_000_000)
        #expect((1.2 as Stride).magnitude == 1_200_000_000)
        #expect(Stride(.milliseconds(3)).magnitude == 3_000_000)
        #expect(Stride(.never).magnitude == .max)
        #expect(Stride(exactly: 871 as UInt64)?.magnitude == 871_000_000_000)
        #expect(Stride(exactly: UInt64.max) == nil)
        #expect(Stride.nanoseconds(5).timeInterval == .nanoseconds(5))
    }

    @Test func `Strides are numbers`() {
        #expect(Stride.seconds(1) + .seconds(2) == .seconds(3))
        #expect(Stride.seconds(1) - .seconds(2) == -.seconds(1))
        #expect(Stride.seconds(3) * .seconds(2) == .seconds(6))
        var stride = Stride.nanoseconds(3)
        stride += .nanoseconds(4)
        stride *= .seconds(2)
        stride -= .nanoseconds(1)
        #expect(stride == .nanoseconds(13))
        #expect(Stride.seconds(1) < .seconds(2))
    }

    @Test func `Moments are apart by strides`() {
        let start = Time(DispatchTime(uptimeNanoseconds: 1000))
        let end = start.advanced(by: .nanoseconds(500))
        #expect(end.dispatchTime.uptimeNanoseconds == 1500)
        #expect(start.distance(to: end) == .nanoseconds(500))
        #expect(end.distance(to: start) == .nanoseconds(-500))
        #expect(start < end)
        #expect(start.advanced(by: .nanoseconds(500)).hashValue == end.hashValue)
    }

    @Test func `Moments and strides can be stored`() throws {
        let time = Time(DispatchTime(uptimeNanoseconds: 42))
        let data = try JSONEncoder().encode([time])
        #expect(String(decoding: data, as: UTF8.self) == "[42]")
        #expect(try JSONDecoder().decode([Time].self, from: data) == [time])
        let stride = try JSONEncoder().encode(Stride.nanoseconds(41))
        #expect(String(decoding: stride, as: UTF8.self) == #"{"_nanoseconds":41}"#)
        #expect(try JSONDecoder().decode(Stride.self, from: stride) == .nanoseconds(41))
    }

    @Test func `Options say nothing unless told`() {
        let options = DispatchQueue.SchedulerOptions()
        #expect(options.qos == .unspecified)
        #expect(options.flags == [])
        #expect(options.group == nil)
        #expect(queue.minimumTolerance == .nanoseconds(0))
    }

    @Test func `Work runs on the queue, at once or later`() {
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        #expect(
            awaits { done in
                queue.schedule {
                    if DispatchQueue.getSpecific(key: key) == true { done() }
                }
            } == .success)
        #expect(
            awaits { done in
                queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {
                    if DispatchQueue.getSpecific(key: key) == true { done() }
                }
            } == .success)
    }

    @Test func `Work that comes later belongs to its group until it is done`() {
        let group = DispatchGroup()
        queue.schedule(after: queue.now, tolerance: 0, options: .init(group: group)) {}
        queue.schedule(options: .init(group: group)) {}
        #expect(group.wait(timeout: .now() + 600) == .success)
    }

    @Test func `Work repeats until it is cancelled`() {
        var count = 0
        var repetition: (any Cancellable)?
        #expect(
            awaits { done in
                // On the queue, so that the work does not run before there is something to cancel.
                queue.sync {
                    repetition = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
                        count += 1
                        if count == 3 {
                            repetition?.cancel()
                            done()
                        }
                    }
                }
            } == .success)
        let atCancel = queue.sync { count }
        #expect(awaits { done in queue.schedule(after: queue.now.advanced(by: .milliseconds(5)), done) } == .success)
        #expect(queue.sync { count } == atCancel)
    }
}
