import Foundation

/// A limit in seconds would end honest work on a machine that is busy with something else.
///
/// Adds up for how long a process, and all that it has started, was ready to run while other programs had the processors, or
/// may have been. Its limits are later by that. Only Linux tells, so elsewhere it stays zero.
struct HeldUpTime {
    private let pid: pid_t
    private var lastLook = ContinuousClock.now
    private var nextLook = ContinuousClock.now + .milliseconds(100)
    private var waited: [pid_t: UInt64] = [:]
    private var ownTicks: UInt64 = 0
    private var times = ProcessorTimes.current
    private(set) var total = Duration.zero
    /// How many threads all of it had at the last look.
    private(set) var threads = 0

    /// - Parameter delay: for how long it could not be started.
    init(of pid: pid_t, delayedBy delay: Duration = .zero) {
        self.pid = pid
        total = delay
    }

    /// How much of the time between two looks counts.
    ///
    /// The threads of a process wait for each other, too. So their waits are not added up, and a wait counts only as far as
    /// other programs had processors.
    ///
    /// - Parameters:
    ///   - waited: for how long that thread was ready and had no processor that waited most.
    ///   - used: the processor time that other programs had.
    ///   - others: their share of the processors, as a part of the time.
    ///   - stolen: for how long the host gave the processors to other machines.
    static func counted(
        of time: Duration, waited: Duration, used: Duration, others: Duration, stolen: Duration
    ) -> Duration {
        // Most of the rest may be counted, and never all of it, so that every limit is reached.
        stolen + min(max(min(waited, used), others), (time - stolen) * 0.8)
    }

    /// Looks again, unless the last look was a moment ago.
    mutating func update() {
        #if os(Linux)
        let now = ContinuousClock.now
        guard now >= nextLook else { return }
        let processes = [pid] + ChildProcess.descendants(of: pid, among: Self.mostThreads)
        let current = Self.waited(by: processes)
        let longest = current.map { $0.value - min($0.value, waited[$0.key] ?? 0) }.max() ?? 0
        let ticks = max(ownTicks, processes.reduce(0) { $0 + Self.ticks(of: $1) })
        let (passed, timesNow) = (now - lastLook, ProcessorTimes.current)
        total += Self.counted(
            of: passed, waited: .nanoseconds(Int64(clamping: longest)),
            used: timesNow.othersUse(since: times, own: ticks - ownTicks),
            others: timesNow.othersTime(of: passed, since: times, own: ticks - ownTicks),
            stolen: timesNow.stolenTime(of: passed, since: times))
        (waited, ownTicks, times, lastLook, threads) = (current, ticks, timesNow, now, current.count)
        // Looking takes a twentieth of the time at most.
        nextLook = max(now + .milliseconds(100), .now + now.duration(to: .now) * 20)
        #endif
    }

    #if os(Linux)
    /// No submission needs more threads, and looking at all of thousands would take longer than they run.
    private static let mostThreads = 512

    /// How long each thread has waited for a processor so far, in nanoseconds.
    private static func waited(by processes: [pid_t]) -> [pid_t: UInt64] {
        var result: [pid_t: UInt64] = [:]
        for process in processes {
            for thread in ProcessFiles.threads(of: process, most: mostThreads) {
                // `<running> <waiting> <times>`
                let fields = ProcessFiles.read("\(process)/task/\(thread)/schedstat").split(separator: " ")
                if fields.count == 3, let waiting = UInt64(fields[1]) { result[thread] = waiting }
            }
        }
        return result
    }

    /// The processor time of all threads of a process so far, those that have ended included, and of its children that have.
    private static func ticks(of process: pid_t) -> UInt64 {
        // `12 (a name) S …`: the name may hold spaces and parentheses itself. The times are the 14th to the 17th field.
        let text = ProcessFiles.read("\(process)/stat")
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return fields.dropFirst(12).prefix(4).reduce(0) { $0 + (UInt64($1) ?? 0) }
    }
    #endif
}
