import Workbook

/// The object that `list --json` prints.
public struct ListReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var katas: [Entry]

    public struct Entry: Codable, Sendable, Equatable {
        public var kata: String
        public var order: Int
        public var phase: Int
        /// From 1 to 5.
        public var difficulty: Int
        @OrNull public var strand: Strand?
        /// The katas whose ideas this one needs.
        public var needs: [String]
        public var warmUp: Bool
        /// What the last grading decided; `notStarted` before the first.
        public var outcome: Verdict.Outcome
        /// The best that it ever was.
        public var best: Verdict.Outcome
        /// The best points.
        public var points: Int
        public var maxPoints: Int
        public var file: String

        public init(_ kata: Kata, _ progress: KataProgress?, file: String) {
            self.kata = kata.kata
            order = kata.order
            phase = kata.phase
            difficulty = kata.difficulty
            _strand = OrNull(wrappedValue: kata.strand)
            needs = kata.needs
            warmUp = kata.warmUp
            outcome = progress?.last?.outcome ?? .notStarted
            best = progress?.best?.outcome ?? .notStarted
            points = progress?.best?.points(in: kata) ?? 0
            maxPoints = kata.maxPoints
            self.file = file
        }
    }

    public init(language: Language, katas: [Entry]) {
        self.language = language
        self.katas = katas
    }
}

/// The object that `show --json` prints.
public struct ShowReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var kata: ListReport.Entry
    /// The declarations that the suite expects.
    public var interface: [String]
    /// The brief, in Markdown.
    public var brief: String
    public var tests: [Test]

    public struct Test: Codable, Sendable, Equatable {
        public var id: String
        public var tier: KataTest.Tier
        public var points: Int
        public var title: String
        public var hintsShown: Int

        public init(_ test: KataTest, title: String, hintsShown: Int) {
            id = test.id
            tier = test.tier
            points = test.points
            self.title = title
            self.hintsShown = hintsShown
        }
    }

    public init(language: Language, kata: ListReport.Entry, interface: [String], brief: String, tests: [Test]) {
        self.language = language
        self.kata = kata
        self.interface = interface
        self.brief = brief
        self.tests = tests
    }
}

/// The object that `hint --json` prints.
public struct HintReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var kata: String
    public var outcome: Verdict.Outcome
    /// `nil` where every test passes, and then there is no hint either.
    @OrNull public var test: String?
    @OrNull public var title: String?
    /// The level of the hint that was asked for, of `levels`.
    public var level: Int
    public var levels = KataTest.hintLevels
    /// The hints that were shown so far, the first level first.
    public var hints: [String]
    /// The parts that the test needs and that are still the stub's; `nil` where there are none.
    @OrNull public var unwritten: [String]?
    /// The part whose code did not come to its end in the test; `nil` where there is none, or it is not known.
    @OrNull public var stillRunning: String?
    /// What was found in the test.
    @OrNull public var message: String?
    /// The errors for which no test ran.
    public var diagnostics: [CheckReport.DiagnosticReport]

    public init(
        language: Language, kata: String, outcome: Verdict.Outcome, test: String?, title: String?, level: Int,
        hints: [String], result: TestVerdict? = nil, diagnostics: [Diagnostic], strings: ReportStrings
    ) {
        self.language = language
        self.kata = kata
        self.outcome = outcome
        self.test = test
        self.title = title
        self.level = level
        self.hints = hints
        _unwritten = OrNull(wrappedValue: result?.unwritten)
        _stillRunning = OrNull(wrappedValue: result?.stillRunning)
        _message = OrNull(wrappedValue: result?.message(strings))
        self.diagnostics = diagnostics.map { CheckReport.DiagnosticReport($0, strings) }
    }
}

/// The object that `doctor --json` prints.
public struct DoctorReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    /// Whether nothing stands in the way of a grading.
    public var ready: Bool
    public var facts: [Fact]

    public struct Fact: Codable, Sendable, Equatable {
        public var subject: String
        /// `fine`, `warning` or `failure`.
        public var state: String
        public var message: String

        public init(subject: String, state: String, message: String) {
            self.subject = subject
            self.state = state
            self.message = message
        }
    }

    public init(language: Language, facts: [Fact]) {
        self.language = language
        ready = !facts.contains { $0.state == "failure" }
        self.facts = facts
    }
}

/// The object that is printed where `--json` was asked for and nothing else can be.
public struct TroubleReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var error: String

    public init(language: Language, error: String) {
        self.language = language
        self.error = error
    }
}
