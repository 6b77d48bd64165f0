import Foundation
import Testing
import Workbook

@testable import Grading

/// What XCTest prints on each platform, read as one report. The transcript of macOS follows XCTest's documentation; it
/// was not printed by a Mac.
@Suite("The portable engine reads what test processes print")
struct TranscriptTests {
    private static let finding =
        #"finding: {"arguments":["[1, 2]","[2, 1]"],"key":"mismatch","kind":"reordered"}"#

    private static let tests = ["testPasses", "testThrows", "testIsNotEqual", "testIsSkipped"].map {
        KataTest(id: "TallyXCTests/\($0)", framework: .xctest, tier: .core, points: 1, hint: "tally")
    }

    private static let linux = """
        Test Suite 'All tests' started at 2026-01-01 12:00:00.000
        Test Suite 'TallyXCTests' started at 2026-01-01 12:00:00.000
        Test Case 'TallyXCTests.testPasses' started at 2026-01-01 12:00:00.000
        I count to 3
        Test Case 'TallyXCTests.testPasses' passed (0.001 seconds)
        Test Case 'TallyXCTests.testThrows' started at 2026-01-01 12:00:00.001
        <EXPR>:0: error: TallyXCTests.testThrows : threw error "Expected [1, 2], but found [2, 1].
        \(finding)
        "
        Test Case 'TallyXCTests.testThrows' failed (0.001 seconds)
        Test Case 'TallyXCTests.testIsNotEqual' started at 2026-01-01 12:00:00.002
        /kata/TallyXCTests.swift:9: error: TallyXCTests.testIsNotEqual : XCTAssertEqual failed: ("1") is not equal to ("2") - 
        Test Case 'TallyXCTests.testIsNotEqual' failed (0.001 seconds)
        Test Case 'TallyXCTests.testIsSkipped' started at 2026-01-01 12:00:00.003
        /kata/TallyXCTests.swift:12: TallyXCTests.testIsSkipped : Test skipped: later
        Test Case 'TallyXCTests.testIsSkipped' skipped (0.001 seconds)
        Test Suite 'TallyXCTests' failed at 2026-01-01 12:00:00.004
        \t Executed 4 tests, with 2 failures (1 unexpected) in 0.004 (0.004) seconds

        """

    private static let macOS = """
        Test Suite 'Selected tests' started at 2026-01-01 12:00:00.000.
        Test Suite 'TallyXCTests' started at 2026-01-01 12:00:00.000.
        Test Case '-[TallyTests.TallyXCTests testPasses]' started.
        I count to 3
        Test Case '-[TallyTests.TallyXCTests testPasses]' passed (0.001 seconds).
        Test Case '-[TallyTests.TallyXCTests testThrows]' started.
        <unknown>:0: error: -[TallyTests.TallyXCTests testThrows] : failed: caught error: "Expected [1, 2], but found [2, 1].
        \(finding)
        "
        Test Case '-[TallyTests.TallyXCTests testThrows]' failed (0.001 seconds).
        Test Case '-[TallyTests.TallyXCTests testIsNotEqual]' started.
        /kata/TallyXCTests.swift:9: error: -[TallyTests.TallyXCTests testIsNotEqual] : XCTAssertEqual failed: ("1") is not equal to ("2") - 
        Test Case '-[TallyTests.TallyXCTests testIsNotEqual]' failed (0.001 seconds).
        Test Case '-[TallyTests.TallyXCTests testIsSkipped]' started.
        /kata/TallyXCTests.swift:12: -[TallyTests.TallyXCTests testIsSkipped] : Test skipped: later
        Test Case '-[TallyTests.TallyXCTests testIsSkipped]' skipped (0.001 seconds).
        Test Suite 'TallyXCTests' failed at 2026-01-01 12:00:00.004.
        \t Executed 4 tests, with 2 failures (1 unexpected) in 0.004 (0.004) seconds

        """

