/// Which wait is in vain, which job blocks its thread and what computes without end follows from many looks at the process, each
/// of which proves little.
///
/// Takes one look after the other and says what follows. It reads no clock and no file, so recorded looks give the same
/// answers again.
struct WaitJudge {
    /// What one look has seen.
    struct Look {
        var progress: TaskQueue.Progress
        /// The processor time that the code has used so far.
        var seconds: Double
        /// The threads that are awake; nil where no look was taken, or where all seem asleep and one has run meanwhile, or
        /// waits for a reader of what it prints.
        var awake: Set<Int>?
        /// The threads that compute without end.
        var ignored: Set<Int> = []
        /// How often other threads have been switched off a processor.
        var switches = 0
        /// In how many nanoseconds a thread wakes by itself, as it was known before the look; 0 where that is not known.
        var nextWake: UInt64 = 0
        /// The oldest wait.
        var wait: Wait?
        var history = History()
    }

    struct Wait {
        var id: Int
        /// The processor time at its start.
        var startSeconds: Double
    }

    /// What has been found in this process before.
    struct History {
        /// Whether a wait was in vain.
        var hasHung = false
        /// How many tasks have blocked their thread.
        var blockedThreads = 0
        /// Whether code computes without end, and has not slept since.
        var isEndless = false
    }

    enum Decision: Equatable {
        /// What seemed to compute without end sleeps.
        case hasPaused
        /// The job that has been running since the queue had done so many steps is given up.
        case abandonJob(steps: Int, isComputing: Bool)
        /// - Parameter isEndless: whether code computes without end.
        case endWait(id: Int, WaitEnd, isEndless: Bool)
        /// Nothing can go on, and no wait could be ended for that.
        case deadlock(isComputing: Bool)
    }

    /// How much is needed before something is given up: looks, or seconds of processor time.
    ///
    /// The monitor looks about every five milliseconds. It counts looks and no time: while the machine is busy or stopped, it
    /// does not look either. Where something was given up once, most else will be too, and the learner waits for the verdict:
    /// hence the second row.
    private struct Patience {
        /// Looks at a wait while everything sleeps. Where the program notes all timers, two looks decide instead.
        var vain: Int
        /// The same if threads wake between some of the looks: the test framework's do, and code that polls every ten milliseconds.
        var polling: Int
        /// The same if they wake between any two: code that polls each millisecond. Code that is held up by other programs is not
        /// asleep.
        var pollingOften: Int
        /// Looks while a job sleeps inside its thread, which all other jobs need.
        var blocked: Int
        /// Looks while everything sleeps and nothing waits with a limit. The longest, as it ends the process.
        var deadlock: Int
        /// Processor time during one wait. A whole test of a right answer uses a few milliseconds.
        var computing: Double
        /// Processor time since the last job, where a test waits for nothing but a job that was given up.
        var endless: Double

        static let first = Patience(
            vain: 30, polling: 60, pollingOften: 120, blocked: 20, deadlock: 100, computing: 0.6, endless: 1.0)
        static let again = Patience(
            vain: 6, polling: 20, pollingOften: 40, blocked: 2, deadlock: 30, computing: 0.15, endless: 0.3)

        /// Looks at one wait, whatever they see: a minute, for code that is always awake and uses next to no processor time.
        static let looks = 12_000
        /// Processor time of one job.
        static let job = 0.6
        /// What wakes later than this is not waited for: as long as `vain` looks take.
        static let soon: UInt64 = 150_000_000
    }

    private var last: TaskQueue.Progress?
    /// The processor time when a job last began or ended.
    private var movedSeconds = 0.0
    private var job = (steps: -1, startSeconds: 0.0)
    private var stillness = Stillness()
    /// The switches at the look before, if everything slept.
    private var lastAsleep: Int?
    private var wait = LooksAtWait(id: 0)

    private struct LooksAtWait {
        var id: Int
        var all = 0
        /// Those that found everything asleep, and nothing had run since the look before.
        var idle = 0
        /// Those that found everything asleep, whether or not something had run since the look before.
        var asleep = 0
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

    /// Whether the time of the next wake-up can matter for the next look.
    var asksForNextWake: Bool { lastAsleep != nil }

