import Testing
import Workbook

@testable import Grading

@Suite("Only the harness's own lines are trusted")
struct RunListenerTests {
    static func listen(_ events: [String], output: [String] = [], asked: [String] = ["a", "b"]) -> RunReport {
        var listener = RunListener(asked: asked, secret: "s", marker: "m", outputLimit: 10)
        for text in output { Array(text.utf8).withUnsafeBytes { _ = listener.receiveOutput($0) } }
        for line in events {
            let decision = Array((line + "\n").utf8).withUnsafeBytes { listener.receiveEvents($0) }
            if decision == .stop { return listener.finish(.stopped, stop: nil) }
        }
        return listener.finish(.exited(0), stop: nil)
    }

    static func line(_ event: String, _ test: String? = nil) -> String {
        let name = test.map { #","test":"\#($0)""# } ?? ""
        return #"{"secret":"s","event":"\#(event)"\#(name)}"#
    }

    @Test("A complete run gives a complete report")
    func complete() {
        let report = Self.listen([
            Self.line("opened"), Self.line("started", "a"), Self.line("ended", "a"), Self.line("started", "b"),
            Self.line("ended", "b"),
            Self.line("closed"),
        ])
        #expect(report.isComplete)
        #expect(report.started == ["a", "b"])
    }

    @Test(
        "Any other line is treated as forged",
        arguments: [
            [#"{"secret":"x","event":"opened"}"#], [#"{"event":"opened"}"#], ["nothing"], [line("unheard of")],
            [line("started", "c")], [line("started", "a"), line("started", "b")], [line("ended", "a")],
            [line("started", "a"), line("ended", "a"), line("started", "a")], [line("closed"), line("opened")],
            [line("opened"), line("opened")], [line("issue")],
        ])
    func forged(lines: [String]) {
        let report = Self.listen(lines)
        #expect(report.stop == .forgery)
        #expect(!report.isComplete)
    }

    @Test("A test that fails while its code computes without end is the last one of the run")
    func endless() {
        let started = Self.line("started", "a")
        let issue = #"{"secret":"s","event":"issue","test":"a","texts":["wrong"]}"#
        let ended = #"{"secret":"s","event":"ended","test":"a","endless":true}"#
        let failed = Self.listen([Self.line("opened"), started, issue, ended, Self.line("started", "b")])
        #expect(failed.stop == .endless && failed.firstEndless == "a")
        #expect(failed.started == ["a"])
        let rest = [Self.line("started", "b"), Self.line("ended", "b"), Self.line("closed")]
        let passed = Self.listen([Self.line("opened"), started, ended] + rest)
        #expect(passed.isComplete && passed.firstEndless == "a")
        let waiting = Self.listen([Self.line("opened"), started, Self.line("endless")])
        #expect(waiting.stop == .endless && waiting.current == "a")
        let result = waiting.result(ofCurrent: "a", Limits())
        #expect(result.outcome == .timedOut && result.isHang)
        #expect(result.messages == [LocalizableMessage(.stillRunning)])
    }

    // MARK: Tests that have to fail

    static let controls = ControlTests(words: (0..<8).map { "word\($0)" })

    /// The lines of a control test that fails as it should, or otherwise.
    static func control(_ test: String, issues: [String]? = nil) -> [String] {
        let suite = test.hasPrefix("word0") ? "word0" : "word4"
        let name = test.dropFirst(6).filter { $0 != "(" && $0 != ")" }
        let proper = [
            #""texts":["\#(name) is not \#(suite)"]"#,
            #""texts":[],"finding":"{\"key\":\"mismatch\",\"arguments\":[\"\#(suite)\",\"\#(name)\"]}""#,
        ]
        let told = (issues ?? proper).map { #"{"secret":"s","event":"issue","test":"\#(test)",\#($0)}"# }
        return [line("started", test)] + told + [line("ended", test)]
    }

    static func listen(controlled events: [[String]], asked: [String] = ["a()", "b()"]) -> RunReport {
        var listener = RunListener(asked: asked, controls: controls, secret: "s", marker: "m", outputLimit: 10)
        for line in events.joined() {
            if Array((line + "\n").utf8).withUnsafeBytes({ listener.receiveEvents($0) }) == .stop { break }
        }
        return listener.finish(.exited(0), stop: nil)
    }

    static func passed(_ test: String) -> [String] { [line("started", test), line("ended", test)] }

    @Test("A run is complete when its control tests have failed as they should")
    func controlled() {
        let names = Self.controls.testing
        let report = Self.listen(controlled: [
            Self.control(names[0]), Self.passed("a()"), Self.control(names[1]), Self.passed("b()"),
            Self.control(names[2]),
            [Self.line("closed")],
        ])
        #expect(report.isComplete)
        #expect(report.started == ["a()", "b()"])
        #expect(report.unconfirmed.isEmpty)
    }

    @Test(
        "If a control test does not fail as it should, the run is not trusted",
        arguments: [
            [], [#""texts":["x is not word0"]"#], [#""texts":["word1 is not word0"]"#, #""texts":["word1 word0"]"#],
        ])
    func passingControl(issues: [String]) {
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
            controlled: which.map { Self.control(names[$0]) } + [Self.passed("a()"), [Self.line("closed")]])
        #expect(report.stop == .forgery)
    }

    @Test("A passed test counts once a control test of its framework has failed after it")
    func unconfirmed() {
        let report = Self.listen(
            controlled: [
                Self.control(Self.controls.xctest[0]), Self.passed("x"), Self.control(Self.controls.testing[0]),
                Self.passed("a()"), [Self.line("started", "b()")],
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
        lines.insert(Self.line("issue"), at: 1)
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
        let issue = #"{"secret":"s","event":"issue","test":"a","texts":["x"],"cut":2}"#
        let report = Self.listen(
            [Self.line("started", "a")] + Array(repeating: issue, count: 50) + [Self.line("ended", "a")])
        let outcome = report.tests["a"].map(TestResult.init(ended:))
        #expect(outcome?.messages.count == 22)
        #expect(
            outcome?.messages.suffix(2) == [LocalizableMessage(.textCut, "40"), LocalizableMessage(.issuesCut, "30")])
    }

    @Test("Output belongs to the test that was running, and is cut at the limit")
    func output() {
        let mark = "\0m\0"
        let report = Self.listen(
            [Self.line("started", "a"), Self.line("ended", "a"), Self.line("started", "b"), Self.line("ended", "b")],
            output: ["before\(mark)of a\0 and\(mark)between\0", "m\0\(mark.dropLast())", "\0too long by far\(mark)"])
        #expect(report.tests["a"].map { String(decoding: $0.output, as: UTF8.self) } == "of a and")
        #expect(report.tests["b"].map { String(decoding: $0.output, as: UTF8.self) } == "")
        #expect(report.tests["b"]?.outputCut == 0)
    }

    @Test("The exit code that a shell uses for a signal is reported as the signal")
    func signal() {
        var listener = RunListener(asked: [], secret: "", marker: "", outputLimit: 0)
        #expect(listener.finish(.exited(134), stop: nil).ending == .signaled(6))
        #expect(listener.finish(.exited(3), stop: nil).ending == .exited(3))
    }
}
