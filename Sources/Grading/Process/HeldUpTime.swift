import Foundation

/// A limit in seconds would end honest work on a machine that is busy with something else.
///
/// Adds up for how long a process, and all that it has started, was ready to run and had no processor. Its limits are later by
/// that. Only Linux tells, so elsewhere it stays zero.
struct HeldUpTime {
    private let pid: pid_t
    private var lastLook = ContinuousClock.now
    private var waited: [String: UInt64] = [:]
    private var stolen = StolenTime.current
    private(set) var total = Duration.zero

    init(of pid: pid_t) {
        self.pid = pid
    }

    /// How much of the time between two looks counts.
    ///
    /// - Parameters:
    ///   - waited: for how long all threads together were ready and had no processor.
    ///   - stolen: for how long the host gave the processors to other machines.
    static func counted(of time: Duration, waited: Duration, stolen: Duration) -> Duration {
        // Most of the rest may be counted, and never all of it: code that starts hundreds of threads comes to its limit, too.
        stolen + min(waited, (time - stolen) * 0.8)
    }

    /// Looks again, unless the last look was a moment ago.
    mutating func update() {
        #if os(Linux)
        let now = ContinuousClock.now
        guard now - lastLook >= .milliseconds(100) else { return }
        let current = Self.waited(by: pid)
        let nanoseconds = current.reduce(into: UInt64(0)) { sum, thread in
            let before = waited[thread.key] ?? 0
            if thread.value > before { sum += thread.value - before }
        }
        let stolenNow = StolenTime.current
        total += Self.counted(
            of: now - lastLook, waited: .nanoseconds(Int64(clamping: nanoseconds)),
            stolen: stolenNow.time(of: now - lastLook, since: stolen))
        (waited, stolen, lastLook) = (current, stolenNow, now)
        #endif
    }

    #if os(Linux)
    /// How long each thread has waited for a processor so far, in nanoseconds.
    private static func waited(by pid: pid_t) -> [String: UInt64] {
        var result: [String: UInt64] = [:]
        for process in [pid] + ChildProcess.descendants(of: pid) {
            for thread in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? [] {
                // `<running> <waiting> <times>`
                let file = "/proc/\(process)/task/\(thread)/schedstat"
                let fields = ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: " ")
                if fields.count == 3, let waiting = UInt64(fields[1]) { result[thread] = waiting }
            }
        }
        return result
    }
    #endif
}
