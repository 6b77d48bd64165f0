import Foundation

/// Which task runs first on the platform's pool is up to the scheduler of a busy machine: the same answer could pass one
/// time and fail the next.
///
/// This queue takes the place of the pool: it runs every task of the process one at a time, in the order in which they became
/// ready, on a thread of its own. So it knows which tasks are left to run; what other threads still do, `ProcessActivity`
/// can see. Tasks still overlap wherever they wait; threads that a test starts are real ones.
final class TaskQueue: @unchecked Sendable {  // `state` is only reached with the condition's lock held
    static let shared = TaskQueue()

    private struct State {
        var ready: [UnownedJob] = []
        var next = 0
        /// The worker that takes jobs; one that hangs in a job is replaced, and stops when it comes back.
        var worker = 0
        var isRunningJob = false
        var steps = 0
        var settlers: [Settler] = []
        /// Threads that compute without end.
        var ignored: Set<Int> = []
        /// What the next job is drawn with; nil where it is the one that has been ready longest.
        var draw: Values?
    }

    private struct Settler {
        /// After so many jobs it is resumed, quiet or not.
        var lastStep: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    /// What the queue has done and still has to do.
    struct Progress: Equatable {
        /// How many jobs have been run.
        var steps: Int
        var isRunningJob: Bool
        var hasReadyJobs: Bool
        var isSettling: Bool
    }

    private let condition = NSCondition()
    private var state = State()

    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    private init() {
        let name = "swift_task_enqueueGlobal_hook"
        guard let address = dlsym(dlopen(nil, RTLD_LAZY), name) else {
            fatalError("Suites run tasks on a queue of their own, which needs a Swift runtime that exports \(name).")
        }
        address.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in
            if let schedules = Schedules.current {
                return schedules.start({ TaskQueue.run($0) }, unsafeBitCast(job, to: UnsafeMutableRawPointer.self))
            }
            TaskQueue.shared.enqueue(job)
        }
        Self.delayExploredJobs()
        startWorker(0)
    }

