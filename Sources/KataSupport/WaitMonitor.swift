import Foundation

/// A test that waits for something that cannot happen any more would make the learner wait as well, and a limit in seconds is
/// either too long on a quiet machine or too short on a busy one.
///
/// Ends waits that are in vain: no task is left to run, and all threads sleep and go on sleeping. Only a timer could still
/// wake them. Where the program around the suite notes those, two looks with nothing in between are enough; elsewhere the monitor
/// looks on for a short while. What keeps computing is ended by the processor time that it uses, and is told apart: then the
/// code that is tested still runs.
final class WaitMonitor: @unchecked Sendable {  // `isPaused` is only reached with the lock held
    static let shared = WaitMonitor()

    private struct Wait {
        var startSeconds: Double
        /// Whether it is right that the wait is in vain.
        var isInVain: Bool
        var looks = 0
        /// The looks that found everything asleep, and nothing had run since the look before.
        var idleLooks = 0
        /// The looks that found everything asleep, whether or not something had run since the look before.
        var asleepLooks = 0
        var expire: @Sendable (WaitEnd) -> Void
    }

    private struct State {
        var lastID = 0
        var waits: [Int: Wait] = [:]
        var expired = 0
        var blockedThreads = 0
        var hasBegun = false
        /// Whether code was found that computes without end, and has not slept since.
        var isEndless = false
        var onDeadlock: @Sendable (_ isComputing: Bool) -> Void = { isComputing in
            print(isComputing ? Self.endlessWait : Self.deadlock)
            fflush(nil)
            abort()
        }
        /// Told when `isEndless` changes.
        var onEndless: @Sendable (Bool) -> Void = {
            print($0 ? Self.endless : Self.paused)
            fflush(nil)
        }

        // The grader knows these sentences where nothing but text leaves the process.
        static let deadlock = "No task of this process can go on: each waits for something that will not happen."
        static let endlessWait = "A test of this process cannot go on: it waits for code that computes without end."
        static let endless = "Code of this process computes without end."
        static let paused = "Code of this process computed for long, and has paused."
    }

    private let state = Locked(State())
    /// Held for each look.
    private let looking = NSLock()
    private var isPaused = false

    /// The scheduler knows by itself when nothing can go on. Meanwhile this thread holds no lock that explored code could wait for.
    func pause(_ isPaused: Bool) { looking.withLock { self.isPaused = isPaused } }

