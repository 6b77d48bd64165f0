import Workbook

/// What holds of a suite before it runs.
extension KataFiles {
    func shortcomingsOfSuite() -> [Shortcoming] { shortcomingsOfSleeps() + shortcomingsOfProcess() }

    /// KataSupport takes over every task of its process, and `swift test` runs the tests of all katas in one.
    private func shortcomingsOfProcess() -> [Shortcoming] {
        suite.compactMap { file in
            let source = file.text ?? ""
            guard source.contains("import KataSupport") else { return nil }
            let text = SuiteText(source)
            let shared = kata.tests.filter {
                $0.framework == .testing && text.test($0.id) != nil && !text.hasTrait(".ownProcess", $0.id)
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
