import Foundation
import Wire
import Workbook

/// Makes reports of what one `swift test` delivers: SwiftPM's own words, what the test processes print, and the events of
/// Swift Testing.
///
/// SwiftPM runs XCTest in one process and then Swift Testing in another, also when the first one crashes; so each has a
/// report of its own. XCTest has no events, so its text is read.
struct PortableListener {
    private var xctest: RunReport
    private var testing: RunReport
    private var hasTestingBegun = false
    /// When a test was last started or ended, or when the run began.
    private(set) var lastEvent = ContinuousClock.now
    /// When the first test process said something: what comes before is the build.
    private(set) var runBegan: ContinuousClock.Instant?
    /// What SwiftPM last said of the build.
    private(set) var buildProgress: BuildProgress?
    /// Tests that ran although they were not asked for.
    private(set) var surplus: [String] = []
    /// What SwiftPM printed: the compiler's messages, and how a test process ended.
    private(set) var words: [UInt8] = []

    private let outputLimit: Int
    private var pendingWords: [UInt8] = []
    private var pendingEvents: [UInt8] = []
    private var pendingOutput: [UInt8] = []
    /// Whether code seems to compute without end, as KataSupport says in the output.
    private var isEndless = false
    /// A failure whose text goes on in the next lines.
    private var openIssue: (test: String, lines: [String])?
    /// The tests of Swift Testing that have an event, in order, and what was printed while each ran.
    private var testingStarts: [String] = []
    private var testingOutput: [TestOutput] = []
    /// The lines of each test's issues.
    private var told: [String: Set<Substring>] = [:]
    private var xctestOutput: [String: TestOutput] = [:]
    private var owner = Owner.none

    private enum Owner { case none, xctest(String), testing }

    init(_ tests: [KataTest], outputLimit: Int) {
        xctest = RunReport(asked: tests.filter { $0.framework == .xctest }.map(\.id))
        testing = RunReport(asked: tests.filter { $0.framework == .testing }.map(\.id))
        self.outputLimit = outputLimit
    }

    /// Whether a test has failed whose code computes without end: nothing else is to run in that process.
    var isOver: Bool { (hasTestingBegun ? testing : xctest).stop == .endless }

    /// Whether silence is that of a test, and not of SwiftPM between two processes.
    var isTestRunning: Bool { (hasTestingBegun ? testing : xctest).current != nil }

    // MARK: SwiftPM's words

    mutating func receiveWords(_ bytes: some Sequence<UInt8>) {
        guard words.count < 1 << 22 else { return }
        words += bytes
        guard runBegan == nil else { return }
        pendingWords += bytes
        while let end = pendingWords.firstIndex(where: { $0 == 10 || $0 == 13 }) {
            let line = String(decoding: pendingWords[..<end], as: UTF8.self)
            pendingWords.removeFirst(end + 1)
            buildProgress = BuildProgress(line) ?? buildProgress
        }
    }

    // MARK: Events

    mutating func receiveEvents(_ bytes: some Sequence<UInt8>) {
        noteBeginning()
        hasTestingBegun = true
        pendingEvents += bytes
        while let end = pendingEvents.firstIndex(of: 10) {
            // SwiftPM takes a moment to end the process, and what runs in it until then counts for nothing.
            if isOver { return }
            let line = Data(pendingEvents[..<end])
            pendingEvents.removeFirst(end + 1)
            switch TestingEvent(json: line) {
            case .started(let test):
                testingStarts.append(test)
                lastEvent = .now
                if !testing.start(test) { surplus.append(test) }
            case .ended(let test):
                lastEvent = .now
                testing.end(test, skipped: false)
                if isEndless { testing.noteEndless() }
            case .skipped(let test):
                lastEvent = .now
                if let test = test ?? testing.started.last { testing.end(test, skipped: true) }
            case .issue(let test, let texts):
                // An issue that comes after its test has ended, or that names none, is the last test's.
                if let test = test ?? testing.started.last {
                    testing.add(texts, to: test)
                    told[test, default: []].formUnion(texts.flatMap { $0.split(separator: "\n") })
                }
            case .runStarted, .other: break
            }
        }
    }

    private mutating func noteBeginning() {
        if runBegan == nil { (runBegan, lastEvent) = (.now, .now) }
    }

    // MARK: What the test processes print

    mutating func receiveOutput(_ bytes: some Sequence<UInt8>) {
        noteBeginning()
        pendingOutput += bytes
        var start = 0
        while let end = pendingOutput[start...].firstIndex(of: 10) {
            takeLine(pendingOutput[start...end])
            start = end + 1
        }
        pendingOutput.removeFirst(start)
        // A line without an end is no line of a framework's.
        if pendingOutput.count > 1 << 16 { flush() }
    }

