import Foundation
import Synchronization

/// What the scheduler does not run, or has no room for. Each case is right, and none may be called wrong.
public class Meeting: @unchecked Sendable {  // each case keeps its threads apart in its own way
    public func work(_ thread: Int) {}
    public func value() async -> Int { 2 }
}

public func meeting(_ name: String) -> Meeting {
    guard let make = cases[name] else { fatalError("No case is named \(name).") }
    return make()
}

/// In the order in which they run: the last one leaves so many threads behind that nothing is known after it.
let cases: [String: () -> Meeting] = [
    "dispatchTimer": DispatchTimer.init, "runLoopTimer": RunLoopTimer.init, "runLoopWait": RunLoopWait.init,
    "globalThread": GlobalThread.init, "manyTasks": ManyTasks.init, "manyAccesses": ManyAccesses.init,
    "manyObjects": ManyObjects.init, "manyBlocks": ManyBlocks.init, "waitingThread": WaitingThread.init,
]

final class DispatchTimer: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "timer")
    var count = 0
    override func work(_ thread: Int) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let semaphore = DispatchSemaphore(value: 0)
        timer.schedule(deadline: .now() + .milliseconds(1))
        timer.setEventHandler {
            self.count += 1
            semaphore.signal()
        }
        timer.activate()
        semaphore.wait()
        timer.cancel()
    }
    override func value() async -> Int { queue.sync { count } }
}

final class RunLoopTimer: Meeting, @unchecked Sendable {
    let lock = NSLock()
    var count = 0
    override func work(_ thread: Int) {
        var isDone = false
        let timer = Timer(timeInterval: 0.001, repeats: false) { _ in
            self.lock.withLock { self.count += 1 }
            isDone = true
        }
        RunLoop.current.add(timer, forMode: .default)
        while !isDone { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }
    }
    override func value() async -> Int { lock.withLock { count } }
}

/// A thread that the system holds, where the scheduler does not see it.
final class RunLoopWait: Meeting, @unchecked Sendable {
    let lock = NSLock()
    var count = 0
    override func work(_ thread: Int) {
        lock.withLock { count += 1 }
        let timer = Timer(timeInterval: 10, repeats: false) { _ in }
        RunLoop.current.add(timer, forMode: .default)
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
        timer.invalidate()
    }
    override func value() async -> Int { lock.withLock { count } }
}

/// A thread of its own that never ends.
final class WaitingThread: Meeting, @unchecked Sendable {
    let condition = NSCondition()
    var jobs: [() -> Void] = []
    var count = 0
    override init() {
        super.init()
        Thread.detachNewThread { [self] in
            while true {
                condition.lock()
                while jobs.isEmpty { condition.wait() }
                let job = jobs.removeFirst()
                condition.unlock()
                job()
            }
        }
    }
    override func work(_ thread: Int) { add { self.count += 1 } }
    func add(_ job: @escaping () -> Void) {
        condition.lock()
        jobs.append(job)
        condition.signal()
        condition.unlock()
    }
    override func value() async -> Int { count }
}

/// A thread that the first try starts, and that is there in all later ones.
final class GlobalThread: Meeting, @unchecked Sendable {
    static let thread = WaitingThread()
    var count = 0
    override func work(_ thread: Int) { Self.thread.add { self.count += 1 } }
    override func value() async -> Int {
        await withCheckedContinuation { continuation in Self.thread.add { continuation.resume(returning: self.count) } }
    }
}

final class ManyTasks: Meeting, @unchecked Sendable {
    let counted = Mutex(0)
    override func work(_ thread: Int) {
        for _ in 0..<500 { Task { counted.withLock { $0 += 1 } } }
    }
    override func value() async -> Int { counted.withLock { $0 / 500 } }
}

final class ManyAccesses: Meeting, @unchecked Sendable {
    let lock = NSLock()
    var count = 0
    override func work(_ thread: Int) {
        for _ in 0..<10_000 { lock.withLock { count += 1 } }
    }
    override func value() async -> Int { lock.withLock { count / 10_000 } }
}

/// More memory than the scheduler has room for.
final class ManyObjects: Meeting, @unchecked Sendable {
    final class Box { var value = 0 }
    let boxes = (0..<20_000).map { _ in Box() }
    let lock = NSLock()
    override func work(_ thread: Int) {
        lock.withLock { for box in boxes { box.value += 1 } }
    }
    override func value() async -> Int { lock.withLock { boxes.reduce(0) { $0 + $1.value } / boxes.count } }
}

final class ManyBlocks: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "blocks")
    var count = 0
    override func work(_ thread: Int) {
        for _ in 0..<500 { queue.async { self.count += 1 } }
    }
    override func value() async -> Int { queue.sync { count / 500 } }
}
