import Foundation

/// A whole session as `session.json` tells it: what its events add up to.
public struct InterviewRecord: Codable, Sendable, Equatable {
    public enum End: String, Codable, Sendable {
        /// The candidate said so.
        case finished
        case timeUp
    }

    public enum Clock: String, Codable, Sendable {
        case machine
        /// At least for a while a file told the time, as rehearsals and tests have it.
        case file
    }

    public struct Opening: Codable, Sendable, Equatable {
        public var moment: InterviewMoment
        public var kata: String
        public var text: String
    }

    public struct Save: Codable, Sendable, Equatable {
        public var number: Int
        public var moment: InterviewMoment
        public var kata: String
        public var text: String
        /// `nil` while it is not graded, or where the grading could not be read any more.
        @OrNull public var verdict: Verdict? = nil
        /// What is new in it; `nil` where the text before is not known.
        @OrNull public var added: InterviewNewText? = nil
        /// The same, if it arrived at once.
        @OrNull public var burst: InterviewNewText? = nil
        /// Why the session's time stood still when it was made; `nil` where the time ran.
        @OrNull public var stopped: Gap.Cause? = nil
    }

    public struct Hint: Codable, Sendable, Equatable {
        public var moment: InterviewMoment
        public var kata: String
        public var test: String
        public var level: Int
    }

    public struct Note: Codable, Sendable, Equatable {
        public var moment: InterviewMoment
        public var kata: String
        public var text: String
        /// Who wrote a private note, where the observer has a name.
        public var observer: String? = nil
    }

    /// What the observer thinks of the answer to a question.
    public struct Judgement: Codable, Sendable, Equatable {
        public static let marks = 1...5

        public var kata: String
        /// The question's place in the brief, from 1.
        public var number: Int
        public var question: String
        /// From 1 to 5; `nil` if there is none.
        @OrNull public var mark: Int?
        public var sentence: String
        /// Who thinks so, where the observer has a name.
        public var observer: String?

        public init(kata: String, number: Int, question: String, mark: Int?, sentence: String) {
            self.kata = kata
            self.number = number
            self.question = question
            _mark = OrNull(wrappedValue: mark)
            self.sentence = sentence
        }

        /// Whether it is about the same question.
        public func isSame(as other: Self) -> Bool { kata == other.kata && number == other.number }
    }

    /// A stretch of time that is not the session's own.
    public struct Gap: Codable, Sendable, Equatable {
        public enum Cause: String, Codable, Sendable { case paused, asleep, away }

        public var cause: Cause
        /// When it began.
        public var moment: InterviewMoment
        public var seconds: Double
    }

    public var schema = 1
    /// Whose time it was held by.
    public var clock = Clock.machine
    public var plan: InterviewPlan
    public var begun: InterviewMoment
    /// `nil` while the session is open.
    @OrNull public var end: End? = nil
    /// The last thing that is known to have happened.
    public var last: InterviewMoment
    /// Since when an open session is paused; `nil` where it isn't.
    @OrNull public var pausedSince: InterviewMoment? = nil
    public var openings: [Opening] = []
    public var saves: [Save] = []
    public var hints: [Hint] = []
    public var notes: [Note] = []
    public var gaps: [Gap] = []
    /// What each kata came to, in the plan's order.
    public var katas: [InterviewKataResult] = []
    /// The observer's notes; `nil` if there was no observer.
    @OrNull public var privateNotes: [Note]? = nil
    /// The observer's judgements, in the order of the briefs' questions.
    @OrNull public var rubric: [Judgement]? = nil
    /// The observers' scorecards; `nil` if there are none. What a candidate reads does not even have the words.
    public var scores: [InterviewScore]? = nil
    /// Where several observers' scorecards differ; `nil` if they do not.
    public var spreads: [InterviewScore.Spread]? = nil
    /// How many entries the session's journal had; `nil` in what an earlier version wrote.
    @OrNull public var entries: Int? = nil
    /// What is missing from the session's journal: whole entries, by their number.
    public var missing: [Int] = []
    /// When it was noticed that the running session's journal was removed, replaced or shortened; `nil` if it never was.
    @OrNull public var journalLost: [InterviewMoment]? = nil
}

extension InterviewRecord {
    /// The verdict that a hint was taken for.
    public func verdict(at hint: Hint) -> Verdict? {
        saves.last { $0.kata == hint.kata && $0.moment.time <= hint.moment.time && $0.verdict != nil }?.verdict
    }

    private static let dates = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// How sessions are written: with dates to the millisecond.
    public static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            // The format cuts off what is less than a millisecond, and would make 0.25 of 0.251 seconds.
            try container.encode((date + 0.000_5).formatted(dates))
        }
        return encoder
    }

    public static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try dates.parse(decoder.singleValueContainer().decode(String.self))
        }
        return decoder
    }
}
