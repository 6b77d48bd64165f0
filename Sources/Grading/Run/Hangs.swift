import Workbook

/// Which tests hang, and what that says of the others.
struct Hangs {
    private let kata: Kata
    /// The tests whose failure explains a test's.
    private let explanations: [String: [String]]
    /// The parts of the answer that a test needs; none where it is not known.
    private let parts: [String: [String]]
    /// The tests that did not come to their end, or that left code behind which runs without end.
    var hung: [String] = []
    /// The tests that came to their end otherwise.
    var ended: Set<String> = []
    /// Those of them that passed, where it is known already.
    private var passed: Set<String> = []

    /// So many tests of a part hang, and no other one comes to its end: then the rest of them is not run.
    private static let enough = 3

    init(_ kata: Kata) {
        self.kata = kata
        explanations = Dictionary(kata.tests.map { ($0.id, $0.after) }) { first, _ in first }
        parts = Dictionary(kata.tests.map { ($0.id, $0.parts) }) { first, _ in first }
    }

    private func parts(of test: String) -> [String] { parts[test] ?? [] }

    private func tests(_ tests: some Sequence<String>, need part: String) -> Bool {
        tests.contains { parts(of: $0).contains(part) }
    }

    /// The parts that hang in some test.
    private var hangingParts: Set<String> {
        let own = hung.map(parts(of:)).filter { $0.count == 1 }.joined()
        let others = hung.flatMap { test in
            let needed = parts(of: test)
            return needed.filter { part in
                // Only this one is in no test that came to its end.
                needed.count > 1 && !tests(ended, need: part)
                    && needed.allSatisfy { $0 == part || tests(ended, need: $0) }
            }
        }
        return Set(own).union(others)
    }

    /// One group for each framework, in the order of `kata.json`: what comes first there explains most.
    func inOrder(_ groups: [[String]]) -> [[String]] {
        let wanted = Set(groups.joined())
        return KataTest.Framework.allCases.map { framework in
            kata.tests.filter { $0.framework == framework && wanted.contains($0.id) }.map(\.id)
        }.filter { !$0.isEmpty }
    }

    /// Whether a test probably hangs too: it needs a part that hangs, or a hang explains its failure. Where no parts are known,
    /// so do all others after the second hang.
    func mayHang(_ test: String) -> Bool {
        let needed = parts(of: test)
        return needed.isEmpty ? hung.count > 1 || isExplained(test) : !hangingParts.isDisjoint(with: needed)
    }

    /// Whether a hang explains a test's failure, by itself or through others.
    private func isExplained(_ test: String) -> Bool {
        var seen: Set<String> = [test]
        var left = explanations[test] ?? []
        while let next = left.popLast() {
            if hung.contains(next) { return true }
            if seen.insert(next).inserted { left += explanations[next] ?? [] }
        }
        return false
    }

    /// Whether nothing would be learned from running a test: enough others of its part hang, and all that were run do. Where no
    /// parts are known, another test may well pass.
    func isHopeless(_ test: String) -> Bool {
        parts(of: test).contains { part in
            hangingParts.contains(part) && !tests(ended, need: part)
                && hung.count { parts(of: $0).contains(part) } >= Self.enough
        }
    }

    /// Groups in which the tests of one part are among themselves. What needs several comes last: by then it is known which of
    /// them hang.
    func ordered(_ groups: [[String]]) -> [[String]] {
        let several = groups.map { $0.filter { parts(of: $0).count > 1 } }
        let single = groups.flatMap { group in
            var keys: [[String]] = []
            for test in group where parts(of: test).count < 2 && !keys.contains(parts(of: test)) {
                keys.append(parts(of: test))
            }
            return keys.map { key in group.filter { parts(of: $0) == key } }
        }
        return (single + several).filter { !$0.isEmpty }
    }
}

// MARK: - Once all is decided

extension Hangs {
    init(_ kata: Kata, _ results: [String: TestResult]) {
        self.init(kata)
        hung = kata.tests.map(\.id).filter { results[$0].map { $0.isHang && $0.outcome != .notRun } ?? false }
        ended = Set(results.filter { !$0.value.isHang && $0.value.outcome != .notRun }.keys)
        passed = Set(results.filter { $0.value.outcome == .passed }.keys)
    }

    /// The part whose code did not come to its end, for a test that hung or was not run for that; `nil` where it is not known.
    ///
    /// - Parameter mentioned: the parts that other code of the answer may call: a test may hang in them that does not need them.
    func part(of test: String, mentioned: Set<String>) -> String? {
        let found = parts(of: test).filter { isKnownToHang($0, mentioned) }
        return found.count == 1 ? found[0] : nil
    }

    /// Whether the hangs are the doing of this part, and of no other one.
    private func isKnownToHang(_ part: String, _ mentioned: Set<String>) -> Bool {
        let hangsAlone = hung.contains { parts(of: $0) == [part] }
        let hangsAlways = tests(hung, need: part) && !tests(ended, need: part)
        guard hangsAlone || hangsAlways else { return false }
        // A test may call a part that it does not need.
        let isOnly = hangsAlone && hangsAlways && hung.allSatisfy { parts(of: $0).contains(part) }
        return Set(kata.tests.flatMap(\.parts)).allSatisfy { other in
            other == part || isHealthy(other, without: part) || isOnly && !mentioned.contains(other)
        }
    }

    /// Whether all tests passed that need a part and do not need another one.
    private func isHealthy(_ part: String, without other: String) -> Bool {
        let own = kata.tests.filter { $0.parts.contains(part) && !$0.parts.contains(other) }
        return !own.isEmpty && own.allSatisfy { passed.contains($0.id) }
    }
}