    private mutating func flush() {
        if !pendingOutput.isEmpty { keep(pendingOutput[...]) }
        pendingOutput = []
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        switch owner {
        case .none: break
        case .xctest(let test):
            let limit = outputLimit
            xctestOutput[test, default: TestOutput(limit: limit)].add(bytes)
        case .testing: testingOutput[testingOutput.count - 1].add(bytes)
        }
    }

    private static let xctestMarks = ["Test Case '", ": error: ", "Test Suite '", "\t Executed ", ": Test skipped"].map
    {
        Array($0.utf8)
    }

    /// A line with its end.
    private mutating func takeLine(_ line: ArraySlice<UInt8>) {
        if isOver { return }
        if let (said, place) = Said.first(in: line) {
            keep(line[..<place])
            return take(said)
        }
        guard
            openIssue != nil || line.first.map({ $0 >= 0x80 }) == true
                || Self.xctestMarks.contains(where: { line.range(of: $0) != nil })
        else { return keep(line) }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        let xctestLine = XCTestLine(text)
        if openIssue != nil {
            if xctestLine == .other { return continueIssue(text) }
            closeIssue()
        }
        switch xctestLine {
        case .started(let test):
            keepBeginning(of: line)
            lastEvent = .now
            if !xctest.start(test) { surplus.append(test) }
            owner = .xctest(test)
        case .ended(let test, let skipped):
            keepBeginning(of: line)
            lastEvent = .now
            xctest.end(test, skipped: skipped)
            if isEndless { xctest.noteEndless() }
            owner = .none
        case .issue(let test, let text):
            openIssue = (test, [text])
            if !Self.goesOn(text) { closeIssue() }
        case .frame: break
        case .other: takeTestingLine(text, line)
        }
    }

    /// Takes in what KataSupport says in the output.
    private mutating func take(_ said: Said) {
        switch said {
        case .endless: isEndless = true
        case .paused: isEndless = false
        case .deadlock: if isInTesting { testing.stop = .deadlock } else { xctest.stop = .deadlock }
        case .endlessWait: if isInTesting { testing.stop = .endless } else { xctest.stop = .endless }
        }
    }

    private var isInTesting: Bool { if case .testing = owner { true } else { false } }

    /// What a test has printed without a line's end stands before XCTest's own words.
    private mutating func keepBeginning(of line: ArraySlice<UInt8>) {
        let mark = Self.xctestMarks[0]
        if let range = line.range(of: mark), range.lowerBound > line.startIndex { keep(line[..<range.lowerBound]) }
    }

    private mutating func takeTestingLine(_ text: String, _ line: ArraySlice<UInt8>) {
        switch TestingLine(text) {
        case .started:
            testingOutput.append(TestOutput(limit: outputLimit))
            owner = .testing
        case .ended: owner = .none
        case .frame:
            // What XCTest's process printed last is not to be mixed with what the next one prints.
            if text.hasSuffix("Test run started.") { (owner, isEndless) = (.none, false) }
        case .other: keep(line)
        }
    }

