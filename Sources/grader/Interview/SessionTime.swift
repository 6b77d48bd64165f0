import Foundation
import Workbook

/// A session's own time: it runs while the session does, and stands still while the machine sleeps or the session is paused.
struct SessionTime: Equatable, Sendable {
    /// When the session is over.
    let limit: Double
    private(set) var at: Double
    private(set) var last: ClockReading
    private var pausedSince: ClockReading?

    /// Less than this is no sleep but the clocks' own disagreement.
    static let shortestSleep = 1.0

    init(limit: Double, at: Double = 0, _ reading: ClockReading) {
        self.limit = limit
        self.at = min(at, limit)
        last = reading
    }

    var moment: InterviewMoment {
        InterviewMoment(at: (at * 1000).rounded() / 1000, time: last.time)
    }

    var left: Double { limit - at }
    var isUp: Bool { at >= limit }
    var isPaused: Bool { pausedSince != nil }

    /// What was not the session's own time.
    struct Passed: Equatable, Sendable {
        /// The seconds that the machine slept, if it did.
        var slept: Double?
        /// The seconds of a pause that has ended by itself.
        var pauseEnded: Double?
    }

    /// Goes on to what the clocks say now. Sleep in a pause is a part of the pause.
    ///
    /// - Parameter allowed: how many seconds a pause may take; `nil` for no limit.
    mutating func advance(to now: ClockReading, pauseOf allowed: Double? = nil) -> Passed {
        var awake = max(0, now.awake - last.awake)
        var asleep = now.elapsed - last.elapsed - awake
        last = now
        var passed = Passed()
        if pausedSince != nil {
            guard let allowed, pausedSeconds >= allowed else { return passed }
            // It ended between the last reading and this one.
            let over = pausedSeconds - allowed
            awake = min(over, awake)
            asleep = over - awake
            pausedSince = nil
            passed.pauseEnded = allowed
        }
        at = min(limit, at + awake)
        if asleep >= Self.shortestSleep { passed.slept = asleep }
        return passed
    }

    /// How long the pause has taken so far.
    var pausedSeconds: Double { pausedSince.map { last.elapsed - $0.elapsed } ?? 0 }

    mutating func pause() { pausedSince = pausedSince ?? last }

    /// The seconds that the pause took.
    mutating func resume() -> Double {
        defer { pausedSince = nil }
        return pausedSeconds
    }
}
