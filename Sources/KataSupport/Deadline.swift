import Foundation

/// A continuation that is never resumed hangs its test, and with it all the tests behind it, without a word about why.
///
/// `withDeadline` waits for work of the learner's and gives it up when it stays silent: the failure then says which wait it
/// was and for how long. The work is abandoned, not awaited: it may never come back.
///
///     let value = try await KataSupport.withDeadline { await subject.firstValue }
///
/// - Parameter key: What a wait that was in vain is told with.
public func withDeadline<Success: Sendable>(
    orTell key: String = "deadline", _ operation: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    TaskQueue.shared.begin()
    let outcome = Observed<Result<Success, any Error>?>(nil)
    let work = Task {
        let result: Result<Success, any Error>
        do { result = .success(try await operation()) } catch { result = .failure(error) }
        outcome.update { $0 = result }
    }
    do {
        _ = try await outcome.until(orTell: key) { $0 != nil }
    } catch {
        work.cancel()
        throw error
    }
    guard let result = outcome.value else { throw CancellationError() }
    return try result.get()
}

/// A wait that ended at its deadline.
public struct DeadlineExceeded: FindingError {
    public var seconds: Double
    /// The statement that this expiry is told with; `deadline` unless the wait was for something with a name of its own.
    public var key: String

    public init(seconds: Double, key: String = "deadline") {
        self.seconds = seconds
        self.key = key
    }

    public var finding: Finding { Finding(key: key, arguments: [Deadline.text(seconds)]) }
    public var prose: String {
        switch key {
        case "notCancelled": "Expected the work to be cancelled, but it was not within \(Deadline.text(seconds)) s."
        case "leaked": "Expected nothing to be kept alive, but something still was after \(Deadline.text(seconds)) s."
        default: "Expected this to happen, but it did not within \(Deadline.text(seconds)) s."
        }
    }
}

/// Who else runs tasks in this process. The grader runs one suite in a process, and gives it a seed; `swift test` runs everything
/// in one, and other tests' work is neither a hang nor a loop without end.
enum Company {
    private static let isShared = ProcessInfo.processInfo.environment["KATA_SEED"] == nil

    /// How many times as long as usual to wait while tasks keep running.
    static let patience = isShared ? 60 : 3
    /// How many times as many steps as usual may be taken, and hops have to be quiet, before all is called settled.
    static let steps = isShared ? 100 : 1
}

/// How long a wait may take. A passing test never comes near it.
enum Deadline {
    /// The first expiry is generous. Where one wait was in vain, most others will be, and a learner waits for the verdict.
    private static let lengths = [2, 0.5, 0.3, 0.25]
    private static let expiries = Locked(0)
    static func text(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }

    /// Calls `expire` when the time is up, unless the returned handle is cancelled before.
    ///
    /// Time is counted in ticks at which no task had anything to run, not read from a clock: a machine that is busy, or was
    /// stopped for a while, makes nobody fail. Tasks that never stop running get `Company.patience` times as long. A task that blocks
    /// its thread is left to itself after a while, so that others can go on.
    static func start(_ expire: @escaping @Sendable (_ seconds: Double) -> Void) -> Handle {
        let tick = 0.02
        let seconds = expiries.withLock { lengths[min($0, lengths.count - 1)] }
        let needed = Int((seconds / tick).rounded())
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue.global(qos: .userInitiated))
        let counts = Locked(Counts(steps: TaskQueue.shared.progress.steps))
        source.schedule(deadline: .now() + tick, repeating: tick)
        source.setEventHandler {
            let progress = TaskQueue.shared.progress
            let (isOver, isStuck) = counts.withLock { counts in
                let hasMoved = counts.steps != progress.steps
                counts.steps = progress.steps
                counts.all += 1
                counts.quiet += hasMoved || progress.isRunningJob ? 0 : 1
                counts.stuck = !hasMoved && progress.isRunningJob ? counts.stuck + 1 : 0
                return (
                    counts.quiet >= needed || counts.all >= Company.patience * needed,
                    counts.stuck >= max(5, needed / 4)
                )
            }
            if isStuck { TaskQueue.shared.abandonJob(afterSteps: progress.steps) }
            guard isOver else { return }
            source.cancel()
            expire(seconds)
        }
        source.resume()
        return Handle(source: source)
    }

    private struct Counts {
        /// The steps that the queue of tasks had done at the last tick.
        var steps: Int
        var all = 0
        var quiet = 0
        /// For how many ticks in a row one job has been running.
        var stuck = 0
    }

    static func noteExpiry() {
        expiries.withLock { $0 += 1 }
    }

    struct Handle: Sendable {
        fileprivate nonisolated(unsafe) let source: any DispatchSourceTimer  // `cancel()` may be called from any thread

        func cancel() {
            source.cancel()
        }
    }
}
