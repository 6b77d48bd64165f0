import Foundation

/// What the kernel has counted for all processors of the machine since it was started, in ticks: `/proc/stat`.
///
/// On a rented machine the host may give the processors to other machines for a while. Nothing in the machine runs then, and no
/// thread is seen to wait. Nor is a thread seen that has ended since: code that starts a thread for each result waits long
/// for all of them on a busy machine.
struct ProcessorTimes: Equatable {
    /// What other machines had while something here was ready to run.
    var stolen: UInt64
    /// All time in which something here ran or was ready to run.
    var wanted: UInt64
    /// The time in which processors had nothing to do.
    var idle: UInt64

    static let none = ProcessorTimes(stolen: 0, wanted: 0, idle: 0)

    static var current: ProcessorTimes {
        (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap(ProcessorTimes.init(statistics:)) ?? .none
    }

    init(stolen: UInt64, wanted: UInt64, idle: UInt64) {
        self.stolen = stolen
        self.wanted = wanted
        self.idle = idle
    }

    /// - Parameter statistics: the text of `/proc/stat`. It begins with the sum of all processors:
    ///   `cpu <user> <nice> <system> <idle> <iowait> <irq> <softirq> <steal> <guest> <guest nice>`. What guests have is also in
    ///   the first two.
    init?(statistics: String) {
        let fields = statistics.prefix { $0 != "\n" }.split(separator: " ")
        let times = fields.dropFirst().prefix(8).compactMap { UInt64($0) }
        guard fields.first == "cpu", times.count == 8 else { return nil }
        let idle = times[3] &+ times[4]
        self.init(stolen: times[7], wanted: times.reduce(0, &+) &- idle, idle: idle)
    }

    /// How much of the time since an earlier look was stolen: as large a share of it as of the time that was wanted, and not
    /// more than the kernel has counted. Never all of it counts, so that every limit is reached.
    func stolenTime(of passed: Duration, since before: ProcessorTimes) -> Duration {
        guard wanted > before.wanted, stolen > before.stolen else { return .zero }
        let ticks = stolen - before.stolen
        let share = min(0.9, Double(ticks) / Double(wanted - before.wanted))
        return min(passed * share, .seconds(1) * Double(ticks) / Self.ticksInSecond)
    }

    /// How much of the time since an earlier look other programs had that a process needed: their share of the processors. A
    /// processor that had nothing to do was there for the process.
    ///
    /// - Parameter own: the ticks of that process in this time.
    func othersTime(of passed: Duration, since before: ProcessorTimes, own: UInt64) -> Duration {
        guard wanted >= before.wanted, stolen >= before.stolen, idle >= before.idle else { return .zero }
        let (wanted, stolen) = (wanted - before.wanted, stolen - before.stolen)
        let idle = Double(idle - before.idle)
        let others = Double(wanted) - Double(stolen) - Double(own)
        guard others > idle else { return .zero }
        return passed * ((others - idle) / (Double(wanted) + idle))
    }

    /// The processor time that other programs have had since an earlier look.
    ///
    /// - Parameter own: the ticks of the process that is not one of them.
    func othersUse(since before: ProcessorTimes, own: UInt64) -> Duration {
        guard wanted >= before.wanted, stolen >= before.stolen else { return .zero }
        let ticks = Double(wanted - before.wanted) - Double(stolen - before.stolen) - Double(own)
        return .seconds(1) * max(0, ticks) / Self.ticksInSecond
    }

    private static let ticksInSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
}
