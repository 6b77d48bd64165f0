import Testing
import Workbook

@testable import Grading

@Suite("That a machine has no room for a process")
struct ShortageTests {
    @Test(
        "is known by the system's words at the end of the only line",
        arguments: [
            ("Resource temporarily unavailable", true),
            ("bwrap: Creating new namespace failed: Resource temporarily unavailable\n", true),
            ("/bin/sh: 1: Cannot fork", false), ("", false),
            // What a learner has written is shown with its line.
            ("A.swift:1:1: warning: Resource temporarily unavailable\n1 | #warning(\"Resource\")\n", false),
            ("one\nbwrap: Resource temporarily unavailable", false),
        ])
    func words(text: String, isShortage: Bool) {
        #expect(Shortage.isTold(in: text) == isShortage)
        #expect(GradingError(.programFailed, "/bin/sh", text).isShortage == isShortage)
    }

    @Test("is not every error of the grader's")
    func others() {
        #expect(!GradingError(.folderNotWritable, "/", "Resource temporarily unavailable").isShortage)
        #expect(!GradingStop.rejected(Rejection(LocalizableMessage(.fileNotText))).isShortage)
    }
}
