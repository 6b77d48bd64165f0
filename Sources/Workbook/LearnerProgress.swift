import Foundation

/// What is remembered of one person's work, as `progress.json` stores it.
public struct LearnerProgress: Sendable, Equatable {
    /// The version of the file's form that this program writes.
    public static let schema = 1

    /// The language that was chosen; `nil` until one is.
    public var language: Language?
    /// Where the suites draw their values from by default: each workbook has its own, so that no one can
    /// copy a neighbor's values, and the same one each time, so that a verdict can be given again.
    public var seed: UInt64?
    /// By the kata's name.
    public var katas: [String: KataProgress]
    /// The kata that watch mode showed last; `nil` where it has shown none.
    public var opened: OpenedKata?
    /// By its name: the kata in which a test of the rule passed first.
    public var rules: [String: String]

    public init(
        language: Language? = nil, seed: UInt64? = nil, katas: [String: KataProgress] = [:], opened: OpenedKata? = nil,
        rules: [String: String] = [:]
    ) {
        self.language = language
        self.seed = seed
        self.katas = katas
        self.opened = opened
        self.rules = rules
    }

    /// Takes in what a grading decided.
    ///
    /// - Parameter text: names what was graded: the same text again does not count as another try.
    /// - Returns: the steps that were reached for the first time.
    @discardableResult
    public mutating func record(_ verdict: Verdict, of kata: Kata, on text: String? = nil, at time: Date) -> Milestones
    {
        var milestones = Milestones()
        katas[verdict.kata, default: KataProgress()].record(Attempt(verdict, at: time), on: text)
        var completed = katas[verdict.kata]?.themesCompletedAt ?? [:]
        for theme in verdict.themes(in: kata) where theme.isComplete && completed[theme.theme.rawValue] == nil {
            completed[theme.theme.rawValue] = Attempt.wholeSeconds(time)
            milestones.themes.append(theme.theme)
        }
        if !completed.isEmpty { katas[verdict.kata]?.themesCompletedAt = completed }
        let passed = Set(verdict.tests.lazy.filter { $0.outcome == .passed }.map(\.id))
        for test in kata.tests where passed.contains(test.id) {
            guard let rule = test.rule, rules[rule] == nil else { continue }
            rules[rule] = verdict.kata
            milestones.rules.append(rule)
        }
        return milestones
    }
}

/// What a grading reached for the first time.
public struct Milestones: Sendable, Equatable {
    /// All their tests pass.
    public var themes: [Theme] = []
    /// A test of theirs passes, in any kata.
    public var rules: [String] = []

    public init() {}

    public var isEmpty: Bool { themes.isEmpty && rules.isEmpty }
}

/// A kata, and when the learner went to it.
public struct OpenedKata: Codable, Sendable, Equatable {
    public var kata: String
    public var at: Date

    public init(kata: String, at time: Date) {
        self.kata = kata
        at = Attempt.wholeSeconds(time)
    }
}

/// What is remembered of one kata.
public struct KataProgress: Codable, Sendable, Equatable {
    /// The best verdict so far; of equal ones the first.
    public var best: Attempt?
    public var last: Attempt?
    /// How many texts were graded one after the other, but for the shipped stub.
    public var attempts: Int
    /// Names the text that was graded last.
    public var lastText: String?
    public var firstTriedAt: Date?
    public var passedAt: Date?
    public var masteredAt: Date?
    /// How many of its three hints have been shown, by the mistake (`KataTest.mistake`).
    public var hintsShown: [String: Int]
    /// When all tests of a theme passed for the first time.
    public var themesCompletedAt: [String: Date]?

    public init() {
        attempts = 0
        hintsShown = [:]
    }

    /// Counts one more hint of a mistake as shown, and returns its level; the last one can be shown again.
    public mutating func showNextHint(of mistake: String) -> Int {
        let level = min((hintsShown[mistake] ?? 0) + 1, KataTest.hintLevels)
        hintsShown[mistake] = level
        return level
    }

