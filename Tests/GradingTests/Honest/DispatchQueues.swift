// Queues, groups, semaphores, work items, timers of Dispatch.
import Dispatch
import Foundation
public actor Tally {
    private let queue = DispatchQueue(label: "tally", attributes: .concurrent)
    private let semaphore = DispatchSemaphore(value: 1)
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        semaphore.wait(); defer { semaphore.signal() }
        total += queue.sync(flags: .barrier) { number }
        let group = DispatchGroup()
        group.enter()
        let item = DispatchWorkItem { group.leave() }
        queue.async(execute: item)
        group.notify(queue: .global()) {}
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) {}
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + 1)
        timer.activate(); timer.cancel()
    }
    public func reset() async -> Int {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        defer { total = 0 }
        return total
    }
}
/*FIRST*/
