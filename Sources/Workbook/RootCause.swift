extension Verdict {
    /// The tests that did not pass and that no other failure explains, in the order in which they are worth a look.
    ///
    /// Tests depend on one another (`after` in `kata.json`): one mistake is told once, and gives one hint.
    public func rootFailures(in kata: Kata) -> [KataTest] {
        let outcomes = Dictionary(tests.map { ($0.id, $0.outcome) }) { first, _ in first }
        let failing = kata.tests.filter { outcomes[$0.id] != .passed }
        let ids = Set(failing.map(\.id))
        let roots = failing.filter { test in !test.after.contains { $0 != test.id && ids.contains($0) } }
        // Tests that explain each other in a ring have no first one but the workbook's own order.
        let told = roots.isEmpty ? Array(failing.prefix(1)) : roots
        return told.enumerated().sorted { left, right in
            // What the process left notRun says less than what failed, and production says less than the basics.
            let ranks = [left, right].map { entry in
                (outcomes[entry.element.id] ?? .notRun) == .notRun ? 2 : entry.element.tier == .core ? 0 : 1
            }
            return (ranks[0], left.offset) < (ranks[1], right.offset)
        }.map(\.element)
    }
}
