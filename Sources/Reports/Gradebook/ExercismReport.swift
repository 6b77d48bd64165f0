import Foundation
import Workbook

/// A `results.json`, in version 3 of Exercism's contract for test runners: of one kata, or of a whole submission.
struct ExercismReport: LearnerFilesFormat, SubmissionFormat, Encodable, Equatable {
    static let name = "exercism"

    static func files(of report: LearnerReport, name: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for kata in report.katas { files["\(name)/\(kata.kata).json"] = try PlainText.json(ExercismReport(kata)) }
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
        var test_code: String
    }
    enum Status: String, Encodable, Sendable { case pass, fail, error }

    /// How much of a test's output the contract lets through.
    static let outputCharacters = 500

    var version = 3
    var status: Status
    var message: String?
    var tests: [Test]

    init(_ kata: CheckReport.KataReport) {
        switch kata.outcome {
        case .didNotCompile, .rejected:
            status = .error
            message = kata.diagnostics.map(\.placed).joined(separator: "\n")
            tests = []
        case .notStarted, .failed, .passed, .mastered:
            // The contract's `pass` means every test, so the robust ones count.
            status = kata.outcome == .mastered ? .pass : .fail
            tests = kata.tests.map(Self.test)
        }
    }

    /// All katas of a submission that were handed in, as one exercise.
    init(_ report: LearnerReport) {
        let handedIn = report.katas.filter { kata in
            report.record.katas.contains { $0.verdict.kata == kata.kata && $0.path != nil }
        }
        let parts = (handedIn.isEmpty ? report.katas : handedIn).map { ($0.kata, ExercismReport($0)) }
        let errors = parts.filter { $0.1.status == .error }
        let messages = [report.problem].compactMap(\.self) + errors.compactMap(\.1.message)
        status = !errors.isEmpty ? .error : !parts.isEmpty && parts.allSatisfy { $0.1.status == .pass } ? .pass : .fail
        message = messages.isEmpty ? nil : messages.joined(separator: "\n")
        tests = parts.flatMap { kata, part in
            part.tests.map { test in
                var test = test
                if parts.count > 1 { test.name = "\(kata): \(test.name)" }
                return test
            }
        }
    }

    private static func test(_ test: CheckReport.TestReport) -> Test {
        let status: Status =
            switch test.outcome {
            case .passed: .pass
            case .failed: .fail
            case .crashed, .timedOut, .notRun: .error
            }
        var output: String?
        if !test.output.isEmpty {
            output =
                test.output.count <= outputCharacters ? test.output : test.output.prefix(outputCharacters - 1) + "…"
        }
        let said = [test.message, test.hint].compactMap(\.self).joined(separator: "\n")
        // The suite is hidden: its place is taken by the test's name in it.
        return Test(
            name: test.title, status: status, message: status == .pass || said.isEmpty ? nil : said, output: output,
            test_code: test.id)
    }
}
