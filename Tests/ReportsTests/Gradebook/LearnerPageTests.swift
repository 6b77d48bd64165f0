import Foundation
import TestSupport
import Testing
import Workbook

@testable import Reports

/// What a learner wrote, and what the compiler said about it.
private enum SamplePage {
    static let code = """
        import Combine
        // </script><script>window.pwned=1</script> \u{202E}evil
        let a = nothing\r
        let b: Int = "<i>"

        """

    static let said = [
        Diagnostic(
            severity: .error, file: "FirstValue.swift", line: 3, column: 9,
            message: LocalizableMessage(.verbatim, "cannot find 'nothing' in scope <b>")),
        Diagnostic(
            severity: .warning, file: "FirstValue.swift", line: 4, column: 5,
            message: LocalizableMessage(.verbatim, "never used")),
        Diagnostic(
            severity: .error, file: "FirstValue.swift", line: 900, column: 1,
            message: LocalizableMessage(.verbatim, "beyond the end")),
        Diagnostic(
            severity: .note, file: "Other.swift", line: 1, column: 1,
            message: LocalizableMessage(.verbatim, "elsewhere")),
    ]

    static func broken(_ learner: String = "Ana") -> LearnerRecord {
        var verdict = Verdict.notRun(SampleClass.kata, .didNotCompile, LocalizableMessage(.verbatim, ""))
        verdict.diagnostics = said
        return LearnerRecord(
            learner: learner, sources: [learner],
            katas: [KataRecord(digest: "d", path: "week 1/FirstValue.swift", verdict: verdict)])
    }

    static var failed: LearnerRecord {
        SampleClass.records.first { $0.learner == SampleClass.hostileName } ?? SampleClass.records[0]
    }

    static func text(
        _ record: LearnerRecord, _ language: Language = .english, code: [String: String] = ["FirstValue": code]
    ) throws -> String {
        var localization = try SampleClass.localization(language)
        localization.comments = ["FirstValue": ["S/cancels()": "See <b>page 12</b>."]]
        let report = LearnerReport(record, katas: [SampleClass.kata], localization: localization, code: code)
        return try #require(try LearnerPage.files(of: report, name: "page")["page.html"])
    }
}

@Suite("A learner's page")
struct LearnerPageTests {
    @Test("keeps a learner's text in the page's data, where it cannot end an element")
    func escaped() throws {
        let page = try SamplePage.text(SamplePage.broken())
        #expect(!page.contains("<script>window"))
        #expect(page.contains("\\u003cscript\\u003ewindow.pwned=1"))
    }

    @Test("has no name of another learner, and not the seed of the class")
    func alone() throws {
        try SampleClass.withReport(.english, formats: ["pages"]) { (folder: URL) throws in
            let pages = folder.appendingPathComponent("pages")
            #expect(try FileManager.default.contentsOfDirectory(atPath: pages.path).count == SampleClass.records.count)
            // The two have identical files.
            let bob = try String(contentsOf: pages.appendingPathComponent("bob.html"), encoding: .utf8)
            #expect(!bob.contains("ไทย") && !bob.contains("cleo") && !bob.contains("\"seed\":7"))
        }
    }

    @Test("says so if the code was not kept, and shows no code if there was no file")
    func noCode() throws {
        #expect(try SamplePage.text(SamplePage.broken(), code: [:]).contains("The code was not kept"))
        #expect(try !SamplePage.text(SampleClass.absent, code: [:]).contains("\"code\":{"))
    }

    @Test("is never larger than a megabyte, and says what it does not show")
    func bounded() throws {
        var record = SamplePage.failed
        // Each of these characters is written with six characters in the page.
        let long = String(repeating: "<", count: 1 << 20)
        for index in record.katas[0].verdict.tests.indices {
            record.katas[0].verdict.tests[index].output = long
            record.katas[0].verdict.tests[index].messages = [LocalizableMessage(.mismatch, long, long)]
        }
        let page = try SamplePage.text(record, code: ["FirstValue": long])
        #expect(page.utf8.count <= LearnerPage.mostBytes)
        #expect(page.contains("more bytes of output are not shown."))
        #expect(page.contains("more bytes of the failure's text are left out."))
        #expect(page.contains("983,040 more bytes of the file are not shown."))
    }

    @Test("shows a file of empty lines up to the limit for browsers")
    func manyLines() throws {
        let page = try SamplePage.text(SamplePage.broken(), code: ["FirstValue": String(repeating: "\n", count: 5000)])
        #expect(page.contains("1,000 more bytes of the file are not shown."))
    }

    @Test("cuts a text at the end of a character")
    func cuts() {
        #expect("aé日".prefix(bytes: 2) == "a")
        #expect("aé日".prefix(bytes: 3) == "aé")
        #expect("aé日".prefix(bytes: 5) == "aé")
        #expect("aé日".prefix(bytes: 6) == "aé日")
        #expect("a\r\nb\nc".prefix(lines: 1) == "a\r\n")
        #expect("a\nb".prefix(lines: 2) == "a\nb")
    }
}

@Suite("An instructor's comments")
struct TestCommentsTests {
    private func texts(_ json: String) throws -> [String: [KataTest.ID: String]] {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        return try TestComments(json, katas: [SampleClass.kata]).texts
    }

    @Test("are texts by kata and test; an empty text is not a comment")
    func read() throws {
        #expect(
            try texts(#"{"FirstValue": {"S/comes()": "Look\nhere", "X/testTime": " "}}"#)
                == ["FirstValue": ["S/comes()": "Look\nhere"]])
        #expect(try texts("{}") == [:])
    }

