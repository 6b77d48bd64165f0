import Testing
import Workbook

@Suite("An answer that is written as an edit of another one")
struct AnswerEditTests {
    private static let answer = "// right: with a variable\nimport Combine\n\nlet a = 1\nlet b = 2\n}\nlet a = 1\n}\n"

    private func edit(_ pieces: String) throws -> AnswerEdit {
        try #require(AnswerEdit("// mutant: other\n// fails: x\n--- Solutions/Sum/Sum.swift\n" + pieces))
    }

    @Test("Its lines are changed, and its header is the edit's own")
    func applied() throws {
        let edit = try edit("@@\n import Combine\n+import Foundation\n@@\n-let b = 2\n+let b = 3\n")
        #expect(edit.answer == "Solutions/Sum/Sum.swift")
        #expect(
            edit.applied(to: Self.answer)
                == "// mutant: other\n// fails: x\nimport Combine\nimport Foundation\n\nlet a = 1\nlet b = 3\n}\n"
                + "let a = 1\n}\n")
    }

    @Test("What diff -u prints is an edit")
    func unified() throws {
        let edit = try edit(
            "+++ b.swift\t2026-01-01\n@@ -4,2 +4,2 @@\n-let b = 2\n+let b = 3\n }\n\\ No newline at end of file\n")
        #expect(edit.applied(to: Self.answer)?.contains("let b = 3\n}\nlet a") == true)
    }

    @Test(
        "It fits only where each piece stands in one place, behind the piece before",
        arguments: [
            "@@\n-let c = 1\n", "@@\n-let a = 1\n", "@@\n let b = 2\n-}\n@@\n-import Combine\n",
        ])
    func doesNotFit(pieces: String) throws {
        #expect(try edit(pieces).applied(to: Self.answer) == nil)
    }

    @Test("A whole answer is no edit", arguments: ["// mutant: x\nimport Combine\n", "// mutant: x\n--- a\nlet\n", ""])
    func whole(text: String) {
        #expect(AnswerEdit(text) == nil)
    }
}
