import Dispatch
import Foundation

/// Code that waits in `DispatchQueue.global()` with a semaphore or a group keeps one of the few threads of that queue. With all
/// of them kept, nothing else that is put there runs, and what a test waits for does not happen, although all the rest is right.
enum GlobalQueues {
    static let classes: [DispatchQoS.QoSClass] = [.userInteractive, .userInitiated, .default, .utility, .background]

    /// Each of them has threads of its own.
    static func runOnEach(_ block: @escaping @Sendable () -> Void) {
        for qos in classes { DispatchQueue.global(qos: qos).async(execute: block) }
    }

    /// Waits until each of them has run a block.
    static func serve() async -> Result<Void, any Error> {
        let waiting = Observed(classes.count)
        runOnEach { waiting.update { $0 -= 1 } }
        do {
            try await waiting.until { $0 == 0 }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Whether sleeping code keeps all threads of one of the global queues, so that what is put there does not run.
    ///
    /// Only the thread of `WaitMonitor` calls this, where everything sleeps.
    static func areBlocked() -> Bool {
        let waiting = Locked(classes.count)
        runOnEach { waiting.withLock { $0 -= 1 } }
        // A thread that has been woken for this, and waits for a processor, is awake.
        var asleep = 0
        for _ in 0..<Self.mostLooks {
            if waiting.withLock({ $0 }) == 0 { return false }
            ProcessActivity.uncounted { ProcessActivity.letMonitorSleep(microseconds: 2_000) }
            asleep = ProcessActivity.monitorLooks()?.isEmpty == true ? asleep + 1 : 0
            if asleep == Self.looks { return waiting.withLock { $0 } > 0 }
        }
        return false
    }

    private static let looks = 6
    /// For code that is awake at most looks.
    private static let mostLooks = 200
}
