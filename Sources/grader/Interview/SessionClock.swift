import Foundation
import Workbook

/// What the machine's clocks say at one moment.
struct ClockReading: Equatable, Sendable {
    /// Seconds for which the machine was awake, from whenever it counts.
    var awake: Double
    /// Seconds with those for which it slept.
    var elapsed: Double
    /// The time on the wall.
    var time: Date
}

/// Where a session reads the time.
struct SessionClock: Sendable {
    let kind: InterviewRecord.Clock
    /// The file that tells the time; `nil` for the machine's own.
    let file: URL?
    let read: @Sendable () -> ClockReading

    static let machine = SessionClock(kind: .machine, file: nil) {
        #if canImport(Darwin)
        let (awake, elapsed) = (CLOCK_UPTIME_RAW, CLOCK_MONOTONIC_RAW)
        #else
        let (awake, elapsed) = (CLOCK_MONOTONIC, CLOCK_BOOTTIME)
        #endif
        return ClockReading(awake: seconds(awake), elapsed: seconds(elapsed), time: Date())
    }

    /// `GRADER_CLOCK` names a file with two numbers, the seconds that the machine was awake and those that it slept, for
    /// tests and rehearsals. A session that was held by it says so for ever, in its journal and in `session.json`.
    init(environment: [String: String]) {
        guard let path = environment["GRADER_CLOCK"], !path.isEmpty else {
            self = .machine
            return
        }
        let file = URL(fileURLWithPath: path)
        self.init(kind: .file, file: file) {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            let (awake, asleep) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
            return ClockReading(
                awake: awake, elapsed: awake + asleep, time: Date(timeIntervalSinceReferenceDate: awake + asleep))
        }
    }

    private init(kind: InterviewRecord.Clock, file: URL?, read: @escaping @Sendable () -> ClockReading) {
        self.kind = kind
        self.file = file
        self.read = read
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
