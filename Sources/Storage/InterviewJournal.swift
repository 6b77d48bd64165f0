import Foundation
import Workbook

/// Everything that happens in a session, each event on the disk before the session goes on.
public final class InterviewJournal {
    private let lines: AppendOnlyLog
    /// What the file has to hold.
    private var entries: [Entry]
    /// The number of the last entry.
    public private(set) var count: Int
    /// What it held when it was opened.
    public let found: Found

    private struct Entry: Codable {
        /// From 1: a number that is not there tells that something was.
        var number: Int
        var event: InterviewEvent
    }

    /// What is in a journal, as far as it can be read.
    public struct Found: Sendable, Equatable {
        public var events: [InterviewEvent]
        /// The numbers of the entries that can't be read.
        public var missing: [Int]
        /// How many entries there are with those.
        public var count: Int
    }

    /// Opens the session's journal, or begins it. One program at a time writes to it, and none may read the file meanwhile
    /// in the same process: to close a file gives up the lock.
    ///
    /// - Parameter isPrivate: whether only the file's owner may read it.
    public init(_ file: URL, isPrivate: Bool = false) throws(AppendOnlyLog.Problem) {
        lines = try AppendOnlyLog(file, isPrivate: isPrivate)
        var reader = Reader()
        lines.read { reader.take($0) }
        entries = reader.entries
        found = reader.found
        count = found.count
        try lines.endLastLine()
    }

    /// Leaves out the numbers of entries that are missing from the journal's end, so that they stay missing.
    public func goOn(after number: Int) { count = max(count, number) }

    /// Keeps an event. When this returns, it is on the disk. A journal that another program has removed, replaced or
    /// shortened meanwhile is written again.
    ///
    /// - Parameter now: when that would be noticed; with the event if that is `nil`.
    /// - Returns: the event, and before it that the journal was lost, where it was.
    @discardableResult
    public func append(_ event: InterviewEvent, at now: InterviewMoment? = nil) throws -> [InterviewEvent] {
        let isLost = !lines.isAsLeft
        // Of a journal without an entry nothing is lost.
        let events = (isLost && !entries.isEmpty ? [InterviewEvent(now ?? event.moment, .journalLost)] : []) + [event]
        let added = events.enumerated().map { Entry(number: count + 1 + $0.offset, event: $0.element) }
        let encoder = InterviewRecord.encoder
        if isLost {
            try lines.rewrite((entries + added).map(encoder.encode))
        } else {
            for entry in added { try lines.append(encoder.encode(entry)) }
        }
        entries += added
        count += added.count
        return events
    }

    /// Reads a journal that another process may be writing.
    public static func read(_ file: URL) -> Found {
        var reader = Reader()
        // A journal that cannot be opened has no event that can be read.
        try? AppendOnlyLog.read(file) { reader.take($0) }
        return reader.found
    }

    private struct Reader {
        private(set) var entries: [Entry] = []
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
            entries.append(entry)
            last = entry.number
            damaged = 0
            return true
        }

        var found: Found {
            Found(
                events: entries.map(\.event), missing: missing + (last + 1..<last + 1 + damaged), count: last + damaged)
        }
    }
}