    /// What sleeps while orders are explored is woken when nothing else can go on, in the order of time.
    private static func delayExploredJobs() {
        typealias Delay = @convention(thin) (UInt64, UnownedJob) -> Void
        typealias DelayHook = @convention(thin) (UInt64, UnownedJob, Delay) -> Void
        typealias Deadline = @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob) -> Void
        typealias DeadlineHook = @convention(thin) (Int64, Int64, Int64, Int64, Int32, UnownedJob, Deadline) -> Void
        func set<Hook>(_ name: String, _ hook: Hook) {
            let address = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobalWith\(name)_hook")
            address?.assumingMemoryBound(to: Hook?.self).pointee = hook
        }
        let delay: DelayHook = { nanoseconds, job, original in
            if !TaskQueue.delay(job, nanoseconds) { original(nanoseconds, job) }
        }
        let deadline: DeadlineHook = { seconds, nanoseconds, leeway, leewayNanoseconds, clock, job, original in
            let wait = max(0, (seconds &* 1_000_000_000 &+ nanoseconds) &- TaskQueue.time(of: clock))
            if TaskQueue.delay(job, UInt64(wait)) { return }
            original(seconds, nanoseconds, leeway, leewayNanoseconds, clock, job)
        }
        set("Delay", delay)
        set("Deadline", deadline)
    }

    private static func delay(_ job: UnownedJob, _ nanoseconds: UInt64) -> Bool {
        guard let schedules = Schedules.current else { return false }
        let pointer = unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
        schedules.startLater({ TaskQueue.run($0) }, pointer, nanoseconds)
        return true
    }

    /// The runtime counts on a continuous and on a suspending clock.
    private static func time(of clock: Int32) -> Int64 {
        var time = timespec()
        #if os(Linux)
        clock_gettime(clock == 1 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &time)
        #else
        clock_gettime(CLOCK_MONOTONIC, &time)
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// From here on, tasks run on this queue.
    func begin() {
        WaitMonitor.shared.begin()
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body(&state)
    }

    var progress: Progress {
        withState {
            Progress(
                steps: $0.steps, isRunningJob: $0.isRunningJob, hasReadyJobs: $0.next < $0.ready.count,
                isSettling: !$0.settlers.isEmpty)
        }
    }

    /// Waits until nothing is left to run, or so many more jobs have been run.
    func quiet(within limit: Int) async {
        await withCheckedContinuation { continuation in
            withState { $0.settlers.append(Settler(lastStep: $0.steps + limit, continuation: continuation)) }
            condition.signal()
        }
    }

    /// Gives up the job that has been running since the queue had done so many steps: it blocks its thread, and others need one.
    ///
    /// - Parameter isComputing: Its thread will not sleep, so `settle()` must not wait for that.
    func abandonJob(afterSteps steps: Int, isComputing: Bool) {
        let awake = isComputing ? ProcessActivity.awakeThreads() : []
        let worker: Int? = withState {
            guard $0.isRunningJob, $0.steps == steps else { return nil }
            $0.worker += 1
            $0.steps += 1
            $0.isRunningJob = false
            $0.ignored.formUnion(awake)
            return $0.worker
        }
        if let worker { startWorker(worker) }
    }

    var ignoredThreads: Set<Int> { withState { $0.ignored } }

    /// From here on, the next job is drawn from those that are ready, or is the first of them again.
    func drawJobs(with draw: Values?) {
        withState { $0.draw = draw }
    }

    fileprivate func enqueue(_ job: UnownedJob) {
        withState { $0.ready.append(job) }
        condition.signal()
    }

    // MARK: - The worker

    private func startWorker(_ worker: Int) {
        Thread.detachNewThread { [self] in
            while let job = nextJob(of: worker) { job.runSynchronously(on: Self.pool) }
        }
    }

    /// The next job, as soon as there is one; nil for a worker that has been replaced.
    private func nextJob(of worker: Int) -> UnownedJob? {
        condition.lock()
        defer { condition.unlock() }
        if state.worker == worker, state.isRunningJob {
            state.isRunningJob = false
            state.steps += 1
        }
        var search = QuietSearch()
        while state.worker == worker {
            let steps = state.steps
            let late = state.settlers.filter { $0.lastStep <= steps }
            if !late.isEmpty {
                state.settlers.removeAll { $0.lastStep <= steps }
                resume(late, isEndless: true)
            } else if state.next < state.ready.count {
                return takeJob()
            } else if state.settlers.isEmpty {
                condition.wait()
                search = QuietSearch()
            } else if isQuiet(&search) {
                let settled = state.settlers
                state.settlers = []
                resume(settled)
            }
        }
        return nil
    }

    private func takeJob() -> UnownedJob {
        if var draw = state.draw {
            state.ready.swapAt(state.next, Int.random(in: state.next..<state.ready.count, using: &draw))
            state.draw = draw
        }
        let job = state.ready[state.next]
        state.next += 1
        if state.next == state.ready.count {
            state.ready.removeAll(keepingCapacity: true)
            state.next = 0
        }
        state.isRunningJob = true
        return job
    }

    /// Looks once whether all other threads sleep, with the lock released meanwhile.
    private func isQuiet(_ search: inout QuietSearch) -> Bool {
        let ignored = state.ignored
        condition.unlock()
        let finding = search.look(ignoring: ignored)
        condition.lock()
        if case .neverQuiet(let threads) = finding {
            state.ignored.formUnion(threads)
            condition.unlock()
            WaitMonitor.shared.noteEndless()
            condition.lock()
        }
        return finding != .awake && state.next == state.ready.count
    }

    /// Resumes with the lock released: a continuation enqueues its task here.
    private func resume(_ settlers: [Settler], isEndless: Bool = false) {
        condition.unlock()
        if isEndless { WaitMonitor.shared.noteEndless() }
        for settler in settlers { settler.continuation.resume() }
        condition.lock()
    }

    /// Runs a job that was handed over as a pointer.
    static func run(_ job: UnsafeMutableRawPointer?) {
        guard let job else { return }
        unsafeBitCast(job, to: UnownedJob.self).runSynchronously(on: pool)
    }

    /// The executor of code that belongs to no actor; the runtime has no public name for it.
    static let pool = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
}

/// Looks again and again whether the other threads sleep: the system does not report when a thread falls asleep.
private struct QuietSearch {
    enum Finding: Equatable {
        case asleep
        case awake
        /// These have computed for so long without a pause that they are not waited for.
        case neverQuiet(Set<Int>)
    }

    /// What code may use of the processors before it counts as an endless loop.
    private static let patience = 1.0

    private let start = ProcessActivity.processorSeconds
    private var pause: UInt32 = 10

    mutating func look(ignoring ignored: Set<Int>) -> Finding {
        if ProcessActivity.uncounted({ ProcessActivity.isAsleep(ignoring: ignored) }) { return .asleep }
        if ProcessActivity.processorSeconds - start > Self.patience {
            return .neverQuiet(ProcessActivity.awakeThreads())
        }
        // Those that are awake need the processor more than this thread does.
        _ = ProcessActivity.uncounted { usleep(pause) }
        pause = min(2 * pause, 2_000)
        return .awake
    }
}