    /// Called from the first use of this module on.
    func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { Thread.detachNewThread { [self] in watch() } }
    }

    /// Calls `expire` when the wait is in vain, unless it is removed before.
    ///
    /// - Parameter isInVain: Whether that is right, and says nothing of other waits.
    func add(isInVain: Bool, _ expire: @escaping @Sendable (WaitEnd) -> Void) -> Int {
        let start = ProcessActivity.processorSeconds
        return state.withLock { state in
            state.lastID += 1
            state.waits[state.lastID] = Wait(startSeconds: start, isInVain: isInVain, expire: expire)
            return state.lastID
        }
    }

    func remove(_ id: Int) {
        state.withLock { _ = $0.waits.removeValue(forKey: id) }
    }

    /// From here on, waits are given up as if one had been in vain already.
    func expectHangs() {
        state.withLock { $0.expired = max($0.expired, 1) }
    }

    private var endlessJob: Double { state.withLock { $0.expired == 0 ? Self.endlessJob : Self.endlessJobAgain } }

    private var hasWaits: Bool { state.withLock { !$0.waits.isEmpty } }

    private var deadlockLooks: Int {
        state.withLock { $0.expired == 0 && $0.blockedThreads == 0 ? Looks.deadlock : Looks.deadlockAgain }
    }

    /// How many tasks have blocked their thread so far.
    var blockedThreads: Int { state.withLock { $0.blockedThreads } }

    /// Replaces what is done when no task can go on and no wait could be ended for that, and then nothing is printed.
    func onDeadlock(_ action: @escaping @Sendable (_ isComputing: Bool) -> Void) {
        state.withLock {
            $0.onDeadlock = action
            $0.onEndless = { _ in }
        }
    }

    /// Whether code was found that computes without end, and has not slept since.
    var isEndless: Bool { state.withLock { $0.isEndless } }

    /// Code was found that seems to compute without end, or has paused after all.
    func noteEndless(_ isEndless: Bool = true) {
        let action: (@Sendable (Bool) -> Void)? = state.withLock { state in
            guard state.isEndless != isEndless else { return nil }
            state.isEndless = isEndless
            return state.onEndless
        }
        action?(isEndless)
    }

    /// Ends the oldest wait, as nothing can go on. Returns whether there was one.
    func endOldestWait() -> Bool {
        let wait = state.withLock { state in state.waits.keys.min().flatMap { state.waits.removeValue(forKey: $0) } }
        wait?.expire(.nothingLeftToRun)
        return wait != nil
    }

    // MARK: - Looking

    /// The monitor looks about every five milliseconds. It counts looks and no time: while the machine is busy or stopped, it does
    /// not look either.
    private enum Looks {
        static let blockedJob = 20
        /// Code that blocks its thread once does so again, and each time holds back the others.
        static let blockedJobAgain = 2
        static let vain = 30
        /// Where one wait was in vain, most others will be, and the learner waits for the verdict.
        static let vainAgain = 6
        /// Code that wakes again and again, to see whether something has happened.
        static let polling = 60
        static let pollingAgain = 20
        /// The same for code that wakes between any two looks. Code that is held up by other programs is not asleep.
        static let pollingOften = 120
        static let pollingOftenAgain = 40
        /// A minute, for code that is awake at each look and uses next to no processor time.
        static let most = 12_000
        /// What happens later than this is not waited for: about as long as all the looks at a wait that is in vain.
        static let soon: UInt64 = 150_000_000
        static let deadlock = 100
        static let deadlockAgain = 30
    }

    /// What a wait may use of the processors.
    private static let computing = 0.6
    private static let computingAgain = 0.15
    /// What a job that was given up may use of them where a test waits for nothing but that job.
    private static let endlessJob = 1.0
    private static let endlessJobAgain = 0.3

    private func watch() {
        var stillness = Stillness()
        var last = TaskQueue.shared.progress
        var job = (steps: -1, startSeconds: 0.0)
        var movedSeconds = 0.0
        var blockedJob = Looks.blockedJob
        var lastAsleep: Int?
        // Code that wakes every ten milliseconds would be awake at each second look, were these as regular.
        for pause in sequence(first: UInt32(3_000), next: { $0 == 7_000 ? 3_000 : $0 + 500 }) {
            ProcessActivity.uncounted { ProcessActivity.letMonitorSleep(microseconds: pause) }
            if ProcessActivity.isLooking { continue }
            looking.lock()
            defer { looking.unlock() }
            if isPaused {
                stillness = Stillness()
                continue
            }
            // Before the look: what wakes between the two is seen awake, or has run.
            let nextWake = lastAsleep == nil ? 0 : Schedules.nextWake ?? 0
            let progress = TaskQueue.shared.progress
            let seconds = ProcessActivity.processorSeconds
            let hasMoved = progress != last
            last = progress
            if hasMoved { movedSeconds = seconds }
            // Jobs that are ready wait for the one that runs: where its thread sleeps, it blocks them.
            let isStuck = progress.isRunningJob || !progress.hasReadyJobs
            let hasJobs = progress.isRunningJob || progress.hasReadyJobs
            let mayBeAsleep = hasMoved ? !hasJobs && hasWaits : isStuck
            let awake = isEndless || mayBeAsleep ? ProcessActivity.monitorLooks() : nil
            if awake?.isEmpty == true, isEndless { noteEndless(false) }
            let isIdle = !hasMoved && isStuck && awake?.isSubset(of: TaskQueue.shared.ignoredThreads) == true
            let isComputing = isIdle && awake?.isEmpty == false
            stillness.note(isIdle: isIdle, hasMoved: hasMoved)
            let asleep = isIdle && !isComputing ? ProcessActivity.switchesOfOthers : nil
            // No thread has run since the look before, and none will soon.
            let isOver = asleep != nil && asleep == lastAsleep && nextWake > Looks.soon
            lastAsleep = asleep
            if job.steps != progress.steps || !progress.isRunningJob { job = (progress.steps, seconds) }

            if progress.isRunningJob, seconds - job.startSeconds > Self.computing {
                TaskQueue.shared.abandonJob(afterSteps: progress.steps, isComputing: true)
                noteEndless()
            } else if progress.isRunningJob, isIdle, isOver || stillness.idle >= blockedJob {
                state.withLock { $0.blockedThreads += 1 }
                TaskQueue.shared.abandonJob(afterSteps: progress.steps, isComputing: false)
                blockedJob = Looks.blockedJobAgain
                stillness = Stillness()
            } else if let expire = expiredWait(
                stillness, isIdle: isIdle && !progress.isRunningJob, isAsleep: awake?.isEmpty == true && !hasJobs,
                isComputing: isComputing, isOver: isOver, seconds)
            {
                expire()
                stillness = Stillness()
            } else if isIdle, !progress.isSettling, stillness.idle >= deadlockLooks,
                !isComputing || seconds - movedSeconds >= endlessJob
            {
                // `settle()` ends by itself, and its looks at many threads may take longer than the looks here.
                let action = state.withLock { $0.waits.isEmpty ? $0.onDeadlock : nil }
                action?(isComputing)
                stillness = Stillness()
            }
        }
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
    ///
    /// - Parameters:
    ///   - isComputing: whether what is awake computes without end.
    ///   - isOver: whether it is known that nothing can happen any more.
    private func expiredWait(
        _ stillness: Stillness, isIdle: Bool, isAsleep: Bool, isComputing: Bool, isOver: Bool, _ seconds: Double
    ) -> (() -> Void)? {
        state.withLock { state in
            guard let id = state.waits.keys.min(), var wait = state.waits[id] else { return nil }
            wait.looks += 1
            wait.idleLooks += isIdle ? 1 : 0
            wait.asleepLooks += isAsleep ? 1 : 0
            state.waits[id] = wait
            let isFirst = state.expired == 0
            let used = seconds - wait.startSeconds
            let end: WaitEnd
            let hasComputed = used >= (isFirst ? Self.computing : Self.computingAgain)
            if isIdle, isOver || stillness.idle >= (isFirst ? Looks.vain : Looks.vainAgain) {
                end = isComputing ? .stillRunning : .nothingLeftToRun
            } else if hasComputed || wait.idleLooks >= (isFirst ? Looks.polling : Looks.pollingAgain)
                || wait.asleepLooks >= (isFirst ? Looks.pollingOften : Looks.pollingOftenAgain)
                || wait.looks >= Looks.most
            {
                end = .stillRunning
            } else {
                return nil
            }
            if !wait.isInVain || end == .stillRunning { state.expired += 1 }
            state.waits[id] = nil
            let isEndless = end == .stillRunning && (isComputing || hasComputed)
            return { [self] in
                if isEndless { noteEndless() }
                let isBlocked = end == .nothingLeftToRun && !wait.isInVain && GlobalQueues.areBlocked()
                wait.expire(isBlocked ? .noThreadLeft : end)
            }
        }
    }
}

/// For the program that runs a suite: replaces what is done when no task of the process can go on.
///
/// - Parameter action: is told whether code computes without end, or else everything sleeps.
@_cdecl("kataSupportOnDeadlock")
public func onDeadlock(_ action: @escaping @convention(c) (_ isComputing: Bool) -> Void) {
    WaitMonitor.shared.onDeadlock { action($0) }
}

/// For the program that runs a suite: these tests probably hang, as others did.
@_cdecl("kataSupportExpectHangs")
public func expectHangs() { WaitMonitor.shared.expectHangs() }

/// For the program that runs a suite: whether code of this process seems to compute without end.
@_cdecl("kataSupportIsEndless")
public func isEndless() -> Bool { WaitMonitor.shared.isEndless }

/// Why a wait was given up.
public enum WaitEnd: String, Sendable {
    /// No task and no thread was left that could do what was waited for.
    case nothingLeftToRun
    /// The same, and code that waits keeps all threads of a global queue.
    case noThreadLeft
    /// Code kept running, and what was waited for did not happen.
    case stillRunning
}
