/// When a test has another hint than its own: one test fails for several mistakes, and each needs its own words.
///
/// All conditions that are given must hold.
public struct HintRule: Codable, Sendable, Equatable {
    /// One of `kinds`: that of what was found first, what exactly differs, or how the test ended.
    public var kind: String?
    /// What the submission's code has: features, as `CodeFeature` names them, and words.
    public var uses: [String]?
    /// What it does not have.
    public var lacks: [String]?
    /// The name of the case of the test in which the mistake was found.
    public var ofCase: String?
    /// Tests of the kata that ran and did not pass, although their parts were written.
    public var failing: [String]?
    /// Tests of the kata that passed.
    public var passing: [String]?
    /// The prefix of the hint's strings in `Hints.xcstrings`.
    public var hint: String

    private enum CodingKeys: String, CodingKey {
        case kind, uses, lacks, failing, passing, hint
        case ofCase = "case"
    }

    public init(
        kind: String? = nil, uses: [String]? = nil, lacks: [String]? = nil, ofCase: String? = nil,
        failing: [String]? = nil, passing: [String]? = nil, hint: String
    ) {
        self.kind = kind
        self.uses = uses
        self.lacks = lacks
        self.ofCase = ofCase
        self.failing = failing
        self.passing = passing
        self.hint = hint
    }

    /// The kinds of findings, what they say differs, and the outcomes of a test that choose as well.
    public static let kinds =
        [
            "nothing", "missing", "extra", "reordered", "late", "early", "different", "error", "otherError", "noError",
            "blocked", "stillRunning", "dataRace", "deadlock",
            "extraValue", "repeatedValue", "extraCompletion", "extraFailure", "extraSubscription", "extraCancellation",
            "extraDemand", "missingValue", "missingCompletion", "missingFailure", "missingSubscription",
            "missingCancellation", "missingDemand", "stopsEarly", "startsLate", "completionForFailure",
            "failureForCompletion", "otherFailure", "more", "fewer", "cancellationError",
            "leaked", "notCancelled", "resumedTwice", "neverResumed", "unwrappedNil", "indexOutOfRange",
            "overlappingAccess", "stackOverflow",
        ] + [TestVerdict.Outcome.crashed, .timedOut].map(\.rawValue)

    /// The rules that say the same of any kata: their texts are the reports' own. A kata's rule comes before one that looks at
    /// the same things.
    static let general = [
        HintRule(kind: "leaked", uses: ["global", "growing"], hint: "general.global"),
        HintRule(kind: "dataRace", hint: "general.dataRace"),
        HintRule(kind: "deadlock", hint: "general.deadlock"),
        HintRule(kind: "resumedTwice", hint: "general.resumedTwice"),
        HintRule(kind: "extraSubscription", hint: "general.extraSubscription"),
        HintRule(kind: "completionForFailure", hint: "general.completionForFailure"),
    ]

    /// Whether the texts of a hint are the reports' own.
    public static func isGeneral(_ hint: String) -> Bool { hint.hasPrefix("general.") }

    /// All that the rules of a kata look for in the code.
    public static func wordsSought(in kata: Kata) -> Set<String> {
        Set((kata.tests.flatMap(\.hints) + general).flatMap { ($0.uses ?? []) + ($0.lacks ?? []) })
    }

    /// What a rule looks at to choose a hint: that which says most.
    public enum Basis: String, CaseIterable, Sendable {
        /// How the learner has written it.
        case design
        /// Which other tests fail or pass.
        case set
        /// What was found, and in which case.
        case difference
        /// There is no rule: the test's own hint.
        case test
    }

    public var basis: Basis { looksAtCode ? .design : failing ?? passing != nil ? .set : .difference }

    var looksAtCode: Bool { uses != nil || lacks != nil }

