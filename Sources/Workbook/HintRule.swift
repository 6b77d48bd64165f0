/// When a test has another hint than its own: one test fails for several mistakes, and each needs its own words.
///
/// All conditions that are given must hold.
public struct HintRule: Codable, Sendable, Equatable {
    /// One of `kinds`: that of what was found first, or how the test ended.
    public var kind: String?
    /// The name of the case of the test in which the mistake was found.
    public var ofCase: String?
    /// Tests of the kata that ran and did not pass, although their parts were written.
    public var failing: [String]?
    /// Tests of the kata that passed.
    public var passing: [String]?
    /// The prefix of the hint's strings in `Hints.xcstrings`.
    public var hint: String

    private enum CodingKeys: String, CodingKey {
        case kind, failing, passing, hint
        case ofCase = "case"
    }

    public init(
        kind: String? = nil, ofCase: String? = nil, failing: [String]? = nil, passing: [String]? = nil, hint: String
    ) {
        self.kind = kind
        self.ofCase = ofCase
        self.failing = failing
        self.passing = passing
        self.hint = hint
    }

    /// The kinds of findings, and the outcomes of a test that choose as well.
    public static let kinds =
        [
            "nothing", "missing", "extra", "reordered", "late", "early", "different", "error", "otherError", "noError",
            "blocked", "stillRunning", "dataRace", "deadlock",
        ] + [TestVerdict.Outcome.crashed, .timedOut].map(\.rawValue)

    /// The hint for a kind that says the same of any kata: its texts are the reports' own, under this prefix.
    static func general(_ kind: String?) -> String? {
        kind.flatMap { ["dataRace", "deadlock"].contains($0) ? "general.\($0)" : nil }
    }

    /// Whether the rule holds for a test of this verdict.
    func holds(for test: TestVerdict, in verdict: Verdict) -> Bool {
        let passed = Set(verdict.tests.filter { $0.outcome == .passed }.map(\.id))
        let failed = Set(
            verdict.tests.filter { $0.unwritten == nil && $0.outcome != .passed && $0.outcome != .notRun }.map(\.id))
        let kinds = [test.kind, test.outcome.rawValue]
        return (kind == nil || kinds.contains(kind))
            && (ofCase.map(test.isFound(inCase:)) ?? true)
            && (failing ?? []).allSatisfy { failed.contains($0) }
            && (passing ?? []).allSatisfy { passed.contains($0) }
    }
}

extension TestVerdict {
    /// Whether what was found names this case, as the suite's `inCase` does.
    fileprivate func isFound(inCase name: String) -> Bool {
        messages.contains { $0.arguments.contains { $0 == name || $0.hasPrefix("\(name): ") } }
    }
}

extension KataTest {
    /// The prefix of the hint that this verdict calls for: that of the first rule that holds, or else the general one for what
    /// was found, or else the test's own.
    public func hint(in verdict: Verdict) -> String {
        // What is not written shows no mistake that a rule could know.
        guard let result = verdict.tests.first(where: { $0.id == id }), result.unwritten == nil else { return hint }
        return hints.first { $0.holds(for: result, in: verdict) }?.hint ?? HintRule.general(result.kind) ?? hint
    }

    /// Under which name the hints that this verdict calls for are counted. A test fails for several mistakes, and each has
    /// its own three hints.
    public func mistake(in verdict: Verdict?) -> String {
        let found = verdict.map(hint) ?? hint
        return found == hint ? id : "\(id) \(found)"
    }
}
