import Foundation
import Reports
import Testing
import Workbook

@Suite("The object of check --json")
struct CheckReportTests {
    private func report(_ localized: LocalizedVerdict) throws -> CheckReport {
        CheckReport([localized], seed: 123, strings: try ReportStrings(.english))
    }

    @Test("Has every documented key, also without a value")
    func keys() throws {
        let localized = try Fixture.localized(Fixture.verdict(.failed, [.failed, .notRun, .passed, .passed]))
        let data = try JSONEncoder().encode(report(localized))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(Set(object.keys) == ["schema", "language", "seed", "katas"])
        let kata = try #require((object["katas"] as? [[String: Any]])?.first)
        #expect(Set(kata.keys) == ["kata", "outcome", "points", "maxPoints", "seconds", "diagnostics", "tests"])
        let tests = try #require(kata["tests"] as? [[String: Any]])
        #expect(tests.count == 4)
        for test in tests {
            #expect(
                Set(test.keys) == [
                    "id", "framework", "tier", "title", "outcome", "points", "maxPoints", "message", "stillRunning",
                    "output", "hint", "marbles",
                ])
        }
        #expect(tests[2]["message"] is NSNull)
    }

    @Test("Has the input of a test if it is known, and no key for it otherwise")
    func input() throws {
        var verdict = Fixture.verdict(.failed, [.failed, .failed, .passed, .passed])
        let event = Marbles.Event(milliseconds: 5, label: "a1")
        verdict.tests[0].marbles = Marbles(input: [event], expected: [event], actual: [])
        verdict.tests[1].marbles = Marbles(expected: [event], actual: [])
        let data = try JSONEncoder().encode(report(Fixture.localized(verdict)))
        #expect(try JSONDecoder().decode(CheckReport.self, from: data).katas[0].tests[0].marbles?.input == [event])
        let text = try #require(String(bytes: data, encoding: .utf8))
        #expect(text.split(separator: #""input""#).count == 2)
    }

    @Test("One mistake gives one hint: the failure that explains another one has it")
    func hints() throws {
        let localized = try Fixture.localized(Fixture.verdict(.failed, [.failed, .failed, .failed, .notRun]))
        let tests = try report(localized).katas[0].tests
        #expect(tests.map(\.hint) == ["Hint 1 of first", nil, "Hint 1 of cancels", nil])
    }

    @Test("The hint is the last one that the learner has opened")
    func hintLevels() throws {
        let localized = try Fixture.localized(
            Fixture.verdict(.failed, [.failed, .failed, .passed, .passed]), hintsShown: ["T/first()": 3])
        #expect(try report(localized).katas[0].tests[0].hint == "Hint 3 of first")
    }

    @Test("A test that is not in the verdict did not run")
    func unknown() throws {
        let localized = try Fixture.localized(Fixture.verdict(.failed, []))
        #expect(try report(localized).katas[0].tests.map(\.outcome) == [.notRun, .notRun, .notRun, .notRun])
    }

    @Test("Says messages and diagnostics in the reader's language")
    func language() throws {
        let verdict = Fixture.verdict(
            .failed, [.failed, .passed, .passed, .passed], messages: [LocalizableMessage(.mismatch, "3", "nil")],
            diagnostics: [
                Diagnostic(
                    severity: .error, file: "F.swift", line: 3, column: 5, message: LocalizableMessage(.fileNotText))
            ])
        let korean = CheckReport([try Fixture.localized(verdict)], seed: 1, strings: try ReportStrings(.korean))
        #expect(korean.katas[0].tests[0].message == "기댓값은 `3`인데, 실제 값은 `nil`입니다.")
        #expect(korean.katas[0].diagnostics[0].message.contains("UTF-8"))
        #expect(korean.katas[0].diagnostics[0].line == 3)
    }
}
