/// What a grading decided about one kata. It speaks no language: what a person reads is made of it by `Reports`.
public struct Verdict: Codable, Sendable, Equatable {
    public enum Outcome: String, Codable, Sendable {
        /// The stub as shipped.
        case notStarted
        case didNotCompile
        case failed
        /// Every core test ran and passed.
        case passed
        /// Every test ran and passed.
        case mastered
        /// The submission did something that a kata may not do; `diagnostics` say what.
        case rejected

        /// Whether the exit code counts the kata as passed.
        public var isPassed: Bool { self == .passed || self == .mastered }
    }

    public var kata: String
    public var outcome: Outcome
    public var points: Int
    public var maxPoints: Int
    public var seconds: Double
    public var diagnostics: [Diagnostic]
    public var tests: [TestVerdict]
    /// What the kata's rules look for in the code and found there; `nil` where that was not looked at.
    public var uses: [String]?
    /// The hints whose code the submission has already; `nil` where that was not looked at.
    public var written: [String]?
    /// Why a person should look at the submission; `nil` where there is no reason. It is for the instructor alone.
    public var reasonsToLook: [ReasonToLook]?

    public init(
        kata: String, outcome: Outcome, points: Int, maxPoints: Int, seconds: Double, diagnostics: [Diagnostic],
        tests: [TestVerdict]
    ) {
        self.kata = kata
        self.outcome = outcome
        self.points = points
        self.maxPoints = maxPoints
        self.seconds = seconds
        self.diagnostics = diagnostics
        self.tests = tests
    }

    /// Whether the exit code counts this kata as passed.
    public var isPassed: Bool { outcome.isPassed }

    /// Whether there was a file of this kata, whatever is in it.
    public var isHandedIn: Bool {
        outcome != .notStarted || !diagnostics.contains { $0.message.key == .kataNotSubmitted }
    }
}

/// Something said about a place in the learner's file.
public struct Diagnostic: Codable, Sendable, Equatable {
    public enum Severity: String, Codable, Sendable { case error, warning, note }
    public var severity: Severity
    /// The learner's own path; empty where the whole submission is meant.
    public var file: String
    public var line: Int
    public var column: Int
    public var message: LocalizableMessage

    // Sessions that were recorded earlier keep their files' keys.
    private enum CodingKeys: String, CodingKey {
        case severity, file, line, column
        case message = "statement"
    }

    public init(severity: Severity, file: String, line: Int, column: Int, message: LocalizableMessage) {
        self.severity = severity
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }
}

/// What a grading decided about one test.
public struct TestVerdict: Codable, Sendable, Equatable, Identifiable {
    public enum Outcome: String, Codable, Sendable {
        case passed, failed, crashed, timedOut, notRun
    }

    public var id: String
    public var outcome: Outcome
    /// The points it earned: all of its points, or none.
    public var points: Int
    /// Expectation against result, or what ended the test; the first is the one to show first.
    public var messages: [LocalizableMessage]
    /// What the learner's code printed during the test, cut at a limit.
    public var output: String
    /// How many bytes of output were cut away.
    public var outputCut: Int
    /// Input, expected and actual as marble diagrams, for a failure in time or order.
    public var marbles: Marbles?
    /// The two accesses, where the finding is a data race.
    public var race: DataRace?
    /// The order of steps that led to the failure, where orders were explored.
    public var schedule: Schedule?
    /// How many orders of steps the test has tried; `nil` where it tried none.
    public var orders: Int?
    /// The kind of what was found first, in the words of the suite's findings: it chooses the hint.
    public var kind: String?
    /// What exactly differs, in the words of the suite's findings; `nil` where that is not known.
    public var differences: [String]?
    /// The parts that the test needs and that are still the stub's, while others were written; `nil` where there are none.
    public var unwritten: [String]?
    /// The part whose code did not come to its end in this test, or in others, so that this one was not run; `nil` where there
    /// is none, or it is not known.
    public var stillRunning: String?

    private enum CodingKeys: String, CodingKey {
        case id, outcome, points, output, outputCut, marbles, race, schedule, orders, kind, differences, unwritten,
            stillRunning
        case messages = "statements"
    }

    public init(
        id: String, outcome: Outcome, points: Int, messages: [LocalizableMessage] = [], output: String = "",
        outputCut: Int = 0, marbles: Marbles? = nil, race: DataRace? = nil, schedule: Schedule? = nil,
        orders: Int? = nil, kind: String? = nil, differences: [String]? = nil, unwritten: [String]? = nil,
        stillRunning: String? = nil
    ) {
        self.id = id
        self.outcome = outcome
        self.points = points
        self.messages = messages
        self.output = output
        self.outputCut = outputCut
        self.marbles = marbles
        self.race = race
        self.schedule = schedule
        self.orders = orders
        self.kind = kind
        self.differences = differences
        self.unwritten = unwritten
        self.stillRunning = stillRunning
    }
}

/// Two histories on one axis of virtual time, with what the test did to bring them about.
public struct Marbles: Codable, Sendable, Equatable {
    /// One event of a history: a value, `|` for completion, `x` for failure or cancellation, with its virtual time.
    public struct Event: Codable, Sendable, Equatable {
        public var milliseconds: Double
        public var label: String

        public init(milliseconds: Double, label: String) {
            self.milliseconds = milliseconds
            self.label = label
        }
    }

    /// What the test sent or did; none where it noted nothing.
    public var input: [Event]?
    public var expected: [Event]
    public var actual: [Event]

    public init(input: [Event]? = nil, expected: [Event], actual: [Event]) {
        self.input = input
        self.expected = expected
        self.actual = actual
    }

    /// The same change in each row.
    public func mapRows(_ change: ([Event]) -> [Event]) -> Marbles {
        Marbles(input: input.map(change), expected: change(expected), actual: change(actual))
    }
}