    /// Whether the threads can matter for this look.
    func asksForThreads(_ progress: TaskQueue.Progress, hasWaits: Bool, isEndless: Bool) -> Bool {
        isEndless || (progress == last ? progress.isStuck : !progress.hasJobs && hasWaits)
    }

    /// The scheduler decides meanwhile: what was seen before it does not count.
    mutating func beginAnew() { stillness = Stillness() }

    mutating func judge(_ look: Look) -> [Decision] {
        let progress = look.progress
        let hasMoved = progress != last
        last = progress
        if hasMoved { movedSeconds = look.seconds }
        if job.steps != progress.steps || !progress.isRunningJob { job = (progress.steps, look.seconds) }
        let isIdle = !hasMoved && progress.isStuck && look.awake?.isSubset(of: look.ignored) == true
        let isComputing = isIdle && look.awake?.isEmpty == false
        stillness.note(isIdle: isIdle, hasMoved: hasMoved)
        let asleep = isIdle && !isComputing ? look.switches : nil
        // No thread has run since the look before, and none will soon.
        let isOver = asleep != nil && asleep == lastAsleep && look.nextWake > Patience.soon
        lastAsleep = asleep

        var decisions: [Decision] = []
        if look.awake?.isEmpty == true, look.history.isEndless { decisions.append(.hasPaused) }
        if let decision = decision(look, isIdle: isIdle, isComputing: isComputing, isOver: isOver) {
            decisions.append(decision)
            stillness = Stillness()
        }
        return decisions
    }

    private mutating func decision(_ look: Look, isIdle: Bool, isComputing: Bool, isOver: Bool) -> Decision? {
        let progress = look.progress
        let patience = look.history.hasHung ? Patience.again : .first
        let hasBlocked = look.history.blockedThreads > 0
        if progress.isRunningJob, look.seconds - job.startSeconds > Patience.job {
            return .abandonJob(steps: progress.steps, isComputing: true)
        }
        let blocked = (hasBlocked ? Patience.again : .first).blocked
        if progress.isRunningJob, isIdle, isOver || stillness.idle >= blocked {
            return .abandonJob(steps: progress.steps, isComputing: false)
        }
        if let wait = look.wait {
            return end(
                of: wait, look, patience, isIdle: isIdle && !progress.isRunningJob, isComputing: isComputing,
                isOver: isOver)
        }
        let deadlock = (hasBlocked ? Patience.again : patience).deadlock
        // `settle()` ends by itself, and its looks at many threads may take longer than the looks here.
        if isIdle, !progress.isSettling, stillness.idle >= deadlock,
            !isComputing || look.seconds - movedSeconds >= patience.endless
        {
            return .deadlock(isComputing: isComputing)
        }
        return nil
    }

    /// Ends the wait if it is in vain.
    private mutating func end(
        of wait: Wait, _ look: Look, _ patience: Patience, isIdle: Bool, isComputing: Bool, isOver: Bool
    ) -> Decision? {
        if self.wait.id != wait.id { self.wait = LooksAtWait(id: wait.id) }
        self.wait.all += 1
        self.wait.idle += isIdle ? 1 : 0
        self.wait.asleep += look.awake?.isEmpty == true && !look.progress.hasJobs ? 1 : 0
        let looks = self.wait
        let hasComputed = look.seconds - wait.startSeconds >= patience.computing
        if isIdle, isOver || stillness.idle >= patience.vain {
            let end = isComputing ? WaitEnd.stillRunning : .nothingLeftToRun
            return .endWait(id: wait.id, end, isEndless: isComputing)
        }
        if hasComputed || looks.idle >= patience.polling || looks.asleep >= patience.pollingOften
            || looks.all >= Patience.looks
        {
            return .endWait(id: wait.id, .stillRunning, isEndless: isComputing || hasComputed)
        }
        return nil
    }
}

extension TaskQueue.Progress {
    fileprivate var hasJobs: Bool { isRunningJob || hasReadyJobs }

    /// Jobs that are ready wait for the one that runs: where its thread sleeps, it blocks them.
    fileprivate var isStuck: Bool { isRunningJob || !hasReadyJobs }
}
