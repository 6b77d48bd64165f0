/// What learners may see of their results, by tier. The instructor's own reports have everything.
public struct Release: Sendable, Equatable, CustomStringConvertible {
    /// Each level shows what the ones before it show.
    public enum Level: String, Sendable, CaseIterable, Comparable {
        /// Only the points of each kata.
        case points
        /// Which tests there are, and whether they pass.
        case titles
        /// What was found, and what the code printed.
        case messages
        case hint1, hint2, hint3
        /// The code of the tests as well, where a format has it.
        case everything

        public static func < (first: Level, second: Level) -> Bool { first.place < second.place }

        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

        /// So many hints are shown.
        public var hints: Int { max(0, min(KataTest.hintLevels, place - Level.messages.place)) }
    }

    public var core: Level
    public var robust: Level

    public init(core: Level, robust: Level) {
        self.core = core
        self.robust = robust
    }

    /// `titles`, or `core=everything,robust=points`.
    public init?(_ text: String) {
        if let level = Level(rawValue: text) {
            self.init(core: level, robust: level)
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.split(separator: "=").map(String.init)
        }
        let levels = Dictionary(
            parts.compactMap { part in
                part.count == 2 ? Level(rawValue: part[1]).map { (part[0], $0) } : nil
            }
        ) { first, _ in first }
        guard parts.count == 2, levels.count == 2, let core = levels["core"], let robust = levels["robust"] else {
            return nil
        }
        self.init(core: core, robust: robust)
    }

    public var description: String {
        core == robust ? core.rawValue : "core=\(core.rawValue),robust=\(robust.rawValue)"
    }

    public func level(_ tier: KataTest.Tier) -> Level { tier == .core ? core : robust }

    /// The tests that a learner may know of.
    public func applied(to kata: Kata) -> Kata {
        var kata = kata
        kata.tests.removeAll { level($0.tier) == .points }
        return kata
    }

    /// What a learner may know of the kata's tests. The points are the same.
    public func applied(to verdict: Verdict, of kata: Kata) -> Verdict {
        let tiers = Dictionary(kata.tests.map { ($0.id, $0.tier) }) { first, _ in first }
        var verdict = verdict
        verdict.tests = verdict.tests.compactMap { test in
            let level = tiers[test.id].map(level) ?? .points
            if level == .points { return nil }
            return level < .messages ? TestVerdict(id: test.id, outcome: test.outcome, points: test.points) : test
        }
        return verdict
    }
}
