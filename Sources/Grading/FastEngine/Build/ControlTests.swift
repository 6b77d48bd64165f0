import Foundation
import Workbook

/// Tests that have to fail, with names that only this grading knows. They run in the suite's process, before, between and
/// after its tests; what they report shows whether the way from a failing test to the engine is whole.
struct ControlTests: Sendable, Equatable {
    /// The first, the middle and the last of each framework.
    let testing: [String]
    let xctest: [String]
    private let words: [String]

    /// What stands for the words in `Harness/InSuite/ControlTests.swift`.
    static let placeholders = [
        "Controltestsuite", "controltestfirst", "controltestmidst", "controltestfinal", "Controlcasesuite",
        "controlcasefirst", "controlcasemidst", "controlcasefinal",
    ]

    init() {
        self.init(
            words: Self.placeholders.map { placeholder in
                let letters = String(
                    (0..<placeholder.count).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a" })
                // The compiler's own names count upper case letters.
                return placeholder.first?.isUppercase == true ? letters.capitalized : letters
            })
    }

    init(words: [String]) {
        self.words = words
        testing = words[1...3].map { "\(words[0])/\($0)()" }
        xctest = words[5...7].map { "\(words[4])/\($0)" }
    }

    /// Swift Testing's names have parentheses at the end, and XCTest's have not.
    static func isTesting(_ test: String) -> Bool { test.hasSuffix(")") }

    func contains(_ test: String) -> Bool { testing.contains(test) || xctest.contains(test) }

    /// How many of them run with these tests.
    func count(for tests: [String]) -> Int {
        (tests.contains(where: Self.isTesting) ? testing.count : 0)
            + (tests.allSatisfy(Self.isTesting) ? 0 : xctest.count)
    }

    /// The object with these names in the places of the others.
    func object(from original: [UInt8], _ places: [[Int]]) -> [UInt8] {
        var object = original
        for (word, places) in zip(words, places) {
            for place in places where place + word.utf8.count <= object.count {
                object.replaceSubrange(place..<place + word.utf8.count, with: word.utf8)
            }
        }
        return object
    }

    /// Where the placeholders stand in an object.
    static func places(in object: [UInt8]) -> [[Int]] {
        placeholders.map { placeholder in object.ranges(of: Array(placeholder.utf8)).map(\.lowerBound) }
    }

    /// Whether a test of these has failed as it should: with a failed expectation and with a finding, both of its own names.
    func hasFailedProperly(_ test: String, _ issues: [RunReport.Issue]) -> Bool {
        guard let index = (testing + xctest).firstIndex(of: test), issues.count == 2 else { return false }
        let suite = index < testing.count ? words[0] : words[4]
        let name = index < testing.count ? words[1 + index] : words[5 + index - testing.count]
        let expectation = issues[0].message.arguments.joined()
        let finding = issues[1].message
        return expectation.contains(suite) && expectation.contains(name) && finding.key == .mismatch
            && finding.arguments == [suite, name]
    }
}
