import Foundation

/// How long one value takes on its way through a chain, in nanoseconds: the best of several runs, as everything that
/// disturbs a run makes it slower. What counts is the thread's own time, so that a busy machine shows little.
struct Measurement {
    let name: String
    let nanoseconds: Double

    init(_ name: String, values: Int = 500_000, runs: Int = 7, _ run: (Int) -> Void) {
        self.name = name
        run(values / 10)
        var best = Double.infinity
        for _ in 0..<runs {
            let begin = Self.threadTime
            run(values)
            best = min(best, Self.threadTime - begin)
        }
        nanoseconds = best / Double(values)
    }

    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    var line: String {
        let figure = String((nanoseconds * 10).rounded() / 10)
        return String(repeating: " ", count: max(0, 9 - figure.count)) + figure + "  " + name
    }
}
