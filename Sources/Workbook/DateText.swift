import Foundation

/// A day, or a day and a time, as ISO 8601 writes them: `2026-12-01`, `2026-12-01T23:59`, `2026-12-01T23:59:30+07:00`.
public struct DateText: Sendable, Equatable {
    /// As it was written.
    public let text: String
    /// Its first second and its last one, counted from 1970: what the text leaves out lasts, a day to its end.
    public let first: Int
    public let last: Int

    /// - Parameter timeZone: the time zone of a text that names none.
    public init?(_ text: String, timeZone: TimeZone = .current) {
        let pattern =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.[0-9]+)?)?)? ?(Z|[+-][0-9]{2}:?[0-9]{2})?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let (_, year, month, day, hour, minute, second, offset) = match.output
        let parts = DateComponents(
            year: Int(year), month: Int(month), day: Int(day), hour: hour.flatMap { Int($0) } ?? 0,
            minute: minute.flatMap { Int($0) } ?? 0, second: second.flatMap { Int($0) } ?? 0)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = offset.flatMap(Self.timeZone) ?? timeZone
        guard (parts.hour ?? 0) < 24, (parts.minute ?? 0) < 60, (parts.second ?? 0) < 60,
            let start = calendar.date(from: parts),
            // A calendar takes February 30 for a day in March.
            calendar.component(.month, from: start) == parts.month, calendar.component(.day, from: start) == parts.day
        else { return nil }
        let left: (Calendar.Component, Int) = hour == nil ? (.day, 1) : second == nil ? (.minute, 1) : (.second, 1)
        guard let end = calendar.date(byAdding: left.0, value: left.1, to: start) else { return nil }
        self.text = text
        first = Int(start.timeIntervalSince1970)
        last = Int(end.timeIntervalSince1970) - 1
    }

    private static func timeZone(_ offset: Substring) -> TimeZone? {
        guard offset != "Z" else { return TimeZone(secondsFromGMT: 0) }
        let digits = offset.dropFirst().filter(\.isNumber)
        guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)) else { return nil }
        return TimeZone(secondsFromGMT: (offset.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60))
    }

    /// A moment as it is written for programs, in UTC.
    public static func text(of seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
