import Foundation
import Testing
import Workbook

@testable import Grading
@testable import Wire

@Suite("Of many steps, those are drawn that a person needs")
struct ScheduleRowsTests {
    /// Steps as `0:44` for thread 0 on line 44; `!` marks the mistake.
    private static func steps(_ text: String, does: Deed = .writes) -> [Schedule.Row] {
        text.split(separator: " ").map { word in
            let parts = word.prefix { $0 != "!" }.split(separator: ":").compactMap { Int($0) }
            return Schedule.Row(
                thread: parts[0], line: parts[1], code: "line \(parts[1])", does: does, mistake: word.hasSuffix("!"))
        }
    }

    /// Rows in the same words, `…` where something is left out.
    private static func words(_ rows: [Schedule.Row]) -> String {
        rows.map { "\($0.afterGap ? "… " : "")\($0.thread):\($0.line)\($0.mistake ? "!" : "")" }.joined(separator: " ")
    }

    private func chosen(_ steps: String, _ text: String = "", race: [Int] = []) -> String {
        Self.words(ScheduleRows.chosen(of: Self.steps(steps), text: text, race: race))
    }

    @Test("A short story is told whole")
    func short() {
        #expect(chosen("0:44 2:62 2:66 2:67 0:45 0:46!", "A4>C") == "0:44 2:62 2:66 2:67 0:45 0:46!")
        #expect(chosen("") == "")
        #expect(chosen("3:1") == "3:1")
    }

    @Test("A thread that stays on its line is one row")
    func stays() {
        #expect(chosen("0:44 0:44 2:44 2:44 0:45 0:45!") == "0:44 2:44 0:45!")
    }

    @Test("Of what it does there, the last step counts that has an effect, and the mistake before all")
    func deeds() {
        var steps = Self.steps("0:1 0:1 0:1 0:1")
        for (place, deed) in [Deed.locks, .writes, .reads, .unlocks].enumerated() { steps[place].does = deed }
        #expect(ScheduleRows.chosen(of: steps, text: "").map(\.does) == [.writes])
        steps[3].mistake = true
        #expect(ScheduleRows.chosen(of: steps, text: "").map(\.does) == [.unlocks])
    }

    @Test("Steps of other threads are left out: the schedule's text says who matters")
    func others() {
        #expect(chosen("0:1 4:9 2:5 4:9 0:2!") == "0:1 4:9 0:2!")
        #expect(chosen("0:1 4:9 2:5 4:9 0:2!", "A4>C") == "0:1 2:5 0:2!")
        #expect(chosen("0:1 4:9 2:5 4:9", "A4>C") == "0:1 2:5")
        #expect(chosen("0:1 4:9 2:5 4:8!", "A4>C") == "0:1 4:9 2:5 4:8!")
    }

    @Test("In a data race, those two are told that met at its lines")
    func race() {
        #expect(chosen("0:1 2:5 4:9 0:2!", race: [2, 5]) == "0:1 2:5 0:2!")
        #expect(chosen("0:1 2:5 4:9 0:5!", race: [5, 5]) == "0:1 2:5 0:5!")
    }

    @Test("A data race ends where they meet: one makes its access while the other stands before its own")
    func meeting() {
        #expect(chosen("0:1 0:7 2:5 2:8 2:9 0:7 0:2!", race: [7, 8]) == "0:1 0:7 2:5 2:8!")
        #expect(chosen("0:7 2:5 2:7 0:7 0:2!", race: [7, 7]) == "0:7 2:5 2:7!")
        // A thread that has gone on from its line stands there no more.
        #expect(chosen("0:7 0:3 2:8 2:9 0:4 0:7 2:8 0:2!", race: [7, 8]) == "0:7 0:3 2:8 2:9 0:4 0:7 2:8!")
    }

    @Test("Without the line where they meet, it is told to its end")
    func noMeeting() {
        #expect(chosen("0:1 2:5 0:2!", race: [70, 80]) == "0:1 2:5 0:2!")
    }

    @Test("What comes after the mistake is left out")
    func afterTheMistake() {
        #expect(chosen("0:1 2:5! 0:2 0:3") == "0:1 2:5!")
    }

    @Test("Of a long story, the rows around the switches and before the end are told")
    func long() {
        let first = (1...20).map { "0:\($0)" }.joined(separator: " ")
        let second = (30...50).map { "2:\($0)" }.joined(separator: " ")
        #expect(
            chosen("\(first) \(second) 0:21 0:22!", "A4>C")
                == "… 0:18 0:19 0:20 2:30 2:31 2:32 … 2:48 2:49 2:50 0:21 0:22!")
    }

    @Test("No story has more than twelve rows, and its end is among them")
    func most() {
        let story = (1...40).map { "\($0 % 2 * 2):\($0)" }.joined(separator: " ")
        let rows = ScheduleRows.chosen(of: Self.steps(story + " 0:99!"), text: "")
        #expect(rows.count == ScheduleRows.most)
        #expect(rows.last?.line == 99)
        #expect(rows.first?.afterGap == true && rows.filter(\.afterGap).count == 1)
    }

    @Test("Step by step, only what is said twice is left out")
    func whole() {
        let steps = Self.steps("0:1 0:1 4:9 0:1 2:5", does: .reads) + Self.steps("2:5!")
        #expect(Self.words(ScheduleRows.withoutRepetitions(steps)) == "0:1 4:9 0:1 2:5 2:5!")
    }
}

