extension Kata {
    /// The failing tests that no other failure explains, in the order in which they are worth a look.
    ///
    /// Tests depend on one another (`after` in `kata.json`): one mistake is reported once, and gives one hint.
    ///
    /// - Parameter notRun: those of the failing tests that did not run; by default it is not known, and taken to be none.
    public func rootFailures(failing: Set<KataTest.ID>, notRun: Set<KataTest.ID> = []) -> [KataTest] {
        let failing = tests.filter { failing.contains($0.id) }
        let ids = Set(failing.map(\.id))
        let roots = failing.filter { test in !test.after.contains { $0 != test.id && ids.contains($0) } }
        // Tests that explain each other in a ring have no first one but the workbook's own order.
        let shown = roots.isEmpty ? Array(failing.prefix(1)) : roots
        return shown.enumerated().sorted { left, right in
            // A test that did not run says less than one that failed, and a robust one less than a core one.
            let ranks = [left, right].map { notRun.contains($0.element.id) ? 2 : $0.element.tier == .core ? 0 : 1 }
            return (ranks[0], left.offset) < (ranks[1], right.offset)
        }.map(\.element)
    }
}

extension Verdict {
    /// The tests that did not pass and that no other failure explains, in the order in which they are worth a look.
    public func rootFailures(in kata: Kata) -> [KataTest] {
        let ids = kata.tests.map(\.id)
        let ran = Set(tests.filter { $0.outcome != .notRun }.map(\.id))
        let passed = Set(tests.filter { $0.outcome == .passed }.map(\.id))
        return kata.rootFailures(failing: Set(ids).subtracting(passed), notRun: Set(ids).subtracting(ran))
    }
}
