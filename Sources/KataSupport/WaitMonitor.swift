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
        var looks = 0
        /// The looks that found everything asleep, although something had run since the look before.
        var idleLooks = 0
        var expire: @Sendable (WaitEnd) -> Void
    }

    private struct State {
        var lastID = 0
        var waits: [Int: Wait] = [:]
        var expired = 0
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

    /// Calls `expire` when the wait is in vain, unless it is removed before.
    func add(_ expire: @escaping @Sendable (WaitEnd) -> Void) -> Int {
        let start = ProcessActivity.processorSeconds
        return state.withLock { state in
            state.lastID += 1
            state.waits[state.lastID] = Wait(startSeconds: start, expire: expire)
            return state.lastID
        }
    }

    func remove(_ id: Int) {
        state.withLock { _ = $0.waits.removeValue(forKey: id) }
    }

    /// Replaces what is done when no task can go on and no wait could be ended for that.
    func onDeadlock(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onDeadlock = action }
    }

    // MARK: - Looking

    /// The monitor looks every five milliseconds. It counts looks and no time: while the machine is busy or stopped, it does
    /// not look either.
    private enum Looks {
        static let blockedJob = 20
        static let vain = 60
        /// Where one wait was in vain, most others will be, and the learner waits for the verdict.
        static let vainAgain = 20
        /// Code that wakes again and again, to see whether something has happened.
        static let polling = 200
        static let most = 2_000
        static let deadlock = 200
    }

    /// What a wait may use of the processors.
    private static let computing = 2.0
    private static let computingAgain = 0.5

    private func watch() {
        var last = (switches: -1, progress: TaskQueue.shared.progress)
        /// The looks in a row in which no thread ran.
        var quiet = 0
        var job = (steps: -1, startSeconds: 0.0)
        while true {
            usleep(5_000)
            let switches = ProcessActivity.switches
            let progress = TaskQueue.shared.progress
            let seconds = ProcessActivity.processorSeconds
            quiet = last == (switches, progress) ? quiet + 1 : 0
            last = (switches, progress)
            if job.steps != progress.steps || !progress.isRunningJob { job = (progress.steps, seconds) }

            if progress.isRunningJob, seconds - job.startSeconds > Self.computing / 2 {
                TaskQueue.shared.abandonJob(afterSteps: progress.steps, isComputing: true)
            } else if progress.isRunningJob, quiet >= Looks.blockedJob, isEverythingAsleep() {
                TaskQueue.shared.abandonJob(afterSteps: progress.steps, isComputing: false)
                quiet = 0
            } else if let expire = expiredWait(quiet: quiet, progress, seconds) {
                expire()
                quiet = 0
            } else if quiet >= Looks.deadlock, !progress.hasReadyJobs, isEverythingAsleep() {
                let action = state.withLock { $0.waits.isEmpty ? $0.onDeadlock : nil }
                action?()
                quiet = 0
            }
        }
    }

    private func isEverythingAsleep() -> Bool {
        ProcessActivity.isAsleep(ignoring: TaskQueue.shared.ignoredThreads)
    }

    /// Removes the oldest wait if it is in vain, and returns what ends it.
    private func expiredWait(
        quiet: Int, _ progress: TaskQueue.Progress, _ seconds: Double
    ) -> (() -> Void)? {
        guard state.withLock({ !$0.waits.isEmpty }) else { return nil }
        let isAsleep = !progress.hasReadyJobs && !progress.isRunningJob && isEverythingAsleep()
        return state.withLock { state in
            guard let id = state.waits.keys.min(), var wait = state.waits[id] else { return nil }
            wait.looks += 1
            wait.idleLooks += isAsleep ? 1 : 0
            state.waits[id] = wait
            let isFirst = state.expired == 0
            let used = seconds - wait.startSeconds
            let end: WaitEnd
            if isAsleep, quiet >= (isFirst ? Looks.vain : Looks.vainAgain) {
                end = .nothingLeftToRun
            } else if used >= (isFirst ? Self.computing : Self.computingAgain) || wait.idleLooks >= Looks.polling
                || wait.looks >= Looks.most
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

/// Why a wait was given up.
public enum WaitEnd: String, Sendable {
    /// No task and no thread was left that could do what was waited for.
    case nothingLeftToRun
    /// Code kept running, and what was waited for did not happen.
    case stillRunning
}
