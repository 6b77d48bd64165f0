import Foundation
import Grading
import TerminalDriver
import TestSupport
import Testing
import Workbook

@testable import grader

@Suite("How far a class is")
struct GradeProgressTests {
    private func names(_ count: Int) -> [String] { (0..<count).map { "learner \($0)" } }

    private func done(_ name: String) -> ClassGrading.Event {
        .done(LearnerRecord(learner: name, sources: [name]))
    }

    @Test("The time left is estimated from what this run graded, not from what was graded before")
    func timeLeft() {
        var state = GradeProgressState()
        // Preparing took a minute.
        state.take(.found(names(10)), at: 60)
        #expect(state.secondsLeft(at: 61) == nil)
        for _ in 0..<4 {
            state.take(.decided(isNew: false), at: 60)
            state.take(done("early"), at: 60)
        }
        #expect(state.secondsLeft(at: 61) == nil)
        state.take(.decided(isNew: true), at: 64)
        state.take(.decided(isNew: true), at: 64)
        state.take(done("new"), at: 64)
        #expect(state.perMinute(at: 64) == 30)
        #expect(state.secondsLeft(at: 64) == 20)
    }

    @Test("The time left never grows, and is unknown if it runs out before the class is graded")
    func timeLeftFalls() {
        var state = GradeProgressState()
        state.take(.found(names(4)), at: 0)
        state.take(.decided(isNew: true), at: 2)
        state.take(done("quick"), at: 2)
        #expect(state.secondsLeft(at: 2) == 6)
        // All others take longer.
        #expect(state.secondsLeft(at: 5) == 3)
        state.take(done("slow"), at: 7)
        #expect(state.secondsLeft(at: 7) == 1)
        #expect(state.secondsLeft(at: 9) == nil)
        state.take(done("slower"), at: 12)
        #expect(state.secondsLeft(at: 12) == 4)
        state.take(done("last"), at: 13)
        #expect(state.secondsLeft(at: 13) == 0)
    }

    @Test(
        "A line is never wider than its columns, and has a bar if there is room for one",
        arguments: [0, 1, 12, 24, 40, 79])
    func line(columns: Int) {
        var state = GradeProgressState()
        state.take(.found(names(2)), at: 0)
        state.take(done("one"), at: 1)
        for text in ["1/2 learners, 3 left", "학습자 1/2명, 남은 시간 3초"] {
            let line = state.line(text, columns: columns)
            #expect(CellWidth.of(line) == columns)
            #expect(line.contains("[") == (columns >= CellWidth.of(text) + 8))
            #expect(line.filter { $0 == "#" }.count <= line.filter { $0 == "." }.count)
        }
    }
}

@Suite("A class on a terminal", .grades)
struct GradeTerminalTests {
    @Test("shows its progress, keeps its verdicts when Ctrl-C stops it, and continues from there")
    func interrupted() throws {
        let scratch = try ScratchFolder()
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        for number in 1...3 { try small.add("learner \(number)", "// \(number)\n" + SmallWorkbook.answer) }
        try small.add("slow", SmallWorkbook.sleeping)
        let arguments =
            [
                "grade", scratch("class").path, "--report", scratch("report").path, "--jobs", "2", "--no-cache",
            ] + Program.sandboxOption
        func terminal(columns: Int) throws -> PseudoTerminal {
            try PseudoTerminal(
                Program.executable, arguments, environment: Program.environment(), folder: workbook.folder,
                columns: columns, rows: 24)
        }
        let first = try terminal(columns: 100)
        try first.wait(for: "3/4 learners")
        #expect(first.screen.lines[0].hasPrefix("[######################........] 3/4 learners, "))
        #expect(first.screen.text.contains("submissions a minute"))
        first.resize(columns: 30, rows: 24)
        // A bar for the wider window may still come first, broken over several lines.
        try first.wait(for: "the line that has no bar") { $0.lines.contains { $0.hasPrefix("3/4 learners, ") } }
        first.type("\u{3}")
        #expect(try first.exitCode() == 3)
        // The bar fits the narrower window: the message is right below it.
        let bar = try #require(first.screen.lines.lastIndex { $0.hasPrefix("3/4 learners, ") })
        #expect(first.screen.lines[bar + 1].hasPrefix("Interrupted. The results"))
        let journal = scratch("report/.journal/decisions")
        let kept = try Data(contentsOf: journal).count { $0 == UInt8(ascii: "\n") }
        #expect(kept == 3)

        try small.add("slow", SmallWorkbook.passing)
        let second = try terminal(columns: 30)
        #expect(try second.exitCode() == 0)
        #expect(second.screen.lines[0].hasPrefix("4/4 learners, "))
        #expect(second.screen.lines[1].hasPrefix("Learners: 4, Handed in: 4,"))
        #expect(second.screen.text.contains("The report was written"))
        #expect(try Data(contentsOf: journal).count { $0 == UInt8(ascii: "\n") } == 4)
    }
}
