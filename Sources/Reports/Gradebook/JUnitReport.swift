import Workbook

/// One learner's tests in the form that build servers read.
enum JUnitReport {
    static func text(_ report: LearnerReport) -> String {
        let suites = report.katas.map(suite)
        let counts = suites.reduce(into: Counts()) { $0.add($1.counts) }
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites name=\"\(PlainText.xml(report.record.learner))\" \(counts.attributes)"
        xml += " time=\"\(report.seconds)\">\n"
        if let problem = report.problem {
            let problems = Counts(tests: 1, errors: 1)
            xml += "<testsuite name=\"submission\" \(problems.attributes)>\n"
            xml += "<testcase classname=\"submission\" name=\"submission\">"
            xml += "<error message=\"\(PlainText.xml(problem))\"/></testcase>\n</testsuite>\n"
        }
        return xml + suites.map(\.xml).joined() + "</testsuites>\n"
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

        var attributes: String {
            "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        }
    }

    private static func suite(_ kata: CheckReport.KataReport) -> (xml: String, counts: Counts) {
        var counts = Counts()
        var cases = ""
        // A build server counts skipped tests as no harm; what kept them from running is an error.
        if kata.outcome == .didNotCompile || kata.outcome == .rejected {
            counts.tests += 1
            counts.errors += 1
            let text = kata.diagnostics.map(\.placed).joined(separator: "\n")
            cases += "<testcase classname=\"\(kata.kata)\" name=\"\(kata.kata).swift\">"
            cases += "<error type=\"\(kata.outcome.rawValue)\" message=\"\(PlainText.xml(text))\"/></testcase>\n"
        }
        for test in kata.tests {
            counts.tests += 1
            let said = PlainText.xml([test.message, test.hint].compactMap(\.self).joined(separator: "\n"))
            cases += "<testcase classname=\"\(PlainText.xml(kata.kata))\" name=\"\(PlainText.xml(test.title))\">"
            switch test.outcome {
            case .passed: break
            case .failed:
                counts.failures += 1
                cases += "<failure message=\"\(said)\"/>"
            case .crashed, .timedOut:
                counts.errors += 1
                cases += "<error type=\"\(test.outcome.rawValue)\" message=\"\(said)\"/>"
            case .notRun:
                counts.skipped += 1
                cases += "<skipped message=\"\(said)\"/>"
            }
            if !test.output.isEmpty { cases += "<system-out>\(PlainText.xml(test.output))</system-out>" }
            cases += "</testcase>\n"
        }
        let opening = "<testsuite name=\"\(PlainText.xml(kata.kata))\" \(counts.attributes) time=\"\(kata.seconds)\">\n"
        return (opening + cases + "</testsuite>\n", counts)
    }
}
