import Foundation

/// Which task runs first on the platform's pool is up to the scheduler of a busy machine: the same answer could pass one
/// time and fail the next.
///
/// This queue takes the place of the pool: it runs every task of the process one at a time, in the order in which they became
/// ready, and counts them, so it can tell when nothing is left to run. Tasks still overlap wherever they wait; threads that
/// a test starts are real ones.
final class TaskQueue: Sendable {
    static let shared = TaskQueue()

    private typealias Enqueue = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Enqueue) -> Void

    private struct State {
        var ready: [UnownedJob] = []
        var next = 0
        /// The worker that takes jobs; one that hangs in a job is replaced, and stops when it comes back.
        var worker = 0
        var activity = Activity.idle
        var steps = 0
        var settlers: [(last: Int, resume: CheckedContinuation<Void, Never>)] = []
        /// How many hops in a row have found nothing to run.
        var quietHops = 0
    }

    private enum Activity { case idle, working, runningJob, hopping }

    /// What a worker does next.
    private enum Turn {
        case run(UnownedJob)
        case hop(DispatchQoS.QoSClass)
        case stop
    }

    private let state = Locked(State())

    private init() {
        let name = "swift_task_enqueueGlobal_hook"
        guard let address = dlsym(dlopen(nil, RTLD_LAZY), name) else {
            fatalError("Suites run tasks on a queue of their own, which needs a Swift runtime that exports \(name).")
        }
        address.assumingMemoryBound(to: Hook?.self).pointee = { job, _ in TaskQueue.shared.enqueue(job) }
    }

    /// From here on, tasks run on this queue.
    func begin() {}

    /// How many jobs have been run, and whether one is running now.
    var progress: (steps: Int, isRunningJob: Bool) {
        state.withLock { ($0.steps, $0.activity == .runningJob) }
    }

    /// Waits until nothing is left to run, or so many more jobs have been run.
    func quiet(within limit: Int) async {
        await withCheckedContinuation { continuation in
            state.withLock {
                $0.settlers.append(($0.steps + limit, continuation))
                $0.quietHops = 0
            }
            startWorker()
        }
    }

    /// Gives up the job that has been running since the queue had done so many steps: it blocks its thread, and others need one.
    func abandonJob(afterSteps steps: Int) {
        let isStillRunning = state.withLock {
            guard $0.activity == .runningJob, $0.steps == steps else { return false }
            $0.worker += 1
            $0.steps += 1
            $0.activity = .idle
            return true
        }
        if isStillRunning { startWorker() }
    }

    private func enqueue(_ job: UnownedJob) {
        state.withLock {
            $0.ready.append(job)
            $0.quietHops = 0
        }
        startWorker()
    }

    private func startWorker() {
        let worker: Int? = state.withLock {
            guard $0.activity == .idle else { return nil }
            $0.activity = .working
            return $0.worker
        }
        if let worker { work(as: worker, on: .userInitiated) }
    }

    private func work(as worker: Int, on queue: DispatchQoS.QoSClass) {
        DispatchQueue.global(qos: queue).async { [self] in
            while true {
                switch nextTurn(of: worker) {
                case .run(let job): job.runSynchronously(on: Self.pool)
                case .hop(let queue): return work(as: worker, on: queue)
                case .stop: return
                }
            }
        }
    }

    private func nextTurn(of worker: Int) -> Turn {
        let (turn, settled): (Turn, [CheckedContinuation<Void, Never>]) = state.withLock { state in
            guard state.worker == worker else { return (.stop, []) }
            if state.activity == .runningJob { state.steps += 1 }
            if state.next < state.ready.count {
                let job = state.ready[state.next]
                state.next += 1
                if state.next == state.ready.count {
                    state.ready.removeAll(keepingCapacity: true)
                    state.next = 0
                }
                state.activity = .runningJob
                let steps = state.steps
                let late = state.settlers.filter { $0.last <= steps }
                if !late.isEmpty { state.settlers.removeAll { $0.last <= steps } }
                return (.run(job), late.map(\.resume))
            }
            if !state.settlers.isEmpty, state.quietHops < Self.hops.count {
                state.activity = .hopping
                state.quietHops += 1
                return (.hop(Self.hops[state.quietHops - 1]), [])
            }
            state.activity = .idle
            defer { state.settlers = [] }
            return (.stop, state.settlers.map(\.resume))
        }
        settled.forEach { $0.resume() }
        return turn
    }

    /// The queues of the platform's pool that tasks of the usual priorities would run on.
    private static let hops: [DispatchQoS.QoSClass] = Array(
        repeating: [.userInitiated, .default, .utility], count: 4 * Company.steps
    ).flatMap { $0 }

    /// The executor of code that belongs to no actor; the runtime has no public name for it.
    private static let pool = unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
}