    /// XCTest puts an error's description in quotation marks, and a description may have many lines.
    private static func goesOn(_ text: String) -> Bool {
        guard let quote = text.range(of: #"error ""#) ?? text.range(of: #"error: ""#) else { return false }
        return !text[quote.upperBound...].hasSuffix(#"""#)
    }

    private mutating func continueIssue(_ text: String) {
        openIssue?.lines.append(text)
        if text.hasSuffix(#"""#) || openIssue?.lines.count ?? 0 > 200 { closeIssue() }
    }

    private mutating func closeIssue() {
        if let openIssue { xctest.add([openIssue.lines.joined(separator: "\n")], to: openIssue.test) }
        openIssue = nil
    }

    // MARK: The end

    /// What was seen of each test process, once SwiftPM has ended.
    ///
    /// - Parameter stop: why SwiftPM was stopped, where it was.
    mutating func finish(_ ending: ChildProcess.Ending, stop: RunReport.Stop?) -> [RunReport] {
        flush()
        closeIssue()
        for (test, output) in xctestOutput { xctest.attach(output, to: test, told: []) }
        for (test, output) in zip(testingStarts, testingOutput) {
            testing.attach(output, to: test, told: told[test] ?? [])
        }
        let signals = Signals(String(decoding: words, as: UTF8.self))
        let wasStopped = ending == .stopped
        let hadXCTest = !xctest.asked.isEmpty
        let wasInTesting = hasTestingBegun || !hadXCTest
        xctest.end(ending, signal: signals.xctest, stop: wasStopped && !wasInTesting ? stop : nil)
        testing.end(ending, signal: signals.testing, stop: wasStopped ? stop : nil)
        // What was not begun when SwiftPM was stopped is still to be run.
        let hadTesting = !testing.asked.isEmpty && (wasInTesting || !wasStopped)
        return (hadXCTest ? [xctest] : []) + (hadTesting ? [testing] : [])
    }
}

/// What KataSupport says in the output, where nothing but text leaves the process.
private enum Said: String, CaseIterable {
    /// It ends the process: no task of it can go on.
    case deadlock = "No task of this process can go on: "
    /// It ends the process: a test waits for code that computes without end.
    case endlessWait = "A test of this process cannot go on: "
    case endless = "Code of this process computes without end."
    case paused = "Code of this process computed for long, and has paused."

    /// What a line ends with, and where that begins.
    static func first(in line: ArraySlice<UInt8>) -> (Said, Int)? {
        guard line.range(of: Array(" of this process c".utf8)) != nil else { return nil }
        return allCases.lazy.compactMap { said in
            line.range(of: Array(said.rawValue.utf8)).map { (said, $0.lowerBound) }
        }.first
    }
}

/// The signals that ended test processes, as SwiftPM tells them at the end.
private struct Signals {
    private(set) var xctest: Int32?
    private(set) var testing: Int32?

    init(_ words: String) {
        for line in words.split(whereSeparator: \.isNewline) {
            guard let signal = line.firstMatch(of: /unexpected signal code (\d+)/).flatMap({ Int32($0.1) }) else {
                continue
            }
            // The command is in the line.
            if line.contains("--testing-library swift-testing") { testing = signal } else { xctest = signal }
        }
    }
}

extension RunReport {
    /// - Returns: whether the test was asked for.
    fileprivate mutating func start(_ test: String) -> Bool {
        guard asked.contains(test) else { return false }
        guard tests[test]?.ended != true else { return true }
        tests[test, default: Observed()].ended = false
        if !started.contains(test) { started.append(test) }
        return true
    }

    fileprivate mutating func end(_ test: String, skipped: Bool) {
        guard asked.contains(test) else { return }
        // A test that is skipped has not been started.
        if !started.contains(test) { started.append(test) }
        tests[test, default: Observed()].ended = true
        if skipped { tests[test]?.skipped = true }
    }

    fileprivate mutating func add(_ texts: [String], to test: String) {
        guard asked.contains(test) else { return }
        tests[test, default: Observed()].issues.append(Issue(findingIn: texts))
    }

    /// Takes in what was printed while a test ran.
    ///
    /// - Parameter told: the lines of its issues, which Swift Testing prints as well.
    fileprivate mutating func attach(_ output: TestOutput, to test: String, told: Set<Substring>) {
        guard var observed = tests[test] else { return }
        var wasFinding = false
        let lines = output.bytes.split(separator: 10, omittingEmptySubsequences: false).filter { line in
            let text = String(decoding: line, as: UTF8.self)
            // A finding is the last line of a text that ends with a line's end of its own.
            let isTold = text.isEmpty ? wasFinding : told.contains(Substring(text))
            wasFinding = text.hasPrefix("finding: {")
            return !(isTold || wasFinding)
        }
        observed.output = Array(lines.joined(separator: [10]))
        observed.outputCut = output.cut
        tests[test] = observed
    }

    /// Takes in how one of SwiftPM's test processes ended.
    fileprivate mutating func end(_ ending: ChildProcess.Ending, signal: Int32?, stop: Stop?) {
        self.stop = self.stop ?? stop
        if let signal {
            self.ending = .signaled(signal)
        } else {
            // SwiftPM's own code says no more than whether all was well.
            self.ending = self.stop == nil ? .exited(1) : ending
            endedWithUnknownCode = true
        }
        if self.stop != .endless, asked.allSatisfy({ tests[$0]?.ended == true }) {
            // However the process ended, which says whether a test failed: all that was asked for was done.
            (closed, self.stop, self.ending) = (true, nil, .exited(0))
        }
    }
}

extension ArraySlice<UInt8> {
    /// Where the bytes stand. Learners may print millions of lines, and each of them is searched.
    fileprivate func range(of bytes: [UInt8]) -> Range<Int>? {
        guard let first = bytes.first else { return nil }
        let offset: Int? = withUnsafeBytes { line in
            var offset = 0
            while let start = line.baseAddress, line.count - offset >= bytes.count,
                let found = memchr(start + offset, Int32(first), line.count - offset - bytes.count + 1)
            {
                if memcmp(found, bytes, bytes.count) == 0 { return UnsafeRawPointer(found) - start }
                offset = UnsafeRawPointer(found) - start + 1
            }
            return nil
        }
        return offset.map { startIndex + $0..<startIndex + $0 + bytes.count }
    }
}
