import Foundation
import Testing
import Workbook

@Suite("The order in which threads ran")
struct ScheduleTests {
    @Test(
        "Its text is words that say who stops at which step, and who goes",
        arguments: ["", "A4>C", "A4>C C99>B", "AB12>C"])
    func text(text: String) {
        #expect(Schedule.isText(text))
    }

    @Test(
        "Any other text is none",
        arguments: [
            "A4", "a4>c", "A>C", "4>C", "A4>", "A4 > C", "A4>C,B2>A", "A4>C\n", String(repeating: "A4>C ", count: 99),
        ])
    func noText(text: String) {
        #expect(!Schedule.isText(text))
    }

    @Test("A thread is named by letters")
    func names() {
        #expect([0, 2, 25, 26, 27, 701, 702].map(Schedule.name) == ["A", "C", "Z", "AA", "AB", "ZZ", "702"])
    }

    @Test("Who takes the turn from whom is read from the text")
    func switches() {
        #expect(Schedule.switches(in: "A4>C C99>B", among: [0, 1, 2]) == [[0, 2], [1, 2]])
        #expect(Schedule.switches(in: "A4>C C99>B", among: [0, 2, 5]) == [[0, 2]])
    }

    @Test("A verdict that was stored without any reads as one that has none")
    func olderVerdict() throws {
        let stored = #"{"id":"T/a()","outcome":"failed","points":0,"statements":[],"output":"","outputCut":0}"#
        let verdict = try JSONDecoder().decode(TestVerdict.self, from: Data(stored.utf8))
        #expect(verdict.race == nil && verdict.schedule == nil)
    }

    @Test("A verdict keeps the lines and their code")
    func stored() throws {
        let verdict = TestVerdict(
            id: "T/a()", outcome: .failed, points: 0,
            race: DataRace(lines: [.init(line: 44, does: .writes, code: "count += 1")]),
            schedule: Schedule(
                text: "A4>C", rows: [.init(thread: 0, line: 44, code: "count += 1", does: .writes, mistake: true)],
                waits: [.init(thread: 2, on: .lock), .init(thread: 0, on: .task, line: 7, code: "await value")]))
        let data = try JSONEncoder().encode(verdict)
        #expect(try JSONDecoder().decode(TestVerdict.self, from: data) == verdict)
    }
}
