import Foundation
import Testing

@testable import KataSupport

/// These tests take over no tasks, so they need no process of their own.
@Suite struct ProcessRecordTests {
    private static let events = """
        {"kind":"test","payload":{"id":"M.S/a()/S.swift:1:2"},"version":0}
        {"kind":"event","payload":{"kind":"testStarted","testID":"M.S"},"version":0}
        {"kind":"event","payload":{"kind":"testStarted","testID":"M.S/a()/S.swift:1:2"},"version":0}
        {"kind":"event","payload":{"kind":"testEnded","testID":"M.S/a()/S.swift:1:2"},"version":0}
        {"kind":"event","payload":{"kind":"testStarted","testID":"M.S/b()/S.swift:2:2"},"version":0}
        {"kind":"event","payload":{"kind":"issueRecorded","testID":"M.S/b()/S.swift:2:2","issue":{"isKnown":true},\
        "messages":[{"text":"known"}]},"version":0}
        {"kind":"event","payload":{"kind":"issueRecorded","testID":"M.S/b()/S.swift:2:2","issue":{"isKnown":false,\
        "sourceLocation":{"fileID":"M/S.swift","_filePath":"/S.swift","line":7,"column":9}},\
        "messages":[{"text":"Expectation failed"},{"text":"why"}]},"version":0}
        {"kind":"event","payload":{"kind":"testEnded","testID":"M.S/b()/S.swift:2:2"},"version":0}
        {"kind":"event","payload":{"kind":"testStarted","testID":"M.S/c()/S.swift:3:2"},"version":0}

        """

    private func texts(_ test: String, _ ending: ProcessRecord.Ending, of events: String = events) -> [String] {
        ProcessRecord(
            module: "M", events: Data(events.utf8), ending: ending,
            output: "earlier\n◇ Test c() started.\nFatal error: oh\n"
        )
        .issues(of: test).map(\.text)
    }

    @Test func whatPassedThereHasNoIssue() {
        #expect(texts("M.S/a()/S.swift:1:2", .signal(6)) == [])
    }

    @Test func whatFailedThereFailsWithTheSameWordsInTheSamePlace() throws {
        let issues = ProcessRecord(module: "M", events: Data(Self.events.utf8), ending: .signal(6), output: "")
            .issues(of: "M.S/b()/S.swift:2:2")
        #expect(issues.map(\.text) == ["Expectation failed\nwhy"])
        #expect(try #require(issues.first?.location).line == 7)
    }

    @Test func whatEndedTheProcessIsSaidWithTheSignalAndTheLastOutput() {
        #expect(
            texts("M.S/c()/S.swift:3:2", .signal(6)) == [
                """
                This test did not come to its end: the process of M was ended by signal 6 while this test ran. \
                It printed:
                Fatal error: oh
                """
            ])
    }

    @Test func whatWasNotReachedSaysWhichTestWasInTheWay() {
        let said = texts("M.S/d()/S.swift:4:2", .stopped(seconds: 300))
        #expect(
            said.first?.contains("stopped because it took longer than 300 s while M.S/c()/S.swift:3:2 ran") == true)
    }

    @Test func aProcessThatDidNotStartFailsEveryTest() {
        let said = texts("M.S/a()/S.swift:1:2", .notStarted("no such file"), of: "")
        #expect(said.first?.contains("the process of M did not start (no such file)") == true)
    }

    @Test func aCrashAfterTheLastTestFailsThemAll() {
        let passed = Self.events.split(separator: "\n").prefix(4).joined(separator: "\n")
        #expect(texts("M.S/a()/S.swift:1:2", .exit(0), of: passed) == [])
        #expect(texts("M.S/a()/S.swift:1:2", .signal(11), of: passed).count == 1)
        #expect(texts("M.S/a()/S.swift:1:2", .exit(1), of: passed).count == 1)
    }

    @Test func anIssueOfNoTestAndALineThatIsNoEventFailThemAll() {
        let stray = """
            {"kind":"event","payload":{"kind":"issueRecorded","issue":{"isKnown":false},"messages":[{"text":"stray"}]}}

            """
        #expect(texts("M.S/a()/S.swift:1:2", .signal(6), of: Self.events + stray) == ["stray"])
        #expect(texts("M.S/a()/S.swift:1:2", .signal(6), of: Self.events + "{\"kin") == ["This is no event: {\"kin"])
    }
}
