import Testing
import Workbook

@testable import Grading

@Suite("Only the harness's own lines are believed")
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

    @Test("A whole run is a complete report")
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
        "Anything else is forgery",
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

    @Test("What is printed belongs to the test that was running, cut at the limit")
    func output() {
        let mark = "\0m\0"
        let report = Self.listen(
            [Self.line("started", "a"), Self.line("ended", "a"), Self.line("started", "b"), Self.line("ended", "b")],
            output: ["before\(mark)of a\0 and\(mark)between\0", "m\0\(mark.dropLast())", "\0too long by far\(mark)"])
        #expect(report.tests["a"].map { String(decoding: $0.output, as: UTF8.self) } == "of a and")
        #expect(report.tests["b"].map { String(decoding: $0.output, as: UTF8.self) } == "")
        #expect(report.tests["b"]?.outputCut == 0)
    }

    @Test("The exit code of a signal is the signal")
    func signal() {
        var listener = RunListener(asked: [], secret: "", marker: "", outputLimit: 0)
        #expect(listener.finish(.exited(134), stop: nil).ending == .signaled(6))
        #expect(listener.finish(.exited(3), stop: nil).ending == .exited(3))
    }
}
