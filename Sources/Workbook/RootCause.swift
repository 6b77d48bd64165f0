extension Kata {
    /// The failing tests that no other failure explains, in the order in which they are worth a look.
    ///
    /// Tests depend on one another (`after` in `kata.json`): one mistake is reported once, and gives one hint. A part that is
    /// not written yet is no mistake: it explains no failure of what was written, comes last, and is reported once.
    ///
    /// - Parameters:
    ///   - notRun: those of the failing tests that did not run; by default it is not known, and taken to be none.
    ///   - unwritten: for failing tests, which of the parts that they need are not written yet.
    public func rootFailures(
        failing: Set<KataTest.ID>, notRun: Set<KataTest.ID> = [], unwritten: [KataTest.ID: [String]] = [:]
    ) -> [KataTest] {
        let failing = tests.filter { failing.contains($0.id) }
        let explanations = Dictionary(failing.map { ($0.id, $0.after) }) { first, _ in first }
        let roots = failing.filter { test in
            var seen: Set<KataTest.ID> = [test.id]
            var left = test.after
            while let id = left.popLast() {
                guard let further = explanations[id], seen.insert(id).inserted else { continue }
                if unwritten[id] == nil || unwritten[test.id] != nil { return false }
                // What explains a failure that says nothing explains this one as well.
                left += further
            }
            return true
        }
        // Tests that explain each other in a ring have no first one but the workbook's own order.
        let shown = roots.isEmpty ? Array(failing.prefix(1)) : roots
        let ordered = shown.enumerated().sorted { left, right in
            // A test that did not run says less than one that failed, and a robust one less than a core one.
            let ranks = [left, right].map { place in
                let id = place.element.id
                let rank = notRun.contains(id) ? 2 : place.element.tier == .core ? 0 : 1
                return rank + (unwritten[id] == nil ? 0 : 3)
            }
            return (ranks[0], left.offset) < (ranks[1], right.offset)
        }.map(\.element)
        var told: Set<String> = []
        return ordered.filter { test in
            guard let parts = unwritten[test.id] else { return true }
            defer { told.formUnion(parts) }
            return !told.isSuperset(of: parts)
        }
    }
}

extension Verdict {
    /// The tests that did not pass and that no other failure explains, in the order in which they are worth a look.
    public func rootFailures(in kata: Kata) -> [KataTest] {
        let ids = kata.tests.map(\.id)
        let ran = Set(tests.filter { $0.outcome != .notRun }.map(\.id))
        let passed = Set(tests.filter { $0.outcome == .passed }.map(\.id))
        let unwritten = Dictionary(
            tests.compactMap { test in test.unwritten.map { (test.id, $0) } }, uniquingKeysWith: { first, _ in first })
        return kata.rootFailures(
            failing: Set(ids).subtracting(passed), notRun: Set(ids).subtracting(ran), unwritten: unwritten)
    }
}
