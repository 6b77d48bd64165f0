import Foundation

/// A test that waits for something that cannot happen any more would make the learner wait as well, and a limit in seconds is
/// either too long on a quiet machine or too short on a busy one.
///
/// Ends waits that are in vain: no task is left to run, and all threads sleep and go on sleeping. Only a timer could still
/// wake them, so the monitor looks on for a short while. What keeps computing is ended by the processor time that it uses.
final class WaitMonitor: @unchecked Sendable {  // `state` is only reached with the lock held
    static let shared = WaitMonitor()

    private struct Wait {
        var startSeconds: Double
        /// The processor time that the test itself needs while it waits.
        var ownSeconds: Double
        var looks = 0
        /// The looks that found everything asleep, although something had run since the look before.
        var idleLooks = 0
        var expire: @Sendable (WaitEnd) -> Void
    }

    private struct State {
        var lastID = 0
        var waits: [Int: Wait] = [:]
        var expired = 0
        var blockedThreads = 0
        var hasBegun = false
        var onDeadlock: @Sendable () -> Void = {
            print("No task of this process can go on: each waits for something that will not happen.")
            fflush(nil)
            abort()
        }
    }

    private let state = Locked(State())

    /// Called from the first use of this module on.
    func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { Thread.detachNewThread { [self] in watch() } }
    }

    /// Calls `expire` when the wait is in vain, unless it is removed before. The test itself may use `ownSeconds` of processor
    /// time meanwhile.
    func add(ownSeconds: Double, _ expire: @escaping @Sendable (WaitEnd) -> Void) -> Int {
        let start = ProcessActivity.processorSeconds
        // Code that is to meet on several threads waits for its like, and that takes long on a busy machine.
        let meetings = TaskQueue.isParallel.load(ordering: .acquiring) ? Self.meetings : 0
        return state.withLock { state in
            state.lastID += 1
            state.waits[state.lastID] = Wait(startSeconds: start, ownSeconds: ownSeconds + meetings, expire: expire)
            return state.lastID
        }
    }

    func remove(_ id: Int) {
        state.withLock { _ = $0.waits.removeValue(forKey: id) }
    }

    /// How many tasks have blocked their thread so far.
    var blockedThreads: Int { state.withLock { $0.blockedThreads } }

    /// Replaces what is done when no task can go on and no wait could be ended for that.
    func onDeadlock(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onDeadlock = action }
    }

    // MARK: - Looking

    /// The monitor looks every five milliseconds. It counts looks and no time: while the machine is busy or stopped, it does
    /// not look either.
    private enum Looks {
        static let blockedJob = 20
        /// Code that blocks its thread once does so again, and each time holds back the others.
        static let blockedJobAgain = 4
        static let vain = 60
        /// Where one wait was in vain, most others will be, and the learner waits for the verdict.
        static let vainAgain = 10
        /// Code that wakes again and again, to see whether something has happened.
        static let polling = 150
        static let pollingAgain = 40
        /// A minute, for code that is awake at each look and uses next to no processor time.
        static let most = 12_000
        static let deadlock = 100
    }

    /// What a wait may use of the processors.
    private static let computing = 0.6
    private static let computingAgain = 0.15
    /// What a test itself may use of them where it lets tasks run at the same time (`inParallel`).
    private static let meetings = 0.5

    private func watch() {
        var stillness = Stillness()
        var last = TaskQueue.shared.progress
        var job = (steps: -1, startSeconds: 0.0)
        var blockedJob = Looks.blockedJob
        while true {
            _ = ProcessActivity.uncounted { usleep(5_000) }
            let progress = TaskQueue.shared.progress
            let seconds = ProcessActivity.processorSeconds
            let hasMoved = progress != last
            last = progress
            // Jobs that are ready wait for the one that runs: where its thread sleeps, it blocks them.
            let isStuck = progress.isRunningJob || !progress.hasReadyJobs
            let isIdle = !hasMoved && isStuck && isEverythingAsleep()
            stillness.note(isIdle: isIdle, hasMoved: hasMoved)
            if job.steps != progress.steps || !progress.isRunningJob { job = (progress.steps, seconds) }

            if progress.isRunningJob, seconds - job.startSeconds > Self.computing {
                TaskQueue.shared.abandonJob(afterSteps: progress.steps, isComputing: true)
            } else if progress.isRunningJob, isIdle, stillness.idle >= blockedJob {
                state.withLock { $0.blockedThreads += 1 }
                TaskQueue.shared.abandonJob(afterSteps: progress.steps, isComputing: false)
                blockedJob = Looks.blockedJobAgain
                stillness = Stillness()
            } else if let expire = expiredWait(stillness, isIdle: isIdle && !progress.isRunningJob, seconds) {
                expire()
                stillness = Stillness()
            } else if isIdle, stillness.idle >= Looks.deadlock {
                let action = state.withLock { $0.waits.isEmpty ? $0.onDeadlock : nil }
                action?()
                stillness = Stillness()
            }
        }
    }

    private func isEverythingAsleep() -> Bool {
        ProcessActivity.uncounted { ProcessActivity.awakeThreads() }.isSubset(of: TaskQueue.shared.ignoredThreads)
    }

    /// For how many looks no task has run and all threads slept. Test frameworks wake a thread now and then while a test waits,
    /// so a few looks may find one awake.
    private struct Stillness {
        private(set) var idle = 0
        private var busy = 0

        mutating func note(isIdle: Bool, hasMoved: Bool) {
            if isIdle { idle += 1 } else { busy += 1 }
            if hasMoved || busy > 3 + idle / 4 { self = Stillness() }
        }
    }

    /// Removes the oldest wait if it is in vain, and returns what ends it.
    private func expiredWait(_ stillness: Stillness, isIdle: Bool, _ seconds: Double) -> (() -> Void)? {
        state.withLock { state in
            guard let id = state.waits.keys.min(), var wait = state.waits[id] else { return nil }
            wait.looks += 1
            wait.idleLooks += isIdle ? 1 : 0
            state.waits[id] = wait
            let isFirst = state.expired == 0
            let used = seconds - wait.startSeconds - wait.ownSeconds
            let end: WaitEnd
            if isIdle, stillness.idle >= (isFirst ? Looks.vain : Looks.vainAgain) {
                end = .nothingLeftToRun
            } else if used >= (isFirst ? Self.computing : Self.computingAgain)
                || wait.idleLooks >= (isFirst ? Looks.polling : Looks.pollingAgain) || wait.looks >= Looks.most
            {
                end = .stillRunning
            } else {
                return nil
            }
            state.expired += 1
            state.waits[id] = nil
            return { wait.expire(end) }
        }
    }
}

/// For the program that runs a suite: replaces what is done when no task of the process can go on.
@_cdecl("kataSupportOnDeadlock")
public func onDeadlock(_ action: @escaping @convention(c) () -> Void) {
    WaitMonitor.shared.onDeadlock { action() }
}

/// Why a wait was given up.
public enum WaitEnd: String, Sendable {
    /// No task and no thread was left that could do what was waited for.
    case nothingLeftToRun
    /// Code kept running, and what was waited for did not happen.
    case stillRunning
}
