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

    /// Goes on to what the clocks say now; the seconds that the machine slept meanwhile, if it did. Sleep in a pause is
    /// a part of the pause.
    mutating func advance(to now: ClockReading) -> Double? {
        let awake = max(0, now.awake - last.awake)
        let asleep = now.elapsed - last.elapsed - awake
        last = now
        if isPaused { return nil }
        at = min(limit, at + awake)
        return asleep >= Self.shortestSleep ? asleep : nil
    }

    mutating func pause() { pausedSince = pausedSince ?? last }

    /// The seconds that the pause took.
    mutating func resume() -> Double {
        defer { pausedSince = nil }
        return pausedSince.map { last.elapsed - $0.elapsed } ?? 0
    }
}
