/// What a thread does in one step.
public enum Deed: String, Codable, Sendable, CaseIterable {
    case reads, writes, changes, locks, unlocks, waits, resumes, starts, calls, ends
}

/// Two threads that access the same memory at the same time, at least one of them to change it.
public struct DataRace: Codable, Sendable, Equatable {
    /// An access in the learner's file.
    public struct Access: Codable, Sendable, Equatable {
        public var line: Int
        public var does: Deed
        /// The line as it was graded, without the spaces around it.
        public var code: String

        public init(line: Int, does: Deed, code: String) {
            self.line = line
            self.does = does
            self.code = code
        }
    }

    /// Both accesses, or fewer where a line is not known.
    public var lines: [Access]

    public init(lines: [Access]) { self.lines = lines }
}

/// An order in which threads ran, as far as a reader needs it. It has the code that it is about, so that it can be told
/// without the file that was graded.
public struct Schedule: Codable, Sendable, Equatable {
    /// One line of the learner's file, and the thread that was there.
    public struct Row: Codable, Sendable, Equatable {
        public var thread: Int
        public var line: Int
        public var code: String
        public var does: Deed
        /// Whether this is where it went wrong.
        public var mistake: Bool
        /// Whether steps before this one are left out.
        public var afterGap: Bool

        public init(
            thread: Int, line: Int, code: String, does: Deed, mistake: Bool = false, afterGap: Bool = false
        ) {
            self.thread = thread
            self.line = line
            self.code = code
            self.does = does
            self.mistake = mistake
            self.afterGap = afterGap
        }
    }

    /// What a thread waits for in vain.
    public struct Wait: Codable, Sendable, Equatable {
        public enum Cause: String, Codable, Sendable, CaseIterable {
            case lock, condition, semaphore, queue, thread, task, sleep, other
        }
        public var thread: Int
        public var on: Cause
        /// `nil` where no line of the learner's file is known.
        @OrNull public var line: Int?
        @OrNull public var code: String?

        public init(thread: Int, on: Cause, line: Int? = nil, code: String? = nil) {
            self.thread = thread
            self.on = on
            self.line = line
            self.code = code
        }
    }

    /// By this the order can be run again: `A4>C C99>B` says that A stops at its fourth step and C goes, and so on.
    public var text: String
    public var rows: [Row]
    /// `nil` where something could go on.
    public var waits: [Wait]?

    public init(text: String, rows: [Row], waits: [Wait]? = nil) {
        self.text = text
        self.rows = rows
        self.waits = waits
    }

    /// In the order in which they come.
    public var threads: [Int] { rows.reduce(into: []) { if !$0.contains($1.thread) { $0.append($1.thread) } } }

    private static let longestText = 400

    /// Whether a text says an order in which threads can run; the empty one lets each go on as long as it can.
    public static func isText(_ text: String) -> Bool {
        text.utf8.count <= longestText
            && text.split(separator: " ").allSatisfy { $0.wholeMatch(of: /[A-Z]{1,3}[0-9]{1,9}>[A-Z]{1,3}/) != nil }
    }

    /// The pairs of threads of which one takes the turn from the other, as far as both are among these.
    public static func switches(in text: String, among threads: Set<Int>) -> [Set<Int>] {
        text.split(separator: " ").compactMap { word in
            let names = word.split { !$0.isLetter }.map(String.init)
            let pair = threads.filter { names.contains(name(ofThread: $0)) }
            return pair.count == 2 ? pair : nil
        }
    }

    /// The name of a thread: A to Z, then AA, AB and so on.
    public static func name(ofThread number: Int) -> String {
        guard (0..<26 * 27).contains(number) else { return "\(number)" }
        func letter(_ number: Int) -> String { String(UnicodeScalar(UInt8(65 + number))) }
        return (number < 26 ? "" : letter(number / 26 - 1)) + letter(number % 26)
    }
}

extension DataRace {
    /// The same with other texts in the place of the code.
    public func mapCode(_ change: (String) -> String) -> DataRace {
        DataRace(lines: lines.map { Access(line: $0.line, does: $0.does, code: change($0.code)) })
    }
}

extension Schedule {
    /// The same with other texts in the place of the code.
    public func mapCode(_ change: (String) -> String) -> Schedule {
        var schedule = self
        for place in rows.indices { schedule.rows[place].code = change(rows[place].code) }
        schedule.waits = waits?.map {
            Wait(thread: $0.thread, on: $0.on, line: $0.line, code: $0.code.map(change))
        }
        return schedule
    }
}
