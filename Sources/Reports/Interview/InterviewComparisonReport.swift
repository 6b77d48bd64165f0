import Workbook

/// The object that `interview compare --json` prints, and `comparison.json`.
public struct InterviewComparisonReport: Encodable, Sendable {
    public var schema = 1
    public var language: Language
    public var blind: Bool
    public var sessions: [Session]
    public var katas: [KataReport]
    /// The katas that only some of the sessions have.
    public var leftOut: [String]
    /// What has to be said before the figures.
    public var remarks: [String]

    public struct Session: Encodable, Sendable {
        public var session: String
        public var minutes: Int
        @OrNull public var end: InterviewRecord.End?
        public var seconds: Double
        public var pausedSeconds: Double
        public var asleepSeconds: Double
        public var awaySeconds: Double
        /// All seconds from the beginning to the end, also those that are not the session's own.
        public var realSeconds: Double
        public var saves: Int
        public var hints: Int
        @OrNull public var hintLimit: Int?
        public var missing: [Int]
    }

    public struct KataReport: Encodable, Sendable {
        public var kata: String
        /// Whether its tests have changed between the sessions.
        public var changed: Bool
        public var results: [Result]
    }

    public struct Result: Encodable, Sendable {
        public var session: String
        public var outcome: Verdict.Outcome
        public var points: Int
        public var maxPoints: Int
        @OrNull public var firstCorePass: Double?
        @OrNull public var passed: Double?
        @OrNull public var mastered: Double?
        public var hints: Int
        public var saves: Int
        /// The saves with which text arrived at once.
        public var bursts: Int
        /// The saves that were made while the session's time stood still.
        public var savesWhileStopped: Int
        public var seconds: Double
        /// What the observer thinks of the answers to the brief's questions.
        public var rubric: [Judgement]
    }

    public struct Judgement: Encodable, Sendable {
        /// The question's place in the brief, from 1.
        public var number: Int
        public var question: String
        @OrNull public var mark: Int?
        public var sentence: String
        /// Who thinks so, where the observer has a name.
        @OrNull public var observer: String?

        init(_ judgement: InterviewRecord.Judgement) {
            number = judgement.number
            question = judgement.question
            _mark = OrNull(wrappedValue: judgement.mark)
            sentence = judgement.sentence
            _observer = OrNull(wrappedValue: judgement.observer)
        }
    }

    public init(_ comparison: InterviewComparison, strings: InterviewReportStrings) {
        language = strings.language
        blind = comparison.isBlind
        sessions = comparison.sessions.map { session in
            let record = session.record
            return Session(
                session: session.label, minutes: record.plan.minutes, end: record.end, seconds: record.secondsWorked,
                pausedSeconds: record.seconds(.paused), asleepSeconds: record.seconds(.asleep),
                awaySeconds: record.seconds(.away), realSeconds: record.secondsElapsed, saves: record.saves.count,
                hints: record.hints.count,
                hintLimit: record.plan.hints, missing: record.missing)
        }
        katas = comparison.katas.map { kata in
            KataReport(
                kata: kata, changed: comparison.changed.contains(kata),
                results: comparison.sessions.compactMap { session in
                    InterviewComparison.story(of: kata, in: session).map { story in
                        Result(
                            session: session.label, outcome: story.outcome, points: story.points,
                            maxPoints: story.maxPoints, firstCorePass: story.firstCorePass, passed: story.passed,
                            mastered: story.mastered, hints: story.hints, saves: story.saves, bursts: story.bursts ?? 0,
                            savesWhileStopped: story.savesWhileStopped ?? 0,
                            seconds: story.seconds, rubric: session.rubric(of: kata).map(Judgement.init))
                    }
                })
        }
        leftOut = comparison.leftOut
        remarks = comparison.remarks(strings)
    }
}