    @Test("The text of both platforms gives the same report", arguments: [linux, macOS])
    func report(transcript: String) throws {
        var listener = PortableListener(Self.tests, outputLimit: 1 << 14)
        // In pieces, as a pipe delivers it.
        for start in stride(from: 0, to: transcript.utf8.count, by: 100) {
            listener.receiveOutput(transcript.utf8.dropFirst(start).prefix(100))
        }
        let reports = listener.finish(.exited(1), stop: nil)
        let report = try #require(reports.first)
        #expect(reports.count == 1)
        #expect(report.started == Self.tests.map(\.id))
        #expect(report.isComplete)
        let results = Self.tests.map { test in report.tests[test.id].map(TestResult.init(ended:)) }
        #expect(results.map { $0?.outcome } == [.passed, .failed, .failed, .notRun])
        #expect(results[0]?.output == Array("I count to 3\n".utf8))
        #expect(results[1]?.kind == "reordered")
        #expect(results[1]?.messages == [LocalizableMessage(.mismatch, "[1, 2]", "[2, 1]")])
        #expect(
            results[2]?.messages
                == [LocalizableMessage(.verbatim, #"XCTAssertEqual failed: ("1") is not equal to ("2") - "#)])
    }

    @Test("An asynchronous test is recognised by its selector on macOS")
    func selectors() {
        let line = "Test Case '-[TallyTests.TallyXCTests testWaitsWithCompletionHandler:]' started."
        #expect(XCTestLine(line) == .started("TallyXCTests/testWaits"))
    }

    private static let adds = KataTest(
        id: "TallyTests/adds()", framework: .testing, tier: .core, points: 1, hint: "adds")

    /// An event of Swift Testing's, as a line.
    private static func event(_ kind: String, _ more: String = "") -> [UInt8] {
        let payload = #"{"kind":"\#(kind)","testID":"TallyTests.TallyTests/adds()/TallyTests.swift:8:2"\#(more)}"#
        return Array(#"{"kind":"event","payload":\#(payload),"version":0}"#.utf8 + [10])
    }

    private static let crash = """
        Test Case 'TallyXCTests.testPasses' started at 2026-01-01 12:00:00.000
        Tally/Tally.swift:3: Fatal error: Index out of range

        """

    @Test("If XCTest's process ends early, the running test is the cause, and Swift Testing's tests are not affected")
    func crashOfXCTest() {
        var listener = PortableListener(Self.tests + [Self.adds], outputLimit: 1 << 14)
        listener.receiveOutput(Self.crash.utf8)
        #expect(listener.isTestRunning)
        listener.receiveOutput("◇ Test run started.\n◇ Test adds() started.\n".utf8)
        listener.receiveEvents(Self.event("testStarted") + Self.event("testEnded"))
        #expect(!listener.isTestRunning)
        listener.receiveWords("error: Process 'Tally.xctest' exited with unexpected signal code 4\n".utf8)
        let reports = listener.finish(.exited(1), stop: nil)
        #expect(reports.map(\.asked) == [Self.tests.map(\.id), [Self.adds.id]])
        #expect(reports.first?.current == "TallyXCTests/testPasses")
        let result = reports.first?.result(ofCurrent: "TallyXCTests/testPasses", Limits())
        #expect(result?.outcome == .crashed)
        #expect(result?.messages == [LocalizableMessage(.fatalError, "Index out of range (Tally/Tally.swift:3)")])
        #expect(reports.last?.isComplete == true)
    }

    @Test("The signal that ended a process is reported for each process")
    func signals() {
        var listener = PortableListener(Self.tests + [Self.adds], outputLimit: 1 << 14)
        listener.receiveOutput("Test Case 'TallyXCTests.testPasses' started at 2026-01-01 12:00:00.000\n".utf8)
        listener.receiveEvents(Self.event("testStarted"))
        let words = """
            error: Process 'Tally.xctest' exited with unexpected signal code 4
            error: Process 'Tally.xctest --testing-library swift-testing' exited with unexpected signal code 6

            """
        listener.receiveWords(words.utf8)
        #expect(listener.finish(.exited(1), stop: nil).map(\.ending) == [.signaled(4), .signaled(6)])
    }

    @Test("A test that fails while its code computes without end is the last one of the run")
    func endless() throws {
        let started = "Test Case 'TallyXCTests.testPasses' started at 2026-01-01 12:00:00.000\n"
        let endless = "I count without endCode of this process computes without end.\n"
        let paused = "Code of this process computed for long, and has paused.\n"
        let wrong = "/kata/TallyXCTests.swift:9: error: TallyXCTests.testPasses : XCTAssertTrue failed - \n"
        let ended = "Test Case 'TallyXCTests.testPasses' failed (0.001 seconds)\n"
        func listen(_ text: String) -> (report: RunReport?, isOver: Bool) {
            var listener = PortableListener(Self.tests + [Self.adds], outputLimit: 1 << 14)
            listener.receiveOutput(text.utf8)
            let isOver = listener.isOver
            return (listener.finish(isOver ? .stopped : .exited(1), stop: isOver ? .testLimit : nil).first, isOver)
        }
        let next = "Test Case 'TallyXCTests.testThrows' started at 2026-01-01 12:00:00.001\n"
        let hung = listen(started + endless + wrong + ended + next)
        #expect(hung.report?.current == nil)
        #expect(hung.isOver && hung.report?.stop == .endless)
        #expect(hung.report?.firstEndless == "TallyXCTests/testPasses")
        // What KataSupport says is not the learner's output.
        #expect(hung.report?.tests["TallyXCTests/testPasses"]?.output == Array("I count without end".utf8))
        #expect(!listen(started + endless + paused + wrong + ended).isOver)
        let waiting = listen(started + "A test of this process cannot go on: it waits.\n")
        #expect(waiting.report?.stop == .endless)
        #expect(waiting.report?.current == "TallyXCTests/testPasses")
        let asleep = listen(started + "No task of this process can go on: each waits.\n")
        #expect(asleep.report?.stop == .deadlock)
    }

    @Test("If SwiftPM is stopped in XCTest's process, Swift Testing's tests are still to be run")
    func hangOfXCTest() {
        var listener = PortableListener(Self.tests + [Self.adds], outputLimit: 1 << 14)
        listener.receiveOutput("Test Case 'TallyXCTests.testPasses' started at 2026-01-01 12:00:00.000\n".utf8)
        let reports = listener.finish(.stopped, stop: .testLimit)
        #expect(reports.map(\.asked) == [Self.tests.map(\.id)])
        #expect(reports.map(\.stop) == [.testLimit])
    }

    @Test("If SwiftPM is stopped in Swift Testing's process, XCTest's process has ended by itself")
    func hangOfSwiftTesting() {
        var listener = PortableListener(Self.tests + [Self.adds], outputLimit: 1 << 14)
        listener.receiveOutput(Self.crash.utf8)
        listener.receiveEvents(Self.event("testStarted"))
        listener.receiveWords("error: Process 'Tally.xctest' exited with unexpected signal code 4\n".utf8)
        let reports = listener.finish(.stopped, stop: .testLimit)
        #expect(reports.map(\.stop) == [nil, .testLimit])
        #expect(reports.map(\.ending) == [.signaled(4), .stopped])
    }

    @Test("A test that ends its process has not passed")
    func exit() {
        var listener = PortableListener(Self.tests, outputLimit: 1 << 14)
        listener.receiveOutput("Test Case 'TallyXCTests.testPasses' started at 2026-01-01\n".utf8)
        let report = listener.finish(.exited(0), stop: nil).first
        let result = report?.result(ofCurrent: "TallyXCTests/testPasses", Limits())
        #expect(result?.outcome == .crashed)
        #expect(result?.messages == [LocalizableMessage(.endedProcess)])
    }

    @Test("What was printed while a test of Swift Testing ran belongs to that test")
    func testingOutput() {
        var listener = PortableListener([Self.adds], outputLimit: 1 << 14)
        let output = """
            ◇ Test run started.
            ◇ Test adds() started.
            I add
            ✘ Test adds() recorded an issue at TallyTests.swift:9:5: Caught error: Expected 1, but found 2.
            \(Self.finding)

            ✘ Test adds() failed after 0.001 seconds with 1 issue.
            ◇ Suite TallyTests started.

            """
        listener.receiveOutput(output.utf8)
        let text = #"[{"symbol":"fail","text":"Caught error: Expected 1, but found 2.\n"#
        let issue = Self.finding.replacing("\"", with: "\\\"")
        listener.receiveEvents(
            Self.event("testStarted")
                + Self.event("issueRecorded", #","issue":{"isKnown":false},"messages":\#(text)\#(issue)"}]"#)
                + Self.event("testEnded"))
        let report = listener.finish(.exited(1), stop: nil).first
        let result = report?.tests[Self.adds.id].map(TestResult.init(ended:))
        #expect(result?.outcome == .failed)
        #expect(result?.kind == "reordered")
        #expect(result.map { String(decoding: $0.output, as: UTF8.self) } == "I add\n")
    }

    @Test("The steps of a build are counted")
    func progress() {
        #expect(BuildProgress("[12/34] Compiling Combine Just.swift")?.done == 12)
        #expect(BuildProgress("[12/34] Compiling Combine Just.swift")?.steps == 34)
        #expect(BuildProgress("Build complete! (1.16s)") == nil)
        #expect(BuildProgress("[0/0] Nothing") == nil)
    }

    @Test("The bar of a build moves with the steps and with the time, and never back")
    func share() {
        let quarter = BuildShare(value: 0.25)
        #expect(BuildShare().grown(BuildProgress("[1/4] Compiling"), seconds: 0) == quarter)
        #expect(quarter.grown(BuildProgress("[2/9] Compiling"), seconds: 0) == nil)
        #expect(quarter.grown(BuildProgress("[2/9] Compiling"), seconds: 15) == BuildShare(value: 0.5))
        #expect(quarter.grown(BuildProgress("[9/9] Linking"), seconds: 15).map { $0.value < 1 } == true)
    }
}

/// What SwiftPM does before a test runs would use up a suite's time, once for each test that crashes.
@Suite("A suite's time is the time of its tests")
struct SuiteTimeTests {
    private static let start = ContinuousClock.now

    private static func time() -> SuiteTime { SuiteTime(start: start, end: start + .seconds(10)) }

    @Test("There is no deadline before a test process prints something")
    func notBegun() {
        var time = Self.time()
        time.note(began: nil, heldUp: .seconds(3))
        #expect(time.delay == nil)
    }

    @Test("The deadline is later by the time that SwiftPM took to begin")
    func begun() {
        var time = Self.time()
        time.note(began: nil, heldUp: .seconds(1))
        time.note(began: Self.start + .seconds(4), heldUp: .seconds(1))
        #expect(time.delay == .seconds(4))
    }

    @Test("And by the time that the tests waited for a processor; what SwiftPM waited is counted once")
    func heldUp() {
        var time = Self.time()
        time.note(began: nil, heldUp: .seconds(1))
        time.note(began: Self.start + .seconds(4), heldUp: .seconds(3))
        #expect(time.delay == .seconds(6))
    }
}
