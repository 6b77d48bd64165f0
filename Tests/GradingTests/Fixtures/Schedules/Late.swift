import Foundation

/// Values that come late, and by nothing but a timer: while all threads sleep, the wait for one is not in vain.
public class Meeting: @unchecked Sendable {  // each case resumes once
    public func work(_ thread: Int) {}
    public func value() async -> Int {
        await withCheckedContinuation { continuation in begin { continuation.resume(returning: 2) } }
    }
    func begin(_ end: @escaping @Sendable () -> Void) {}
}

public func meeting(_ name: String) -> Meeting {
    guard let make = cases[name] else { fatalError("No case is named \(name).") }
    return make()
}

let cases: [String: () -> Meeting] = [
    "asyncAfter": AsyncAfter.init, "dispatchTimer": RepeatingTimer.init, "runLoopTimer": RunLoopTimer.init,
    "microseconds": Microseconds.init, "threadSleep": ThreadSleep.init, "semaphore": SemaphoreTimeout.init,
    "condition": ConditionTimeout.init, "taskSleep": TaskSleep.init, "never": NeverComes.init,
]

private let seconds = 0.06

final class AsyncAfter: Meeting, @unchecked Sendable {
    override func begin(_ end: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: end)
    }
}

final class RepeatingTimer: Meeting, @unchecked Sendable {
    var timer: DispatchSourceTimer?
    override func begin(_ end: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
        var left = 2
        timer.schedule(deadline: .now() + seconds, repeating: seconds)
        timer.setEventHandler {
            left -= 1
            guard left == 0 else { return }
            timer.cancel()
            end()
        }
        timer.activate()
        self.timer = timer
    }
}

final class RunLoopTimer: Meeting, @unchecked Sendable {
    override func begin(_ end: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            var isDone = false
            let timer = Timer(timeInterval: seconds, repeats: false) { _ in isDone = true }
            RunLoop.current.add(timer, forMode: .default)
            while !isDone { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }
            end()
        }
    }
}

class OnThread: Meeting, @unchecked Sendable {
    func wait() {}
    override func begin(_ end: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            self.wait()
            end()
        }
    }
}

final class Microseconds: OnThread, @unchecked Sendable {
    override func wait() { usleep(UInt32(seconds * 1_000_000)) }
}

final class ThreadSleep: OnThread, @unchecked Sendable {
    override func wait() { Thread.sleep(forTimeInterval: seconds) }
}

final class SemaphoreTimeout: OnThread, @unchecked Sendable {
    override func wait() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds) }
}

final class ConditionTimeout: OnThread, @unchecked Sendable {
    override func wait() {
        let condition = NSCondition()
        condition.lock()
        _ = condition.wait(until: Date(timeIntervalSinceNow: seconds))
        condition.unlock()
    }
}

final class TaskSleep: Meeting, @unchecked Sendable {
    override func begin(_ end: @escaping @Sendable () -> Void) {
        Task {
            try? await Task.sleep(for: .seconds(seconds))
            end()
        }
    }
}

/// A timer that fires, and resumes nothing.
final class NeverComes: Meeting, @unchecked Sendable {
    override func begin(_ end: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { withExtendedLifetime(end) {} }
    }
}