    /// Whether the rule holds for a test of this verdict.
    func holds(for test: TestVerdict, in verdict: Verdict) -> Bool {
        let passed = Set(verdict.tests.filter { $0.outcome == .passed }.map(\.id))
        let failed = Set(
            verdict.tests.filter { $0.unwritten == nil && $0.outcome != .passed && $0.outcome != .notRun }.map(\.id))
        let used = Set(verdict.uses ?? [])
        return (kind.map(test.kinds.contains) ?? true)
            && (uses ?? []).allSatisfy(used.contains)
            // What was not looked at lacks nothing.
            && (lacks.map { verdict.uses != nil && used.isDisjoint(with: $0) } ?? true)
            && (ofCase.map(test.isFound(inCase:)) ?? true)
            && (failing ?? []).allSatisfy { failed.contains($0) }
            && (passing ?? []).allSatisfy { passed.contains($0) }
    }
}

extension TestVerdict {
    /// All that a rule can ask for: the kind of what was found, what exactly differs, and how the test ended.
    fileprivate var kinds: Set<String> {
        var kinds = Set([kind, outcome.rawValue].compactMap(\.self)).union(differences ?? [])
        // What ends an explored order of steps is the order's doing, and the test's own hint is about that.
        let told = schedule == nil ? messages : messages.filter { !$0.isOfRuntime }
        kinds.formUnion(told.compactMap(\.kind))
        return kinds
    }

    /// Whether what was found names this case, as the suite's `inCase` does.
    fileprivate func isFound(inCase name: String) -> Bool {
        messages.contains { $0.arguments.contains { $0 == name || $0.hasPrefix("\(name): ") } }
    }
}

extension LocalizableMessage {
    fileprivate var isOfRuntime: Bool {
        [.resumedTwice, .continuationLeaked, .fatalError, .stackOverflow].contains(key)
    }

    /// What a message says that no kind of a finding does: which of Swift's own messages came, and what a wait was for.
    fileprivate var kind: String? {
        switch key {
        case .leaked, .leakedArrived, .leakedInCase: "leaked"
        case .notCancelled, .notCancelledArrived, .notCancelledInCase, .upstreamNotCancelledArrived: "notCancelled"
        case .resumedTwice: "resumedTwice"
        case .continuationLeaked: "neverResumed"
        case .stackOverflow: "stackOverflow"
        case .fatalError:
            [
                "Unexpectedly found nil": "unwrappedNil", "ndex out of range": "indexOutOfRange",
                "Simultaneous accesses": "overlappingAccess",
            ].first { words, _ in arguments.contains { $0.contains(words) } }?.value
        default: nil
        }
    }
}

extension KataTest {
    /// The prefix of the hint that this verdict calls for: that of its rule, or else the test's own.
    public func hint(in verdict: Verdict) -> String { hintRule(in: verdict)?.hint ?? hint }

    /// The first rule that holds, whose hint does not show what the learner has written already; `nil` for the test's own hint.
    ///
    /// Rules that look at the code come first, the kata's before the general ones, and then those that look at the verdict alone.
    public func hintRule(in verdict: Verdict) -> HintRule? {
        // What is not written shows no mistake that a rule could know.
        guard let result = verdict.tests.first(where: { $0.id == id }), result.unwritten == nil else { return nil }
        let rules =
            hints.filter(\.looksAtCode) + HintRule.general.filter(\.looksAtCode)
            + hints.filter { !$0.looksAtCode } + HintRule.general.filter { !$0.looksAtCode }
        let holding = rules.filter { $0.holds(for: result, in: verdict) }
        // Where orders were explored, the code may be right, and in the wrong order.
        let written = result.schedule == nil ? Set(verdict.written ?? []) : []
        // Where all has been written, the first cause is still the likeliest one.
        return holding.first { !written.contains($0.hint) } ?? (written.contains(hint) ? holding.first : nil)
    }

    /// Under which name the hints that this verdict calls for are counted. A test fails for several mistakes, and each has
    /// its own three hints.
    public func mistake(in verdict: Verdict?) -> String {
        let found = verdict.map(hint) ?? hint
        return found == hint ? id : "\(id) \(found)"
    }
}
