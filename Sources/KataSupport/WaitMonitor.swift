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
        var expire: @Sendable (WaitEnd) -> Void
    }

    private struct State {
        var lastID = 0
        var waits: [Int: Wait] = [:]
        var hasBegun = false
        var history = WaitJudge.History()
        var onDeadlock: @Sendable (_ isComputing: Bool) -> Void = { isComputing in
            print(isComputing ? Self.endlessWait : Self.deadlock)
            fflush(nil)
            abort()
        }
        /// Told when code begins to compute without end, and when it has paused after all.
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
        state.withLock { $0.history.hasHung = true }
    }

    /// How many tasks have blocked their thread so far.
    var blockedThreads: Int { state.withLock { $0.history.blockedThreads } }

    /// Replaces what is done when no task can go on and no wait could be ended for that, and then nothing is printed.
    func onDeadlock(_ action: @escaping @Sendable (_ isComputing: Bool) -> Void) {
        state.withLock {
            $0.onDeadlock = action
            $0.onEndless = { _ in }
        }
    }

    /// Whether code was found that computes without end, and has not slept since.
    var isEndless: Bool { state.withLock { $0.history.isEndless } }

    /// Code was found that seems to compute without end, or has paused after all.
    func noteEndless(_ isEndless: Bool = true) {
        let action: (@Sendable (Bool) -> Void)? = state.withLock { state in
            guard state.history.isEndless != isEndless else { return nil }
            state.history.isEndless = isEndless
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

    private func watch() {
        var judge = WaitJudge()
        // Code that wakes every ten milliseconds would be awake at each second look, were these as regular.
        for pause in sequence(first: UInt32(3_000), next: { $0 == 7_000 ? 3_000 : $0 + 500 }) {
            ProcessActivity.uncounted { ProcessActivity.letMonitorSleep(microseconds: pause) }
            looking.lock()
            defer { looking.unlock() }
            if isPaused {
                judge.beginAnew()
            } else if !ProcessActivity.isLooking {
                judge.judge(look(for: judge)).forEach(act)
            }
        }
    }

    private func look(for judge: WaitJudge) -> WaitJudge.Look {
        // Before the look: what wakes between the two is seen awake, or has run.
        let nextWake = judge.asksForNextWake ? Schedules.nextWake ?? 0 : 0
        var look = WaitJudge.Look(progress: TaskQueue.shared.progress, seconds: ProcessActivity.processorSeconds)
        look.nextWake = nextWake
        state.withLock { state in
            look.history = state.history
            look.wait = state.waits.min { $0.key < $1.key }.map {
                WaitJudge.Wait(id: $0, startSeconds: $1.startSeconds)
            }
        }
        if judge.asksForThreads(look.progress, hasWaits: look.wait != nil, isEndless: look.history.isEndless) {
            look.awake = ProcessActivity.monitorLooks()
            look.ignored = TaskQueue.shared.ignoredThreads
            look.switches = ProcessActivity.switchesOfOthers
        }
        return look
    }

    private func act(_ decision: WaitJudge.Decision) {
        switch decision {
        case .hasPaused: noteEndless(false)
        case .abandonJob(let steps, let isComputing):
            if !isComputing { state.withLock { $0.history.blockedThreads += 1 } }
            TaskQueue.shared.abandonJob(afterSteps: steps, isComputing: isComputing)
            if isComputing { noteEndless() }
        case .endWait(let id, let end, let isEndless):
            let ended: Wait? = state.withLock { state in
                guard let wait = state.waits.removeValue(forKey: id) else { return nil }
                if !wait.isInVain || end == .stillRunning { state.history.hasHung = true }
                return wait
            }
            guard let ended else { return }
            if isEndless { noteEndless() }
            let isBlocked = end == .nothingLeftToRun && !ended.isInVain && GlobalQueues.areBlocked()
            ended.expire(isBlocked ? .noThreadLeft : end)
        case .deadlock(let isComputing):
            let action = state.withLock { $0.waits.isEmpty ? $0.onDeadlock : nil }
            action?(isComputing)
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
