import Foundation

/// One thing that values cost time for.
struct ChainMeasurement {
    /// What is measured.
    let name: String

    /// How many values a run sends.
    let count: Int

    /// How many of them must arrive: a chain that loses values is fast, and wrong.
    let arrivals: Int

    /// Builds the chain, and returns what sends the values through it.
    let prepare: (Tally) -> () -> Void

    init(
        _ name: String, count: Int = 200_000, arrivals: Int? = nil,
        prepare: @escaping (Tally) -> () -> Void
    ) {
        self.name = name
        self.count = count
        self.arrivals = arrivals ?? count
        self.prepare = prepare
    }

    /// Nanoseconds a value: the median of several runs, each with a chain of its own.
    func nanoseconds(runs: Int) -> Double {
        let times = (0...runs).map { _ in
            let tally = Tally()
            let send = prepare(tally)
            let start = ProcessorTime.now
            send()
            let nanoseconds = ProcessorTime.now - start
            precondition(
                tally.count == arrivals, "\(name): \(arrivals) values should have arrived, \(tally.count) have.")
            return Double(nanoseconds) / Double(count)
        }
        // The first run warms the caches.
        return times.dropFirst().sorted()[runs / 2]
    }
}

/// The nanoseconds that this thread has run for. What else the machine does meanwhile does not count.
enum ProcessorTime {
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

/// What arrived at the end of a chain.
final class Tally {
    private(set) var count = 0
    private(set) var sum = 0

    func add(_ value: Int) {
        count += 1
        sum &+= value
    }
}
