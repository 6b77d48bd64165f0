import Foundation
import Testing
import Workbook

@testable import Grading
@testable import Wire

@Suite("Only the harness's own lines are trusted")
struct RunListenerTests {
    static func listen(_ events: [RunEvent], output: [String] = [], asked: [String] = ["a", "b"]) -> RunReport {
        listen(to: lines(events), output: output, RunListener(asked: asked, key: key, marker: "m", outputLimit: 10))
    }

    static func listen(to lines: [Data], output: [String] = [], _ listener: RunListener) -> RunReport {
        var listener = listener
        for text in output { Array(text.utf8).withUnsafeBytes { _ = listener.receiveOutput($0) } }
        for line in lines {
            let decision = (line + [10]).withUnsafeBytes { listener.receiveEvents($0) }
            if decision == .stop { return listener.finish(.stopped, stop: nil) }
        }
        return listener.finish(.exited(0), stop: nil)
    }

    static let key = EventSeal.Key()

    /// The lines that the harness writes for these events.
    static func lines(_ events: [RunEvent]) -> [Data] {
        var seal = EventSeal(key)
        return events.compactMap { try? seal.line($0) }
    }

    static func line(_ kind: RunEvent.Kind, _ test: String? = nil) -> RunEvent { RunEvent(kind, test: test) }

    @Test("A complete run gives a complete report")
    func complete() {
        let report = Self.listen([
            Self.line(.opened), Self.line(.started, "a"), Self.line(.ended, "a"), Self.line(.started, "b"),
            Self.line(.ended, "b"),
            Self.line(.closed),
        ])
        #expect(report.isComplete)
        #expect(report.started == ["a", "b"])
    }

    @Test(
        "Events that cannot come there are treated as forged",
        arguments: [
            [line(.started, "c")], [line(.started, "a"), line(.started, "b")], [line(.ended, "a")],
            [line(.started, "a"), line(.ended, "a"), line(.started, "a")], [line(.closed), line(.opened)],
            [line(.opened), line(.opened)], [line(.issue)], [line(.opened), line(.tampered)],
            [line(.started, "a"), line(.issue, "c")],
        ])
    func forged(events: [RunEvent]) {
        let report = Self.listen(events)
        #expect(report.stop == .forgery)
        #expect(!report.isComplete)
    }

    @Test(
        "A line that is left out, changed, moved, written twice or sealed with another key shows, and where",
        arguments: [
            ([0, 1, 3, 4], 3), ([0, 1, 3, 2, 4], 3), ([0, 1, 1, 2, 3, 4], 3), ([1, 2, 3, 4], 1), ([0, 1, 2, 4], 4),
        ])
    func missingLines(order: [Int], place: Int) {
        let lines = Self.lines([
            Self.line(.opened), Self.line(.started, "a"), RunEvent(.issue, test: "a"), Self.line(.ended, "a"),
            Self.line(.closed),
        ])
        let listener = RunListener(asked: ["a"], key: Self.key, marker: "m", outputLimit: 10)
        let report = Self.listen(to: order.map { lines[$0] }, listener)
        #expect(report.stop == .forgery)
        #expect(report.forgedLine?.number == place)
        #expect(Self.listen(to: lines, listener).isComplete)
        let others = RunListener(asked: ["a"], key: EventSeal.Key(), marker: "m", outputLimit: 10)
        #expect(Self.listen(to: lines, others).forgedLine?.number == 1)
    }

