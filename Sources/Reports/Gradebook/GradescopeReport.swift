import Workbook

/// One learner's `results.json`, as Gradescope's autograder reads it.
struct GradescopeReport: LearnerFilesFormat, SubmissionFormat, Encodable, Equatable {
    static let name = "gradescope"

    static func files(of report: LearnerReport, name: String) throws -> [String: String] {
        ["\(name).json": try PlainText.json(GradescopeReport(report))]
    }

    static func text(_ report: LearnerReport, seed: UInt64, language: Language) throws -> String {
        try PlainText.json(GradescopeReport(report)) + "\n"
    }

    struct Test: Encodable, Sendable, Equatable {
        var name: String
        var number: String
        var score: Int
        var max_score: Int
        var status: String
        var output: String
        var visibility = "visible"
        // What a learner's code printed is shown as text, never as the HTML or Markdown that it may look like.
        var output_format = "text"
        var name_format = "text"
    }

    var score: Int
    var execution_time: Int
    var output: String
    var visibility = "visible"
    var stdout_visibility = "hidden"
    var output_format = "text"
    var tests: [Test]

    init(_ report: LearnerReport) {
        score = report.points
        execution_time = Int(report.seconds.rounded(.up))
        // Of what was not handed in, each test says so.
        let diagnostics = report.katas.filter { report.isHandedIn($0.kata) }.flatMap { $0.diagnostics.map(\.placed) }
        output = ([report.problemOfNoKata].compactMap(\.self) + report.pointsOfKatas + report.adjustments + diagnostics)
            .joined(
                separator: "\n")
        tests = report.katas.enumerated().flatMap { place, kata in
            return kata.tests.enumerated().map { index, test in
                let printed = test.output.isEmpty ? nil : test.output
                return Test(
                    name: "\(kata.kata): \(test.title)", number: "\(place + 1).\(index + 1)", score: test.points,
                    max_score: test.maxPoints,
                    status: test.outcome == .passed ? "passed" : "failed",
                    output: [test.message, test.hint, report.comment(on: test, of: kata.kata), printed]
                        .compactMap(\.self).joined(separator: "\n\n"))
            }
        }
    }
}