    /// How far the hints of a test were shown, for the mistake of which most were.
    public func hintsShown(of test: KataTest.ID) -> Int {
        hintsShown.filter { $0.key == test || $0.key.hasPrefix("\(test) ") }.values.max() ?? 0
    }

    /// Forgets the last verdict and the hints; what was reached stays.
    public mutating func startOver() {
        last = nil
        hintsShown = [:]
    }

    mutating func record(_ attempt: Attempt, on text: String?) {
        defer { lastText = text }
        last = attempt
        if best.map({ $0 < attempt }) ?? true { best = attempt }
        guard attempt.outcome != .notStarted else { return }
        if text == nil || text != lastText { attempts += 1 }
        firstTriedAt = firstTriedAt ?? attempt.at
        if attempt.outcome == .passed || attempt.outcome == .mastered { passedAt = passedAt ?? attempt.at }
        if attempt.outcome == .mastered { masteredAt = masteredAt ?? attempt.at }
    }
}

/// A verdict as it is remembered.
public struct Attempt: Codable, Sendable, Equatable, Comparable {
    public var outcome: Verdict.Outcome
    public var points: Int
    public var maxPoints: Int
    public var seconds: Double
    /// The tests that did not pass.
    public var failing: [String]
    public var at: Date

    public init(_ verdict: Verdict, at time: Date) {
        outcome = verdict.outcome
        points = verdict.points
        maxPoints = verdict.maxPoints
        seconds = verdict.seconds
        failing = verdict.tests.filter { $0.outcome != .passed }.map(\.id)
        at = Self.wholeSeconds(time)
    }

    /// The file keeps whole seconds.
    static func wholeSeconds(_ time: Date) -> Date {
        Date(timeIntervalSince1970: time.timeIntervalSince1970.rounded(.down))
    }

    /// The points in a kata as it is today: it may have had others when this was remembered.
    public func points(in kata: Kata) -> Int {
        if maxPoints == kata.maxPoints { return points }
        guard outcome == .failed || outcome.isPassed else { return 0 }
        return kata.tests.filter { !failing.contains($0.id) }.reduce(0) { $0 + $1.points }
    }

    /// Whether `left` is the worse of the two.
    public static func < (left: Attempt, right: Attempt) -> Bool {
        let ranks = (left.outcome.rank, right.outcome.rank)
        guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
        return left.points * right.maxPoints < right.points * left.maxPoints
    }
}

extension Verdict.Outcome {
    /// How far it is along the way from the stub to mastery.
    public var rank: Int {
        switch self {
        case .notStarted: 0
        case .rejected: 1
        case .didNotCompile: 2
        case .failed: 3
        case .passed: 4
        case .mastered: 5
        }
    }
}

extension LearnerProgress: Codable {
    private enum CodingKeys: String, CodingKey { case schema, language, seed, katas, opened, rules }

    /// The file was written by a newer program.
    public struct IsNewer: Error, Equatable {
        public var schema: Int
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let schema = try container.decode(Int.self, forKey: .schema)
        guard schema <= Self.schema else { throw IsNewer(schema: schema) }
        guard schema == Self.schema else {
            throw DecodingError.dataCorruptedError(forKey: .schema, in: container, debugDescription: "1 is expected")
        }
        language = try container.decodeIfPresent(Language.self, forKey: .language)
        seed = try container.decodeIfPresent(UInt64.self, forKey: .seed)
        katas = try container.decode([String: KataProgress].self, forKey: .katas)
        opened = try container.decodeIfPresent(OpenedKata.self, forKey: .opened)
        rules = try container.decodeIfPresent([String: String].self, forKey: .rules) ?? [:]
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.schema, forKey: .schema)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encodeIfPresent(seed, forKey: .seed)
        try container.encode(katas, forKey: .katas)
        try container.encodeIfPresent(opened, forKey: .opened)
        if !rules.isEmpty { try container.encode(rules, forKey: .rules) }
    }
}
