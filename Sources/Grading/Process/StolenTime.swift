import Foundation

/// On a rented machine the host may give the processors to other machines for a while. Nothing in the machine runs then, and no
/// thread is seen to wait.
///
/// The kernel counts that time in `/proc/stat`, in the same unit as all other time of the processors.
struct StolenTime: Equatable {
    /// What others had while something here was ready to run.
    var stolen: UInt64
    /// All time in which something here ran or was ready to run.
    var wanted: UInt64

    static let none = StolenTime(stolen: 0, wanted: 0)

    /// What the kernel has counted since the machine was started.
    static var current: StolenTime {
        (try? String(contentsOfFile: "/proc/stat", encoding: .utf8)).flatMap(StolenTime.init(statistics:)) ?? .none
    }

    init(stolen: UInt64, wanted: UInt64) {
        self.stolen = stolen
        self.wanted = wanted
    }

    /// - Parameter statistics: the text of `/proc/stat`. It begins with the sum of all processors:
    ///   `cpu <user> <nice> <system> <idle> <iowait> <irq> <softirq> <steal> <guest> <guest nice>`. What guests have is also in
    ///   the first two.
    init?(statistics: String) {
        let fields = statistics.prefix { $0 != "\n" }.split(separator: " ")
        let times = fields.dropFirst().prefix(8).compactMap { UInt64($0) }
        guard fields.first == "cpu", times.count == 8 else { return nil }
        self.init(stolen: times[7], wanted: times.reduce(0, &+) &- times[3] &- times[4])
    }

    /// How much of the time since an earlier look was stolen: as large a share of it as of the time that was wanted, and not
    /// more than the kernel has counted. Never all of it counts, so that every limit is reached.
    func time(of passed: Duration, since before: StolenTime) -> Duration {
        guard wanted > before.wanted, stolen > before.stolen else { return .zero }
        let ticks = stolen - before.stolen
        let share = min(0.9, Double(ticks) / Double(wanted - before.wanted))
        return min(passed * share, .seconds(1) * Double(ticks) / Self.ticksInSecond)
    }

    private static let ticksInSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
}
