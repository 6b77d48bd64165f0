import Foundation
import Workbook

/// Everything that happens in a session, each event on the disk before the session goes on.
public final class InterviewJournal {
    private let lines: AppendOnlyLog
    private var last: Int
    /// What it held when it was opened.
    public let found: (events: [InterviewEvent], missing: [Int])

    private struct Entry: Codable {
        /// From 1: a number that is not there tells that something was.
        var number: Int
        var event: InterviewEvent
    }

    /// Opens the session's journal, or begins it. One program at a time writes to it, and none may read the file meanwhile
    /// in the same process: to close a file gives up the lock.
    public init(_ file: URL) throws(AppendOnlyLog.Problem) {
        lines = try AppendOnlyLog(file)
        var reader = Reader()
        lines.read { reader.take($0) }
        last = reader.found.last
        found = (reader.found.events, reader.found.missing)
        try lines.endLastLine()
    }

    /// Keeps an event. When this returns, it is on the disk.
    public func append(_ event: InterviewEvent) throws {
        try lines.append(InterviewRecord.encoder.encode(Entry(number: last + 1, event: event)))
        last += 1
    }

    /// The events that can be read, and the numbers of those that can't.
    public static func read(_ file: URL) -> (events: [InterviewEvent], missing: [Int]) {
        var reader = Reader()
        // A journal that cannot be opened has no event that can be read.
        try? AppendOnlyLog.read(file) { reader.take($0) }
        let found = reader.found
        return (found.events, found.missing)
    }

    private struct Reader {
        private var events: [InterviewEvent] = []
        private var missing: [Int] = []
        private var last = 0
        /// How many lines since the last entry are none.
        private var damaged = 0
        private let decoder = InterviewRecord.decoder

        mutating func take(_ line: AppendOnlyLog.Line) -> Bool {
            guard let line = line.entry, let entry = try? decoder.decode(Entry.self, from: line), entry.number > last
            else {
                damaged += 1
                return true
            }
            missing += last + 1..<entry.number
            events.append(entry.event)
            last = entry.number
            damaged = 0
            return true
        }

        var found: (events: [InterviewEvent], missing: [Int], last: Int) {
            (events, missing + (last + 1..<last + 1 + damaged), last + damaged)
        }
    }
}
