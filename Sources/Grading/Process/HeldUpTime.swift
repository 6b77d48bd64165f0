import Foundation

/// A limit in seconds would end honest work on a machine that is busy with something else.
///
/// Adds up for how long a process, and all that it has started, was ready to run and had no processor, or may have been. Its
/// limits are later by that. Only Linux tells, so elsewhere it stays zero.
struct HeldUpTime {
    private let pid: pid_t
    private var lastLook = ContinuousClock.now
    private var waited: [String: UInt64] = [:]
    private var ownTicks: UInt64 = 0
    private var times = ProcessorTimes.current
    private(set) var total = Duration.zero

    init(of pid: pid_t) {
        self.pid = pid
    }

    /// How much of the time between two looks counts.
    ///
    /// - Parameters:
    ///   - waited: for how long all threads together were ready and had no processor.
    ///   - others: for how long other programs had the processors.
    ///   - stolen: for how long the host gave the processors to other machines.
    static func counted(of time: Duration, waited: Duration, others: Duration, stolen: Duration) -> Duration {
        // Most of the rest may be counted, and never all of it: code that starts hundreds of threads comes to its limit, too.
        stolen + min(max(waited, others), (time - stolen) * 0.8)
    }

    /// Looks again, unless the last look was a moment ago.
    mutating func update() {
        #if os(Linux)
        let now = ContinuousClock.now
        guard now - lastLook >= .milliseconds(100) else { return }
        let processes = [pid] + ChildProcess.descendants(of: pid)
        let current = Self.waited(by: processes)
        let nanoseconds = current.reduce(into: UInt64(0)) { sum, thread in
            let before = waited[thread.key] ?? 0
            if thread.value > before { sum += thread.value - before }
        }
        let ticks = max(ownTicks, processes.reduce(0) { $0 + Self.ticks(of: $1) })
        let (passed, timesNow) = (now - lastLook, ProcessorTimes.current)
        total += Self.counted(
            of: passed, waited: .nanoseconds(Int64(clamping: nanoseconds)),
            others: timesNow.othersTime(of: passed, since: times, own: ticks - ownTicks),
            stolen: timesNow.stolenTime(of: passed, since: times))
        (waited, ownTicks, times, lastLook) = (current, ticks, timesNow, now)
        #endif
    }

    #if os(Linux)
    /// How long each thread has waited for a processor so far, in nanoseconds.
    private static func waited(by processes: [pid_t]) -> [String: UInt64] {
        var result: [String: UInt64] = [:]
        for process in processes {
            for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? [] {
                // `<running> <waiting> <times>`
                let file = "/proc/\(process)/task/\(thread)/schedstat"
                let fields = ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: " ")
                if fields.count == 3, let waiting = UInt64(fields[1]) { result[thread] = waiting }
            }
        }
        return result
    }

    /// The processor time of all threads of a process so far, those that have ended included, and of its children that have.
    private static func ticks(of process: pid_t) -> UInt64 {
        // `12 (a name) S …`: the name may hold spaces and parentheses itself. The times are the 14th to the 17th field.
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return fields.dropFirst(12).prefix(4).reduce(0) { $0 + (UInt64($1) ?? 0) }
    }
    #endif
}
