import Foundation
import Workbook

/// A `results.json`, in version 3 of Exercism's contract for test runners: of one kata, or of a whole submission.
struct ExercismReport: LearnerFilesFormat, SubmissionFormat, Encodable, Equatable {
    static let name = "exercism"

    static func files(of report: LearnerReport, name: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for kata in report.katas {
            files["\(name)/\(kata.kata).json"] = try PlainText.json(ExercismReport(kata, in: report))
        }
        return files
    }

    static func text(_ report: LearnerReport, seed: UInt64, language: Language) throws -> String {
        try PlainText.json(ExercismReport(report)) + "\n"
    }

    struct Test: Encodable, Sendable, Equatable {
        var name: String
        var status: Status
        var message: String?
        var output: String?
        var test_code: String?
    }
    enum Status: String, Encodable, Sendable { case pass, fail, error }

    /// How much the contract lets through of a test's output, and of a message.
    static let outputCharacters = 500
    static let messageBytes = 65_535

    var version = 3
    var status: Status
    /// Only where the status is `error`: otherwise the tests say everything.
    var message: String?
    var tests: [Test]

    init(_ kata: CheckReport.KataReport, in report: LearnerReport) {
        self.init([kata], in: report)
    }

    /// All katas of a submission that were handed in, as one exercise.
    init(_ report: LearnerReport) {
        self.init(report.katas.filter { report.isHandedIn($0.kata) }, in: report)
    }

    private init(_ katas: [CheckReport.KataReport], in report: LearnerReport) {
        let hasRun = katas.contains { kata in
            // A learner who may see the points only sees no test of a kata that was run.
            kata.tests.contains { $0.outcome != .notRun }
                || kata.tests.isEmpty && [.failed, .passed, .mastered].contains(kata.outcome)
        }
        guard hasRun else {
            // Nothing ran, and this is all that the learner reads.
            let diagnostics = katas.flatMap { $0.diagnostics.map(\.placed) }
            let reasons = (katas.isEmpty ? report.katas : katas).compactMap { $0.tests.first?.message }
            let said =
                !diagnostics.isEmpty ? diagnostics : katas.isEmpty ? report.problem.map { [$0] } ?? reasons : reasons
            status = .error
            // A learner who sees no tests sees the outcome.
            let outcomes = katas.map { report.localization.strings(ReportKey($0.outcome)) }
            message = Self.cut((said.isEmpty ? outcomes : said).joined(separator: "\n"))
            tests = []
            return
        }
        // The contract's `pass` means every test, so the robust ones count.
        status = katas.allSatisfy { $0.outcome == .mastered } ? .pass : .fail
        tests = katas.flatMap { kata in
            kata.tests.enumerated().map { index, test in
                var test = Self.test(test, of: kata.kata, in: report)
                if katas.count > 1 { test.name = "\(kata.kata): \(test.name)" }
                // Of a kata that did not come to its tests, the first one says why.
                if index == 0, kata.tests.allSatisfy({ $0.outcome == .notRun }), !kata.diagnostics.isEmpty {
                    test.message = Self.cut(kata.diagnostics.map(\.placed).joined(separator: "\n"))
                }
                return test
            }
        }
    }

    private static func test(_ test: CheckReport.TestReport, of kata: String, in report: LearnerReport) -> Test {
        let status: Status =
            switch test.outcome {
            case .passed: .pass
            case .failed: .fail
            case .crashed, .timedOut, .notRun: .error
            }
        var output = test.output
        if output.count > outputCharacters {
            let limit = "\n" + report.localization.strings(.outputLimit, .integer(outputCharacters))
            output = output.prefix(outputCharacters - limit.count) + limit
        }
        return Test(
            name: test.title, status: status, message: status == .pass ? nil : cut(report.said(of: test, in: kata)),
            output: output.isEmpty ? nil : output, test_code: report.localization.testCode[kata]?[test.id])
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > messageBytes else { return text }
        var cut = text.prefix(messageBytes - 4)
        while cut.utf8.count > messageBytes - 4 { cut = cut.dropLast(64) }
        return cut + "…"
    }
}
