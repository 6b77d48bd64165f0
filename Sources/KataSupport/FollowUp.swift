import Foundation
import Synchronization

/// Code that looks whether there is something to do, and then goes to sleep, sleeps on where something came between the two. A
/// test would have to send in just that moment, which is over in less than a microsecond.
///
/// Counts what the code has done, and lets a thread go on just then. Either the thread or the code is held up for some
/// nanoseconds, each time another number of them:
///
///     let received = KataSupport.FollowUp()
///     let loop = KataSupport.Loop(handling: { _ in received.note() }) { … }
///     try await KataSupport.onThreads(1) { _ in
///         for number in 1...500 {
///             publisher.send(number)
///             received.wait(for: number)  // the loop looks for the next value now, and then goes to sleep
///         }
///     }
public final class FollowUp: Sendable {
    private let condition = NSCondition()
    private let noted = Atomic<Int>(0)
    /// For which of them the thread is awake.
    private let met = Atomic<Int>(0)
    private let gone = Atomic<Int>(0)
    /// How often the thread was not awake in time.
    private let missed = Atomic<Int>(0)
    /// The processor that the code runs on.
    private let processor = Atomic<Int>(-1)
    /// When both go.
    private let start = Atomic<UInt64>(0)

    public init() {}

    /// One more has been done. Returns when the thread is awake.
    public func note() {
        condition.lock()
        processor.store(Processors.current, ordering: .relaxed)
        let number = noted.add(1, ordering: .releasing).newValue
        condition.broadcast()
        condition.unlock()
        // No thread comes to meet code that does more than it was asked for.
        if missed.load(ordering: .relaxed) < 20 {
            let isAwake = spin(until: Self.now + 1_000_000) { met.load(ordering: .acquiring) >= number }
            if !isAwake { missed.add(1, ordering: .relaxed) }
        }
        let start = Self.now + 1_000
        self.start.store(start, ordering: .relaxed)
        gone.store(number, ordering: .releasing)
        Self.wait(until: start, -Self.distance(number))
    }

    /// Returns when so many have been done.
    public func wait(for number: Int) {
        condition.lock()
        while noted.load(ordering: .acquiring) < number { condition.wait() }
        condition.unlock()
        Processors.avoid(processor.load(ordering: .relaxed))
        met.store(number, ordering: .releasing)
        _ = spin(until: .max) { gone.load(ordering: .acquiring) >= number }
        Self.wait(until: start.load(ordering: .relaxed), Self.distance(number))
    }

    /// A thread that sleeps is late. Where there is no free processor, the other one has to come first: on a busy machine, each
    /// time that this one yields takes milliseconds.
    private func spin(until end: UInt64, _ isTrue: () -> Bool) -> Bool {
        var looks = 0
        while !isTrue() {
            looks += 1
            guard looks % 1_000 == 0 else { continue }
            if Self.now >= end { return false }
            sched_yield()
        }
        return true
    }

    /// By how many nanoseconds the thread is held up. Where they are negative, the code is.
    private static func distance(_ number: Int) -> Int { (number * 37 % 200 - 100) * 25 }

    private static func wait(until start: UInt64, _ distance: Int) {
        let end = start + UInt64(max(0, distance))
        while now < end {}
    }

    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
