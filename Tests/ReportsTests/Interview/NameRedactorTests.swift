import Foundation
import Testing
import Workbook

@testable import Reports

@Suite("NameRedactor")
struct NameRedactorTests {
    private let blind = NameRedactor([
        (name: "Ana García", label: "A"), (name: "민수", label: "B"), (name: "Li", label: "C"),
    ])

    @Test("The day of a session is not in its compiler messages either: paths begin in the session's folder")
    func folders() throws {
        var record = SampleSession.record()
        let path = "../workbook-interviews/2026-11-27-1809-Ana/Exercises/AsyncMap/AsyncMap.swift"
        record.saves[3].verdict?.diagnostics[0].file = path
        let blind = NameRedactor([(name: "Ana García", label: "A")])(record, label: "A")
        #expect(blind.saves[3].verdict?.diagnostics[0].file == "Exercises/AsyncMap/AsyncMap.swift")
    }

    @Test(
        "finds a name in any case and spelling",
        arguments: [
            ("by Ana García.", "by A."), ("ANA GARCÍA", "A"), ("ana garcia", "A"), ("AnaGarciaView", "AView"),
            ("xanagarciax", "xAx"), ("2026-ana-garcia/F.swift", "2026-A/F.swift"), ("ana_garcía", "A"),
            ("/Users/ana.garcia/", "/Users/A/"), ("Ana\u{A0}Garcia", "A"), ("민수가", "B가"), ("ana@garcia", "A"),
            ("Ana'García", "A"),
        ])
    func whole(text: String, expected: String) {
        #expect(blind(text) == expected)
    }

    @Test(
        "finds a part of a name if it is a word of its own, and not inside other words",
        arguments: [
            ("thanks, ana!", "thanks, A!"), ("GarciaViewModel", "AViewModel"), ("myAnaView", "myAView"),
            ("ana_2", "A_2"),
            ("analysis of a banana", "analysis of a banana"), ("list.filter", "list.filter"),
            ("// Li was here", "// C was here"),
        ])
    func parts(text: String, expected: String) {
        #expect(blind(text) == expected)
    }

    @Test("does not change a text without names")
    func others() {
        let text = "e\u{301}\r\n\u{202E}한 ไทย 👨‍👩‍👧 \u{0}"
        #expect(blind(text).unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect(NameRedactor([(name: "  ", label: "A")])(text) == text)
    }
}
