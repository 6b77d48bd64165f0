import Workbook

/// The object that `check --json` prints: verdicts in one reader's language.
public struct CheckReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var seed: UInt64
    public var katas: [KataReport]

    public struct KataReport: Codable, Sendable, Equatable {
        public var kata: String
        public var outcome: Verdict.Outcome
        public var points: Int
        public var maxPoints: Int
        public var seconds: Double
        public var diagnostics: [DiagnosticReport]
        /// How far each theme is, in the order in which a learner meets them.
        public var themes: [ThemeProgress]
        public var tests: [TestReport]
    }

    public struct DiagnosticReport: Codable, Sendable, Equatable {
        public var severity: Diagnostic.Severity
        public var file: String
        public var line: Int
        public var column: Int
        public var message: String
    }

    public struct TestReport: Codable, Sendable, Equatable {
        public var id: String
        public var framework: KataTest.Framework
        public var tier: KataTest.Tier
        @OrNull public var theme: Theme?
        /// The name of the rule that it is an instance of: `grader rule` shows its page.
        @OrNull public var rule: String?
        public var title: String
        public var outcome: TestVerdict.Outcome
        public var points: Int
        /// What the test is worth: what it cost where it did not pass.
        public var maxPoints: Int
        @OrNull public var message: String?
        /// The part whose code did not come to its end in this test, or in others, so that this one was not run.
        @OrNull public var stillRunning: String?
        public var output: String
        @OrNull public var hint: String?
        @OrNull public var marbles: Marbles?
        /// The two accesses, where the finding is a data race.
        @OrNull public var race: DataRace?
        /// By this, `check --schedule` runs the order of steps again.
        @OrNull public var schedule: String?
        @OrNull public var scheduleRows: [Schedule.Row]?
        /// How many orders of steps were tried.
        @OrNull public var orders: Int?
        /// What each thread waits for, where nothing could go on.
        @OrNull public var waits: [Schedule.Wait]?
    }
}