@Suite("What a suite says of an order of steps")
struct FoundScheduleTests {
    private static let json = """
        {"text": "A4>C C99>B", "race": [{"at": [16, 32], "does": "writes"}, {"at": [48], "does": "reads"}],
         "steps": [{"thread": 0, "at": [16], "does": "locks"}, {"thread": 2, "at": [99], "does": "calls"},
                   {"thread": 2, "at": [64, 48], "does": "reads", "mistake": true}],
         "waits": [{"thread": 2, "at": [48], "on": "lock"}, {"thread": 0, "at": [], "on": "task"}]}
        """

    private static let source = SourceLines(
        [16: [0, 1], 32: [2], 48: [3], 64: [400], 99: []], of: SourceFile(bytes: Array("one\n  two \n\tthree\n\n".utf8))
    )

    @Test("Its places become lines of the learner's file, with their code")
    func lines() throws {
        let found = try #require(FoundSchedule(json: Self.json))
        #expect(found.offsets == [16, 32, 48, 64, 99])
        #expect(
            found.race(in: Self.source)
                == DataRace(lines: [
                    .init(line: 1, does: .writes, code: "one"), .init(line: 3, does: .reads, code: "three"),
                ]))
        #expect(
            found.schedule(in: Self.source, isWhole: false)
                == Schedule(
                    text: "A4>C C99>B",
                    rows: [
                        .init(thread: 0, line: 1, code: "one", does: .locks),
                        .init(thread: 2, line: 3, code: "three", does: .reads, mistake: true),
                    ],
                    waits: [
                        .init(thread: 2, on: .lock, line: 3, code: "three"), .init(thread: 0, on: .task),
                    ]))
    }

    @Test("Without lines it is still told")
    func noLines() throws {
        let found = try #require(FoundSchedule(json: Self.json))
        let nothing = SourceLines([:], of: SourceFile(bytes: []))
        #expect(found.race(in: nothing) == DataRace(lines: []))
        #expect(found.schedule(in: nothing, isWhole: true).rows == [])
        #expect(found.schedule(in: nothing, isWhole: true).waits?.map(\.on) == [.lock, .task])
    }

    @Test("What is left out is empty, and of what is too long the end is read")
    func odd() throws {
        #expect(FoundSchedule(json: "{}") == FoundSchedule())
        #expect(FoundSchedule(json: #"{"text":"$(rm -r)"}"#)?.text == "")
        #expect(FoundSchedule(json: "[]") == nil)
        let step = #"{"thread":0,"at":[7],"does":"reads"}"#
        let steps = [String](repeating: step, count: 500) + [step.replacingOccurrences(of: "7", with: "8")]
        let found = FoundSchedule(json: "{\"steps\":[\(steps.joined(separator: ","))]}")
        #expect(found?.steps.count == 400)
        #expect(found?.steps.last?.at == [8])
    }

    @Test("It comes with a finding, or by itself when the process crashes")
    func issues() throws {
        let finding = #"{"key":"dataRace","arguments":[],"kind":"dataRace","schedule":\#(Self.json)}"#
        let issue = RunReport.Issue(texts: [], finding: finding)
        #expect(issue.message == LocalizableMessage(.dataRace))
        #expect(issue.kind == "dataRace")
        #expect(issue.schedule?.text == "A4>C C99>B")
        let report = RunListenerTests.listen([
            RunListenerTests.line(.opened), RunListenerTests.line(.started, "a"),
            RunEvent(.schedule, test: "a", finding: Self.json),
        ])
        #expect(report.stop == nil)
        #expect(report.result(ofCurrent: "a", Limits()).found?.steps.count == 3)
    }

    @Test("The lines of a submission are those of its file, and of no other")
    func symbolizer() {
        let answer = """
            [{"Address":"0x10","ModuleName":"lines.so","Symbol":[{"Column":0,"FileName":"/kata/K.swift","Line":0},
             {"Column":4,"FileName":"/kata/K.swift","Line":12},{"Column":4,"FileName":"/kata/KTests.swift","Line":3}]},
             {"Address":"0x20","Error":{"Message":"no"}}]
            """
        #expect(Symbolizer.lines(in: answer, file: "K.swift") == [16: [12], 32: []])
        #expect(Symbolizer.lines(in: "Segmentation fault", file: "K.swift") == [:])
    }

    @Test func theLineOfAnAccessIsTheNextOneOfItsFunction() {
        func place(_ offset: Int, _ function: String, _ line: Int) -> String {
            """
            {"Address":"0x\(String(offset, radix: 16))",
             "Symbol":[{"FileName":"/kata/K.swift","FunctionName":"\(function)","Line":\(line)}]}
            """
        }
        let places = [
            place(16, "f", 0), place(20, "f", 0), place(24, "f", 7), place(28, "f", 8), place(90, "g", 0),
            place(94, "h", 9),
        ]
        let lines = Symbolizer.lines(in: "[\(places.joined(separator: ","))]", accesses: [16, 90], file: "K.swift")
        #expect(lines[16] == [7])
        #expect(lines[90] == [])
    }
}
