import Foundation
import Reports
import TestSupport
import Testing
import Workbook

/// The page as a browser shows it to the candidate.
@Suite("for-candidate.html", .needs(.chromium), .startsPrograms)
struct CandidatePageTests {
    private func withPage(_ language: Language = .english, _ body: (Browser) throws -> Void) throws {
        try SampleSession.withFolder { (folder: URL) throws in
            let page = try CandidatePage(
                SampleSession.record(), localization: SampleSession.localization(language))
            try Browser.show(InterviewReportFolder.write(page, to: folder), body)
        }
    }

    @Test("shows each kata's last code, its verdict, the titles of its tests, and the hints that were used")
    func katas() throws {
        try withPage { (page: Browser) throws in
            #expect(
                try page.strings("[...document.querySelectorAll('article h3')].map(e => e.textContent)") == [
                    "FirstValue", "AsyncMap",
                ])
            let code =
                "[...document.querySelectorAll('article')].map(a => [...a.querySelectorAll('.line code')].map(e => e.textContent).join('|'))"
            let texts = try page.strings(code)
            #expect(texts.count == 2)
            #expect(texts.first?.hasPrefix("let a = \"</script>") == true)
            #expect(texts.last == "import Combine|let x = 2")
            // The last save of the second kata was not graded: what an earlier one did says nothing of it.
            #expect(try page.number("document.querySelectorAll('article:first-of-type .test').length") == 3)
            #expect(try page.number("document.querySelectorAll('.test').length") == 3)
            let hints = try page.strings("[...document.querySelectorAll('.hint')].map(e => e.textContent)")
            #expect(hints.count == 1 && hints[0].hasPrefix("Hint 1 · comes title <b>"))
            #expect(try page.value("document.body.innerText.includes('bold')") as? Bool == false)
            #expect(try page.value("window.pwned === undefined") as? Bool == true)
        }
    }

    @Test("is in the reader's language", arguments: Language.allCases)
    func language(language: Language) throws {
        try withPage(language) { (page: Browser) throws in
            #expect(try page.text("document.documentElement.lang") == language.code)
            #expect(try page.value("document.body.innerText.includes('undefined')") as? Bool == false)
            let note = try InterviewReportStrings(language)(.verdictNone)
            #expect(try page.text("document.querySelector('article:last-of-type .message').textContent") == note)
            try page.keepPicture("for-candidate-\(language.code)")
        }
    }
}
