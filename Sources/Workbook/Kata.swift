/// One exercise, as its `kata.json` describes it.
public struct Kata: Codable, Sendable, Equatable {
    /// The name of the kata, of its module and of its folders.
    public var kata: String
    /// Its place in the workbook, from 1.
    public var order: Int
    /// The phase of the workbook that it belongs to; `Exercises/Phases.xcstrings` has its title as `phase.<number>`.
    public var phase: Int
    /// How hard it is, from 1 to `hardest`.
    public var difficulty: Int
    /// `nil` in a workbook that goes by phases.
    public var strand: Strand?
    /// The katas whose ideas this one needs.
    public var needs: [String]
    /// Whether it is five lines that lead to the katas of its strand. It does not count in a class that does not ask for it.
    public var warmUp: Bool
    /// The declarations that the suite expects, each as a learner would write it.
    public var interface: [String]
    /// The tests of the hidden suite, in the order in which a learner sees them.
    public var tests: [KataTest]

    public static let hardest = 5

    public init(
        kata: String, order: Int, phase: Int, difficulty: Int = 3, strand: Strand? = nil, needs: [String] = [],
        warmUp: Bool = false, interface: [String], tests: [KataTest]
    ) {
        self.kata = kata
        self.order = order
        self.phase = phase
        self.difficulty = difficulty
        self.strand = strand
        self.needs = needs
        self.warmUp = warmUp
        self.interface = interface
        self.tests = tests
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kata = try container.decode(String.self, forKey: .kata)
        order = try container.decode(Int.self, forKey: .order)
        phase = try container.decode(Int.self, forKey: .phase)
        // Records of sessions that were held before katas had a difficulty have none.
        difficulty = try container.decodeIfPresent(Int.self, forKey: .difficulty) ?? 3
        guard (1...Self.hardest).contains(difficulty) else {
            throw DecodingError.dataCorruptedError(
                forKey: .difficulty, in: container,
                debugDescription: "A number from 1 to \(Self.hardest) was expected, and not \(difficulty).")
        }
        strand = try container.decodeIfPresent(Strand.self, forKey: .strand)
        needs = try container.decodeIfPresent([String].self, forKey: .needs) ?? []
        warmUp = try container.decodeIfPresent(Bool.self, forKey: .warmUp) ?? false
        interface = try container.decode([String].self, forKey: .interface)
        tests = try container.decode([KataTest].self, forKey: .tests)
    }
}

/// One test of a kata's hidden suite.
public struct KataTest: Codable, Sendable, Equatable, Identifiable {
    /// Each test has three hints: a question, the mechanism, and the shape of the fix.
    public static let hintLevels = 3

    /// The keys of a hint's texts, from the first level to the last.
    public static func levelKeys(of hint: String) -> [String] { (1...hintLevels).map { "\(hint).\($0)" } }

    public enum Framework: String, Codable, Sendable, CaseIterable { case testing, xctest }
    public enum Tier: String, Codable, Sendable { case core, robust }

    /// `<suite type>/<function>`, as the frameworks name it: `FirstValueTests/comesBack()`, `FirstValueXCTests/testThrows`.
    public var id: String
    public var framework: Framework
    public var tier: Tier
    /// In `kata.json`: its weight among the tests of its tier. In a kata of a workbook: what it is worth.
    public var points: Int
    /// The prefix of this test's strings in `Hints.xcstrings`: `<hint>.title`, `<hint>.1`, `<hint>.2`, `<hint>.3`.
    public var hint: String
    /// Other hints, for what a failure of this test may show. The first rule that holds counts.
    public var hints: [HintRule]
    /// The tests whose failure explains this one's: their hints come first.
    public var after: [String]
    /// The parts of the stub that have to be written before it can pass, as `StubParts` names them; none where it is not known.
    public var parts: [String]
    /// Whether its threads meet by chance: it may crash one time and pass the next.
    public var races: Bool
    /// What it is about; robust tests have one.
    public var theme: Theme?
    /// The rule that it is an instance of, by its name in `Exercises/Rules.xcstrings`.
    public var rule: String?

    public init(
        id: String, framework: Framework, tier: Tier, points: Int, hint: String, hints: [HintRule] = [],
        after: [String] = [], parts: [String] = [], races: Bool = false, theme: Theme? = nil, rule: String? = nil
    ) {
        self.id = id
        self.framework = framework
        self.tier = tier
        self.points = points
        self.hint = hint
        self.hints = hints
        self.after = after
        self.parts = parts
        self.races = races
        self.theme = theme
        self.rule = rule
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        framework = try container.decode(Framework.self, forKey: .framework)
        tier = try container.decode(Tier.self, forKey: .tier)
        points = try container.decode(Int.self, forKey: .points)
        hint = try container.decode(String.self, forKey: .hint)
        hints = try container.decodeIfPresent([HintRule].self, forKey: .hints) ?? []
        after = try container.decodeIfPresent([String].self, forKey: .after) ?? []
        parts = try container.decodeIfPresent([String].self, forKey: .parts) ?? []
        races = try container.decodeIfPresent(Bool.self, forKey: .races) ?? false
        theme = try container.decodeIfPresent(Theme.self, forKey: .theme)
        rule = try container.decodeIfPresent(String.self, forKey: .rule)
    }
}
