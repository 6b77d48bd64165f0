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
        #expect(
            Set(kata.keys) == [
                "kata", "outcome", "points", "maxPoints", "seconds", "diagnostics", "themes", "tests",
            ])
        let tests = try #require(kata["tests"] as? [[String: Any]])
        #expect(tests.count == 4)
        for test in tests {
            #expect(
                Set(test.keys) == [
                    "id", "framework", "tier", "theme", "rule", "title", "outcome", "points", "maxPoints", "message",
                    "stillRunning", "output", "hint", "marbles", "race", "schedule", "scheduleRows", "waits", "orders",
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

    @Test("Has the lines of a data race, the order of steps, and who waits for what")
    func threads() throws {
        var verdict = Fixture.verdict(
            .failed, [.failed, .failed, .passed, .passed], messages: [LocalizableMessage(.dataRace)])
        verdict.tests[0].race = DataRace(lines: [.init(line: 44, does: .writes, code: "count += 1")])
        verdict.tests[0].schedule = Schedule(
            text: "A4>C", rows: [.init(thread: 0, line: 44, code: "count += 1", does: .writes)],
            waits: [.init(thread: 2, on: .lock)])
        let data = try JSONEncoder().encode(report(Fixture.localized(verdict)))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let kata = try #require((object["katas"] as? [[String: Any]])?.first)
        let tests = try #require(kata["tests"] as? [[String: Any]])
        let lines = (tests[0]["race"] as? [String: [[String: Any]]])?["lines"]
        #expect(lines?.first?["line"] as? Int == 44 && lines?.first?["does"] as? String == "writes")
        #expect(tests[0]["schedule"] as? String == "A4>C")
        let row = try #require((tests[0]["scheduleRows"] as? [[String: Any]])?.first)
        #expect(Set(row.keys) == ["thread", "line", "code", "does", "mistake", "afterGap"])
        let wait = try #require((tests[0]["waits"] as? [[String: Any]])?.first)
        #expect(wait["line"] is NSNull && wait["on"] as? String == "lock")
        #expect((tests[0]["message"] as? String)?.contains("\nline 44 writes: count += 1\n") == true)
        #expect(tests[1]["race"] is NSNull && tests[1]["schedule"] is NSNull)
    }

    @Test("A finding that is the same for all katas has a hint of its own, in the reader's language")
    func generalHints() throws {
        var verdict = Fixture.verdict(.failed, [.failed, .passed, .passed, .passed])
        for kind in ["dataRace", "deadlock"] {
            verdict.tests[0].kind = kind
            let hints = try Language.allCases.map { language in
                let strings = try ReportStrings(language)
                let localized = LocalizedVerdict(verdict, kata: Fixture.kata, texts: try Fixture.texts(language))
                return CheckReport([localized], seed: 1, strings: strings).katas[0].tests[0].hint ?? ""
            }
            #expect(Set(hints).count == Language.allCases.count && !hints.joined().contains("Hint 1 of first"))
        }
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