    @Test(
        "in another format are reported with the format that they should have",
        arguments: [
            ("[1]", "[1]", #"{"FirstValue": {"S/comes()": "…"}}"#),
            ("3", "3", #"{"FirstValue": {"S/comes()": "…"}}"#),
            (#"{"FirstValue": "x"}"#, #""FirstValue": "x""#, #""FirstValue": {"S/comes()": "…"}"#),
            (#"{"FirstValue": {"X/testTime": null}}"#, #""X/testTime": null"#, #""X/testTime": "…""#),
        ])
    func form(json: String, found: String, expected: String) {
        #expect(throws: TestComments.Mistake.unexpected(found: found, expected: expected)) { try texts(json) }
    }

    @Test("on unknown names are reported with the known names, the nearest first")
    func unknown() throws {
        #expect(throws: TestComments.Mistake.unknownKata("Firstvalu", known: ["FirstValue"])) {
            try texts(#"{"Firstvalu": {}}"#)
        }
        let known = ["S/cancels()", "S/comes()", "X/testTime"]
        #expect(throws: TestComments.Mistake.unknownTest("S/cancel()", kata: "FirstValue", known: known)) {
            try texts(#"{"FirstValue": {"S/cancel()": "x"}}"#)
        }
        let strings = try ReportStrings(.english)
        let nearly = TestComments.Mistake.unknownTest("S/cancel()", kata: "FirstValue", known: known)
        #expect(nearly.text("c.json", strings).hasSuffix("has no such test. Did you mean `S/cancels()`?"))
        let other = TestComments.Mistake.unknownTest("Q", kata: "FirstValue", known: known)
        #expect(other.text("c.json", strings).contains("Use one of these: "))
    }

    @Test("are shown only to learners who fail the test")
    func addressees() throws {
        var localization = try SampleClass.localization()
        localization.comments = ["FirstValue": ["S/comes()": "first", "S/cancels()": "<b>second</b> `x`"]]
        let reports = [SamplePage.failed, SamplePage.broken(), SampleClass.absent].map {
            LearnerReport($0, katas: [SampleClass.kata], localization: localization)
        }
        let said = reports.map { report in
            report.katas.flatMap { kata in kata.tests.map { report.comment(on: $0, of: kata.kata) } }
        }
        #expect(said == [[nil, "Your instructor: <b>second</b> `x`", nil], [nil, nil, nil], [nil, nil, nil]])
    }
}

/// The page as a browser shows it, from a file and with no network.
@Suite("A learner's page in a browser", .needs(.chromium), .startsPrograms)
struct LearnerPageBrowserTests {
    private func withPage(
        _ record: LearnerRecord, _ language: Language = .english, _ body: (Browser) throws -> Void
    ) throws {
        let folder = try ScratchFolder()
        let file = folder("page.html")
        try Data(SamplePage.text(record, language).utf8).write(to: file)
        try Browser.show(file, body)
    }

    private let fits = "document.documentElement.scrollWidth <= innerWidth"

    @Test("has the verdict and the code side by side at 1280 pixels, and the code below at 400")
    func widths() throws {
        for (width, isBeside) in [(1280, true), (400, false)] {
            try withPage(SamplePage.failed) { (page: Browser) throws in
                try page.resize(width: width, height: 900)
                let box = { (name: String) in "document.querySelector('.\(name)').getBoundingClientRect()" }
                #expect(try page.value("\(box("code")).left >= \(box("verdict")).right") as? Bool == isBeside)
                #expect(try page.value("\(box("code")).top >= \(box("verdict")).bottom") as? Bool == !isBeside)
                #expect(try page.value(fits) as? Bool == true)
                try page.keepPicture("learner-\(width)")
            }
        }
    }

    @Test("marks the lines that diagnostics name with text, not only with colour")
    func marks() throws {
        try withPage(SamplePage.broken()) { (page: Browser) throws in
            let lines = try page.strings(
                "[...document.querySelectorAll('.code .line')].map(e => [...e.children].map(c => c.textContent).join('|'))"
            )
            #expect(
                lines == [
                    "1||import Combine", "2||// </script><script>window.pwned=1</script> U+202Eevil",
                    "3|✗|let a = nothing", "4|⚠|let b: Int = \"<i>\"",
                ])
            let remarks = try page.strings("[...document.querySelectorAll('.remark')].map(e => e.textContent)")
            #expect(remarks == ["cannot find 'nothing' in scope <b>", "never used"])
            #expect(
                try page.text("document.querySelector('.verdict .message').textContent")?.hasPrefix("Not run") == true)
            #expect(try page.number("document.querySelectorAll('main i, main b b, main script').length") == 0)
        }
    }

    @Test("begins with the tests that did not pass, with what they found and their hint", arguments: Language.allCases)
    func tests(language: Language) throws {
        try withPage(SamplePage.failed, language) { (page: Browser) throws in
            #expect(try page.text("document.documentElement.lang") == language.code)
            #expect(try page.text("document.querySelector('h1').textContent") == SampleClass.hostileName)
            let marks = try page.strings("[...document.querySelectorAll('.test .mark')].map(e => e.textContent)")
            #expect(marks == ["✗", "‼", "✓"])
            #expect(try page.strings("[...document.querySelectorAll('.diff code')].map(e => e.textContent)").count == 2)
            #expect(try page.number("document.querySelectorAll('.hint').length") == 2)
            #expect(try page.text("document.querySelector('.cards b').textContent") == "2/4")
            let comments = try page.strings("[...document.querySelectorAll('.comment')].map(e => e.textContent)")
            #expect(comments == [try GradebookStrings(language)(.comment, .text("See <b>page 12</b>."))])
        }
    }
}
