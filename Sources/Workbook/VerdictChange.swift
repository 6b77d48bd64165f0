/// What is different from one verdict on a kata to the next: after a save, a learner wants to know what it has done.
public struct VerdictChange: Equatable, Sendable {
    /// How many tests pass that did not.
    public var passing: Int
    /// The tests that passed and do not, in the kata's order.
    public var broken: [KataTest.ID]

    /// Nothing where the same tests pass, or where no test could run.
    public init?(from earlier: Verdict, to verdict: Verdict) {
        guard earlier.tellsOfTests, verdict.tellsOfTests else { return nil }
        let (before, now) = (earlier.passing, verdict.passing)
        guard before != now else { return nil }
        passing = now.subtracting(before).count
        broken = verdict.tests.map(\.id).filter { before.contains($0) && !now.contains($0) }
    }
}

extension Verdict {
    /// Whether its tests ran, or need not run.
    public var tellsOfTests: Bool { outcome != .didNotCompile && outcome != .rejected }

    fileprivate var passing: Set<KataTest.ID> { Set(tests.lazy.filter { $0.outcome == .passed }.map(\.id)) }
}
