import Foundation

/// A limit in seconds would end honest work on a machine that is busy with something else.
///
/// Adds up for how long a process, and all that it has started, was ready to run and had no processor. Its limits are later by
/// that. Only Linux tells, so elsewhere it stays zero.
struct HeldUpTime {
    private let pid: pid_t
    private var lastLook = ContinuousClock.now
    private var waited: [String: UInt64] = [:]
    private(set) var total = Duration.zero

    /// Most of the time may be counted, and never all of it: code that starts hundreds of threads comes to its limit, too.
    private static let largestShare = 0.8

    init(of pid: pid_t) {
        self.pid = pid
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
        total += min(.nanoseconds(Int64(clamping: nanoseconds)), (now - lastLook) * Self.largestShare)
        (waited, lastLook) = (current, now)
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
