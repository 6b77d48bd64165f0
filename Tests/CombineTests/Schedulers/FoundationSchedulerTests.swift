import Combine
import Foundation
import Testing

@Suite struct OperationQueueSchedulerTests {
    typealias Time = OperationQueue.SchedulerTimeType

    private func awaits(_ schedule: (OperationQueue, @escaping () -> Void) -> Void) -> DispatchTimeoutResult {
        let done = DispatchSemaphore(value: 0)
        schedule(OperationQueue()) { done.signal() }
        return done.wait(timeout: .now() + 600)
    }

    @Test func `A stride counts seconds`() {
        #expect(Time.Stride.milliseconds(1500).timeInterval == 1.5)
        #expect((2 as Time.Stride).magnitude == 2)
        #expect(Time.Stride(exactly: 871)?.magnitude == 871)
        #expect(Time.Stride.microseconds(1) + .nanoseconds(1000) == .microseconds(2))
    }

    @Test func `Moments are dates`() {
        let start = Time(Date(timeIntervalSinceReferenceDate: 10))
        #expect(start.advanced(by: .seconds(5)).date == Date(timeIntervalSinceReferenceDate: 15))
        #expect(start.distance(to: start.advanced(by: 5)) == 5)
        #expect(start < start.advanced(by: 1))
    }

    @Test func `Work runs among the queue's operations`() {
        #expect(
            awaits { queue, done in
                queue.schedule {
                    if OperationQueue.current === queue { done() }
                }
            } == .success)
        #expect(
            awaits { queue, done in
                queue.schedule(after: queue.now.advanced(by: .milliseconds(1))) {
                    if OperationQueue.current === queue { done() }
                }
            } == .success)
    }

    @Test func `Work repeats until it is cancelled`() {
        var repetition: (any Cancellable)?
        var count = 0
        let result = awaits { queue, done in
            queue.maxConcurrentOperationCount = 1
            repetition = queue.schedule(after: queue.now, interval: .milliseconds(1)) {
                count += 1
                if count == 3 { done() }
            }
        }
        #expect(result == .success)
        repetition?.cancel()
    }

    @Test func `Work for later is among the queue's operations at once, and is waited for like them`() {
        let queue = OperationQueue()
        let start = Date()
        var end: Date?
        queue.schedule(after: queue.now.advanced(by: .milliseconds(30))) { end = Date() }
        #expect(queue.operations.map(\.isReady) == [false])
        queue.waitUntilAllOperationsAreFinished()
        #expect(end.map { $0.timeIntervalSince(start) >= 0.03 } == true)
    }

    @Test func `Work for later does not hold up a serial queue`() {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        var order: [String] = []
        queue.schedule(after: queue.now.advanced(by: .milliseconds(30))) { order.append("later") }
        queue.schedule { order.append("now") }
        queue.waitUntilAllOperationsAreFinished()
        #expect(order == ["now", "later"])
    }

    @Test func `A repetition that is cancelled leaves nothing among the operations`() {
        let queue = OperationQueue()
        let repetition = queue.schedule(after: queue.now.advanced(by: .seconds(600)), interval: .seconds(600)) {
            Issue.record("Nothing is due.")
        }
        #expect(queue.operationCount == 1)
        repetition.cancel()
        queue.waitUntilAllOperationsAreFinished()
        #expect(queue.operationCount == 0)
    }

    @Test func `Operations that are cancelled do not run when their time comes`() {
        let queue = OperationQueue()
        queue.schedule(after: queue.now.advanced(by: .seconds(600))) { Issue.record("It was cancelled.") }
        queue.cancelAllOperations()
        queue.waitUntilAllOperationsAreFinished()
    }
}

@Suite struct RunLoopSchedulerTests {
    typealias Time = RunLoop.SchedulerTimeType

    /// Runs a run loop on a thread of its own for as long as it has something to do, and returns whether the work said
    /// in time that it is done.
    private func runs(_ schedule: @escaping (RunLoop, @escaping () -> Void) -> Void) -> Bool {
        let finished = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var isDone = false
            schedule(.current) {
                isDone = true
                finished.signal()
            }
            while !isDone, RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 600)) {}
        }
        return finished.wait(timeout: .now() + 590) == .success
    }

    @Test func `A stride counts seconds`() {
        #expect(Time.Stride.milliseconds(1500).timeInterval == 1.5)
        #expect((1.5 as Time.Stride) == .milliseconds(1500))
        #expect(Time(Date(timeIntervalSinceReferenceDate: 1)).advanced(by: 2).date.timeIntervalSinceReferenceDate == 3)
    }

    @Test func `Work runs on the run loop, at once or later`() {
        #expect(
            runs { loop, done in
                loop.schedule(after: loop.now.advanced(by: .milliseconds(1))) {}
                loop.schedule(done)
            })
        #expect(runs { loop, done in loop.schedule(after: loop.now.advanced(by: .milliseconds(1)), done) })
    }

    @Test func `Work that schedules more work does not fall asleep before it`() {
        #expect(
            runs { loop, done in
                func step(_ number: Int) {
                    if number == 10 { done() } else { loop.schedule { step(number + 1) } }
                }
                // A run loop with nothing else to wait for would return, and would be run again.
                loop.schedule(after: loop.now.advanced(by: .seconds(3_600))) {}
                step(0)
            })
    }

    @Test func `Work repeats until it is cancelled`() {
        #expect(
            runs { loop, done in
                var count = 0
                var repetition: (any Cancellable)?
                repetition = loop.schedule(after: loop.now, interval: .milliseconds(1)) {
                    count += 1
                    if count == 3 {
                        repetition?.cancel()
                        done()
                    }
                }
            })
    }
}
