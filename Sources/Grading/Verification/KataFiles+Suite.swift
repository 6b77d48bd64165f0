import Workbook

/// What holds of a suite before it runs.
extension KataFiles {
    func shortcomingsOfSuite() -> [Shortcoming] { shortcomingsOfSleeps() + shortcomingsOfProcess() }

    /// KataSupport takes over every task of its process, and `swift test` runs the tests of all katas in one.
    private func shortcomingsOfProcess() -> [Shortcoming] {
        let texts = suite.map { SuiteText($0.text ?? "") }
        // An extension has what stands at its type, which may be in another file.
        let own = texts.reduce(into: Set<String>()) { $0.formUnion($1.names(withTrait: ".ownProcess")) }
        return zip(suite, texts).compactMap { file, text in
            guard file.text?.contains("import KataSupport") == true else { return nil }
            let shared = kata.tests.filter { test in
                test.framework == .testing && text.test(test.id) != nil
                    && text.names(around: test.id).isDisjoint(with: own)
            }
            return shared.isEmpty
                ? nil : shortcoming(.suiteSharesProcess, file.path, shared.map(\.id).listed)
        }
    }

    /// A test that sleeps is slow where the machine is quick, and wrong where it is slow.
    private func shortcomingsOfSleeps() -> [Shortcoming] {
        let sleep = Self.sleep
        return suite.flatMap { file in
            SwiftText(file.text ?? "").codeOnly.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .compactMap { number, line in
                    guard let match = line.firstMatch(of: sleep) else { return nil }
                    let code = match.output.trimmingCharacters(in: .whitespaces)
                    return shortcoming(.suiteSleeps, file.path, "\(number + 1)", code)
                }
        }
    }

    /// What a suite compares by a function of the learner's, it does not see.
    ///
    /// - Parameter types: the types of the kata's own that the suite compares.
    func shortcomingsOfComparisons(_ types: [String]) -> [Shortcoming] {
        types.isEmpty ? [] : [shortcoming(.suiteComparesOwnTypes, types.listed)]
    }

    /// The test clock's `sleep` takes no time. A few microseconds widen a race, and wait for nothing.
    private static var sleep: Regex<Substring> {
        /(?:\b(?:Task|Thread)|Clock\(\))\.sleep\b|(?:^|[^.\w])(?:u(?!sleep\(\d{1,3}\))|nano)?sleep\(|\.asyncAfter\(/
    }
}