    @Test("A line that gets another number, or other words under the same digest, is forged")
    func changedLines() {
        let lines = Self.lines([Self.line(.opened), Self.line(.started, "a"), RunEvent(.issue, test: "a")])
        let listener = RunListener(asked: ["a"], key: Self.key, marker: "m", outputLimit: 10)
        for (old, new) in [("3 ", "2 "), ("issue", "ended"), (#""a""#, #""b""#)] {
            let text = String(decoding: lines[2], as: UTF8.self)
            let changed = Data(text.replacing(old, with: new, maxReplacements: 1).utf8)
            #expect(changed != lines[2])
            #expect(Self.listen(to: [lines[0], lines[1], changed], listener).forgedLine?.number == 3)
        }
    }

    @Test("The digest is that of SipHash-2-4")
    func sipHash() {
        // The authors' example: the key 00 01 … 0f, and the texts of 0 and 8 bytes that begin like it.
        let key = try? JSONDecoder().decode(
            EventSeal.Key.self, from: Data(#"{"words":[506097522914230528,1084818905618843912]}"#.utf8))
        let words = key.map { [EventSeal.hash([], $0), EventSeal.hash([0x0706_0504_0302_0100], $0)] }
        #expect(words == [0x726f_db47_dd0e_0e31, 0x93f5_f579_9a93_2462])
    }

    @Test("Waiting code that is found between two tests is no forgery")
    func deadlockBetweenTests() {
        let between = Self.listen([
            Self.line(.opened), Self.line(.started, "a"), Self.line(.ended, "a"), Self.line(.deadlock),
        ])
        #expect(between.stop == .deadlock)
        #expect(Self.listen([Self.line(.opened), Self.line(.deadlock)]).stop == .deadlock)
    }

    @Test("A test that fails while its code computes without end is the last one of the run")
    func endless() {
        let started = Self.line(.started, "a")
        let issue = RunEvent(.issue, test: "a", texts: ["wrong"])
        let ended = RunEvent(.ended, test: "a", endless: true)
        let failed = Self.listen([Self.line(.opened), started, issue, ended, Self.line(.started, "b")])
        #expect(failed.stop == .endless && failed.firstEndless == "a")
        #expect(failed.started == ["a"])
        let rest = [Self.line(.started, "b"), Self.line(.ended, "b"), Self.line(.closed)]
        let passed = Self.listen([Self.line(.opened), started, ended] + rest)
        #expect(passed.isComplete && passed.firstEndless == "a")
        let waiting = Self.listen([Self.line(.opened), started, Self.line(.endless)])
        #expect(waiting.stop == .endless && waiting.current == "a")
        let result = waiting.result(ofCurrent: "a", Limits())
        #expect(result.outcome == .timedOut && result.isHang)
        #expect(result.messages == [LocalizableMessage(.stillRunning)])
    }

    // MARK: Tests that have to fail

    static let controls = ControlTests(words: (0..<8).map { "word\($0)" })

    /// The lines of a control test that fails as it should, or otherwise.
    static func control(_ test: String, issues: [RunEvent]? = nil) -> [RunEvent] {
        let suite = test.hasPrefix("word0") ? "word0" : "word4"
        let name = test.dropFirst(6).filter { $0 != "(" && $0 != ")" }
        let proper = [
            RunEvent(.issue, texts: ["\(name) is not \(suite)"]),
            RunEvent(
                .issue, texts: [],
                finding: #"{"key":"mismatch","arguments":["\#(suite)","\#(name)"]}"#),
        ]
        let told = (issues ?? proper).map { issue in
            var issue = issue
            issue.test = test
            return issue
        }
        return [line(.started, test)] + told + [line(.ended, test)]
    }

    static func listen(controlled events: [[RunEvent]], asked: [String] = ["a()", "b()"]) -> RunReport {
        listen(
            to: lines(events.flatMap { $0 }),
            RunListener(asked: asked, controls: controls, key: key, marker: "m", outputLimit: 10))
    }

    static func passed(_ test: String) -> [RunEvent] { [line(.started, test), line(.ended, test)] }

    @Test("A run is complete when its control tests have failed as they should")
    func controlled() {
        let names = Self.controls.testing
        let report = Self.listen(controlled: [
            Self.control(names[0]), Self.passed("a()"), Self.control(names[1]), Self.passed("b()"),
            Self.control(names[2]),
            [Self.line(.closed)],
        ])
        #expect(report.isComplete)
        #expect(report.started == ["a()", "b()"])
        #expect(report.unconfirmed.isEmpty)
    }

    @Test(
        "If a control test does not fail as it should, the run is not trusted",
        arguments: [
            [], [RunEvent(.issue, texts: ["x is not word0"])],
            [RunEvent(.issue, texts: ["word1 is not word0"]), RunEvent(.issue, texts: ["word1 word0"])],
        ])
    func passingControl(issues: [RunEvent]) {
        let names = Self.controls.testing
        let report = Self.listen(controlled: [Self.control(names[0], issues: issues), Self.passed("a()")])
        #expect(report.stop == .forgery)
    }

    @Test(
        "If a control test does not run, or runs twice, the run is not trusted",
        arguments: [[0, 1], [], [0, 1, 1], [0, 0]])
    func missingControl(which: [Int]) {
        let names = Self.controls.testing
        let report = Self.listen(
            controlled: which.map { Self.control(names[$0]) } + [Self.passed("a()"), [Self.line(.closed)]])
        #expect(report.stop == .forgery)
    }

    @Test("A passed test counts once a control test of its framework has failed after it")
    func unconfirmed() {
        let report = Self.listen(
            controlled: [
                Self.control(Self.controls.xctest[0]), Self.passed("x"), Self.control(Self.controls.testing[0]),
                Self.passed("a()"), [Self.line(.started, "b()")],
            ], asked: ["x", "a()", "b()"])
        #expect(report.stop == nil)
        #expect(report.unconfirmed == ["x", "a()"])
        let more = Self.listen(
            controlled: [
                Self.control(Self.controls.xctest[0]), Self.passed("x"), Self.control(Self.controls.xctest[1]),
                Self.control(Self.controls.testing[0]), Self.passed("a()"),
            ], asked: ["x", "a()", "b()"])
        #expect(more.unconfirmed == ["a()"])
    }

    @Test("An issue that names no test does not belong to the control test that is running")
    func unnamedIssue() {
        let names = Self.controls.testing
        var lines = Self.control(names[1])
        lines.insert(Self.line(.issue), at: 1)
        let report = Self.listen(controlled: [Self.control(names[0]), Self.passed("a()"), lines])
        #expect(report.stop == nil)
        #expect(report.tests["a()"]?.issues.count == 1)
    }

    @Test("Words in an object are replaced by words of the same length")
    func words() {
        let object = Array("-Controltestsuite-controltestfirst-Controltestsuite-".utf8)
        let controls = ControlTests()
        let named = controls.object(from: object, ControlTests.places(in: object))
        #expect(named.count == object.count)
        let parts = String(decoding: named, as: UTF8.self).split(separator: "-").map(String.init)
        #expect(parts[0] == parts[2])
        #expect("\(parts[0])/\(parts[1])()" == controls.testing[0])
        #expect(controls != ControlTests())
    }

    @Test("A limited number of a test's failures is kept, and the others are counted")
    func manyIssues() {
        let issue = RunEvent(.issue, test: "a", texts: ["x"], cut: 2)
        let report = Self.listen(
            [Self.line(.started, "a")] + Array(repeating: issue, count: 50) + [Self.line(.ended, "a")])
        let outcome = report.tests["a"].map(TestResult.init(ended:))
        #expect(outcome?.messages.count == 22)
        #expect(
            outcome?.messages.suffix(2) == [LocalizableMessage(.textCut, "40"), LocalizableMessage(.issuesCut, "30")])
    }

    @Test("Output belongs to the test that was running, and is cut at the limit")
    func output() {
        let mark = "\0m\0"
        let report = Self.listen(
            [Self.line(.started, "a"), Self.line(.ended, "a"), Self.line(.started, "b"), Self.line(.ended, "b")],
            output: ["before\(mark)of a\0 and\(mark)between\0", "m\0\(mark.dropLast())", "\0too long by far\(mark)"])
        #expect(report.tests["a"].map { String(decoding: $0.output, as: UTF8.self) } == "of a and")
        #expect(report.tests["b"].map { String(decoding: $0.output, as: UTF8.self) } == "")
        #expect(report.tests["b"]?.outputCut == 0)
    }

    @Test("The exit code that a shell uses for a signal is reported as the signal")
    func signal() {
        var listener = RunListener(asked: [], key: Self.key, marker: "", outputLimit: 0)
        #expect(listener.finish(.exited(134), stop: nil).ending == .signaled(6))
        #expect(listener.finish(.exited(3), stop: nil).ending == .exited(3))
    }
}
