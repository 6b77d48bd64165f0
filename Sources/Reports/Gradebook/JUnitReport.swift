import Workbook

/// One learner's tests in the form that build servers read, as the schema of Jenkins's xUnit plugin (`junit-10.xsd`)
/// has it.
///
/// A test has its id as its name, so that a run in another language has the same tests. Its title begins what it says.
/// A verdict has no times of single tests.
enum JUnitReport: LearnerFilesFormat, SubmissionFormat {
    static let name = "junit"

    static func files(of report: LearnerReport, name: String) -> [String: String] { ["\(name).xml": text(report)] }

    static func text(_ report: LearnerReport, seed: UInt64, language: Language) -> String { text(report) }

    private static func text(_ report: LearnerReport) -> String {
        var suites = report.katas.map { suite($0, in: report) }
        if let submission = submission(report) { suites.insert(submission, at: 0) }
        let counts = suites.reduce(into: Counts()) { $0.add($1.counts) }
        return XMLText.declaration
            + XMLText.element(
                "testsuites", [("name", report.record.learner)] + counts.ofAll + [("time", "\(report.seconds)")],
                "\n" + suites.map(\.xml).joined())
    }

    /// When the suites ran, where that is known, and where: a machine's name is left out. A class's report is the
    /// same each time it is written, so it has the time of the submission.
    private static func circumstances(_ report: LearnerReport) -> [(String, String)] {
        let seconds = report.gradedAt ?? report.record.time?.seconds
        // Build servers want it without a time zone.
        return (seconds.map { [("timestamp", String(DateText.text(of: $0).prefix(19)))] } ?? [])
            + [("hostname", "localhost")]
    }

    private struct Counts {
        var tests = 0
        var failures = 0
        var errors = 0
        var skipped = 0

        mutating func add(_ other: Counts) {
            tests += other.tests
            failures += other.failures
            errors += other.errors
            skipped += other.skipped
        }

        var ofAll: [(String, String)] {
            [("tests", "\(tests)"), ("failures", "\(failures)"), ("errors", "\(errors)")]
        }
        /// The schema counts skipped tests for a suite, and not for all suites.
        var ofSuite: [(String, String)] { ofAll + [("skipped", "\(skipped)")] }
    }

    /// What is true of the whole submission: why it was not graded, and how late it is.
    private static func submission(_ report: LearnerReport) -> (xml: String, counts: Counts)? {
        let name = "submission"
        var content = ""
        var counts = Counts(tests: 1)
        var said: [String] = []
        if let problem = report.problemOfNoKata {
            // Another file that was there does no harm to those that were graded.
            if report.record.problem?.key == .filesNotUsed {
                said.append(problem)
            } else {
                content = XMLText.element("error", ["type": Verdict.Outcome.rejected.rawValue, "message": problem])
                counts.errors = 1
            }
        }
        if !report.adjustments.isEmpty {
            let points = report.localization.strings(.points, .integer(report.points), .integer(report.maxPoints))
            said += [points] + report.adjustments
        }
        said = report.pointsOfKatas + said
        if !said.isEmpty {
            content += XMLText.element("system-out", [:], PlainText.xml(said.joined(separator: "\n")))
        }
        guard !content.isEmpty else { return nil }
        let test = XMLText.element("testcase", ["classname": name, "name": name], content)
        let attributes = [("name", name)] + counts.ofSuite + [("time", "0.0")] + circumstances(report)
        return (XMLText.element("testsuite", attributes, test), counts)
    }

    private static func suite(_ kata: CheckReport.KataReport, in report: LearnerReport) -> (xml: String, counts: Counts)
    {
        var counts = Counts()
        var cases = "\n"
        func add(_ name: String, _ content: String) {
            counts.tests += 1
            cases += XMLText.element("testcase", ["classname": kata.kata, "name": name], content)
        }
        // A build server counts skipped tests as no harm; what kept them from running is an error.
        if kata.outcome == .didNotCompile || kata.outcome == .rejected {
            counts.errors += 1
            let text = kata.diagnostics.map(\.placed).joined(separator: "\n")
            add(
                "\(kata.kata).swift",
                XMLText.element("error", ["type": kata.outcome.rawValue, "message": text]))
        }
        for test in kata.tests {
            let titled = { (text: String) in [test.title, text].filter { !$0.isEmpty }.joined(separator: "\n") }
            let said = titled(report.said(of: test, in: kata.kata))
            var content = ""
            var printed = test.output
            switch test.outcome {
            case .passed: printed = titled(printed)
            case .failed:
                counts.failures += 1
                content = XMLText.element("failure", ["type": test.outcome.rawValue, "message": said])
            case .crashed, .timedOut:
                counts.errors += 1
                content = XMLText.element("error", ["type": test.outcome.rawValue, "message": said])
            case .notRun:
                counts.skipped += 1
                content = XMLText.element("skipped", ["message": said])
            }
            if !printed.isEmpty { content += XMLText.element("system-out", [:], PlainText.xml(printed)) }
            add(test.id, content)
        }
        let attributes = [("name", kata.kata)] + counts.ofSuite + [("time", "\(kata.seconds)")] + circumstances(report)
        return (XMLText.element("testsuite", attributes, cases), counts)
    }
}

/// An XML element from its name, attributes that are text, and content that is XML.
private enum XMLText {
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    static func element(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String = "") -> String {
        element(name, attributes.map { ($0.key, $0.value) }, content)
    }

    static func element(_ name: String, _ attributes: [(String, String)], _ content: String) -> String {
        let written = attributes.map { " \($0.0)=\"\(PlainText.xml($0.1))\"" }.joined()
        return "<\(name)\(written)>\(content)</\(name)>\n"
    }
}
