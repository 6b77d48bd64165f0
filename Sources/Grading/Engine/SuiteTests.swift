import Foundation
import Storage
import Workbook

/// The tests that a suite has, named as in `kata.json` but without parentheses: `FirstValueTests/comesBack`.
struct SuiteTests: Equatable {
    /// Every function of the suite that a test's name may mean.
    var functions: Set<String> = []
    /// The functions that are tests.
    var tests: Set<String> = []

    /// Throws where the suite and `kata.json` do not name the same tests.
    func check(_ kata: Kata, in workbook: WorkbookFolder) throws(GradingError) {
        let named = kata.tests.map { ($0.id, Self.name(ofTest: $0.id)) }
        let missing = named.filter { !functions.contains($0.1) }.map(\.0)
        if !missing.isEmpty {
            throw GradingError(
                .testsNotInSuite, kata.kata, missing.joined(separator: ", "), workbook.suite(kata.kata).path)
        }
        let surplus = tests.subtracting(named.map(\.1))
        if !surplus.isEmpty {
            let manifest = workbook.exercise(kata.kata).appendingPathComponent("kata.json").path
            throw GradingError(.testsNotInManifest, kata.kata, surplus.sorted().joined(separator: ", "), manifest)
        }
    }

    static func name(ofTest id: String) -> String { String(id.prefix { $0 != "(" }) }
}
