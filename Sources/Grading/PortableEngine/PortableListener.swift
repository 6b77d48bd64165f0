import Foundation
import Workbook

/// Makes a report of what one `swift test` delivers: SwiftPM's own words, what the test processes print, and the events of
/// Swift Testing.
///
/// SwiftPM runs XCTest in one process and then Swift Testing in another. XCTest has no events, so its text is read.
struct PortableListener {
    private(set) var report: RunReport
    /// When a test was last started or ended, or when the run began.
    private(set) var lastEvent = ContinuousClock.now
    /// When the first test process said something: what comes before is the build.
    private(set) var runBegan: ContinuousClock.Instant?
    /// Tests that ran although nobody knows them.
    private(set) var surplus: [String] = []
    /// What SwiftPM printed: the compiler's messages, and how a test process ended.
    private(set) var words: [UInt8] = []

    private let xctests: Set<String>
    private let outputLimit: Int
    private let onBuildProgress: (BuildProgress) -> Void
    private var pendingWords: [UInt8] = []
    private var pendingEvents: [UInt8] = []
    private var pendingOutput: [UInt8] = []
    /// A failure whose text goes on in the next lines.
    private var openIssue: (test: String, lines: [String])?
    /// The tests of Swift Testing that have an event, in order, and what was printed while each ran.
    private var testingStarts: [String] = []
    private var testingOutput: [Output] = []
    private var xctestOutput: [String: Output] = [:]
    private var owner = Owner.nobody

    private enum Owner { case nobody, xctest(String), testing }

    private struct Output {
        var bytes: [UInt8] = []
        var cut = 0
        /// The last of what was printed, where it was cut: a run that the runtime ends says why at the very end.
        var tail: [UInt8] = []

        mutating func add(_ new: ArraySlice<UInt8>, limit: Int) {
            let room = max(0, limit - bytes.count)
            bytes += new.prefix(room)
            guard new.count > room else { return }
            cut += new.count - room
            tail = Array((tail + new).suffix(2048))
        }
    }

    init(_ tests: [KataTest], outputLimit: Int, onBuildProgress: @escaping (BuildProgress) -> Void = { _ in }) {
        report = RunReport(asked: tests.map(\.id))
        xctests = Set(tests.filter { $0.framework == .xctest }.map(\.id))
        self.outputLimit = outputLimit
        self.onBuildProgress = onBuildProgress
    }

    // MARK: SwiftPM's words

    mutating func receiveWords(_ bytes: some Sequence<UInt8>) {
        guard words.count < 1 << 22 else { return }
        words += bytes
        guard runBegan == nil else { return }
        pendingWords += bytes
        while let end = pendingWords.firstIndex(where: { $0 == 10 || $0 == 13 }) {
            let line = String(decoding: pendingWords[..<end], as: UTF8.self)
            pendingWords.removeFirst(end + 1)
            if let progress = BuildProgress(line) { onBuildProgress(progress) }
        }
    }

    // MARK: Events

    mutating func receiveEvents(_ bytes: some Sequence<UInt8>) {
        noteBeginning()
        pendingEvents += bytes
        while let end = pendingEvents.firstIndex(of: 10) {
            let line = Data(pendingEvents[..<end])
            pendingEvents.removeFirst(end + 1)
            switch TestingEvent(line: line) {
            case .started(let test):
                testingStarts.append(test)
                start(test)
            case .ended(let test): self.end(test, skipped: false)
            case .skipped(let test):
                if let test = test ?? report.started.last { self.end(test, skipped: true) }
            case .issue(let test, let texts):
                // An issue that comes after its test has ended, or that names none, is the last test's.
                if let test = test ?? report.started.last { add(texts, to: test) }
            case .runStarted, .other: break
            }
        }
    }

    private mutating func noteBeginning() {
        if runBegan == nil { (runBegan, lastEvent) = (.now, .now) }
    }

    private mutating func start(_ test: String) {
        lastEvent = .now
        guard report.asked.contains(test) else { return surplus.append(test) }
        guard report.tests[test]?.ended != true else { return }
        report.tests[test, default: RunReport.Observed()].ended = false
        if !report.started.contains(test) { report.started.append(test) }
    }

    private mutating func end(_ test: String, skipped: Bool) {
        lastEvent = .now
        guard report.asked.contains(test) else { return }
        // A test that is skipped has not been started.
        if !report.started.contains(test) { report.started.append(test) }
        report.tests[test, default: RunReport.Observed()].ended = true
        if skipped { report.tests[test]?.skipped = true }
    }

    private mutating func add(_ texts: [String], to test: String) {
        guard report.asked.contains(test) else { return }
        report.tests[test, default: RunReport.Observed()].issues.append(
            RunReport.Issue(texts: texts, finding: Self.finding(in: texts)))
    }

    /// The JSON of a suite's finding, where the texts have one.
    private static func finding(in texts: [String]) -> String? {
        for line in texts.lazy.flatMap({ $0.split(whereSeparator: \.isNewline) }) {
            if let range = line.range(of: "finding: {") { return String(line[line.index(before: range.upperBound)...]) }
        }
        return nil
    }

    // MARK: What the test processes print

    mutating func receiveOutput(_ bytes: some Sequence<UInt8>) -> ChildProcess.Decision {
        noteBeginning()
        pendingOutput += bytes
        var start = 0
        var decision = ChildProcess.Decision.proceed
        while let end = pendingOutput[start...].firstIndex(of: 10) {
            if takeLine(pendingOutput[start...end]) == .stop { decision = .stop }
            start = end + 1
        }
        pendingOutput.removeFirst(start)
        // A line without an end is no line of a framework's.
        if pendingOutput.count > 1 << 16 { flush() }
        return decision
    }

    private mutating func flush() {
        if !pendingOutput.isEmpty { keep(pendingOutput[...]) }
        pendingOutput = []
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        switch owner {
        case .nobody: break
        case .xctest(let test): xctestOutput[test, default: Output()].add(bytes, limit: outputLimit)
        case .testing: testingOutput[testingOutput.count - 1].add(bytes, limit: outputLimit)
        }
    }

    private static let xctestMarks = ["Test Case '", ": error: ", "Test Suite '", "\t Executed ", ": Test skipped"].map
    {
        Array($0.utf8)
    }

    /// A line with its end.
    private mutating func takeLine(_ line: ArraySlice<UInt8>) -> ChildProcess.Decision {
        guard
            openIssue != nil || line.first.map({ $0 >= 0x80 }) == true
                || Self.xctestMarks.contains(where: { line.range(of: $0) != nil })
        else {
            keep(line)
            return .proceed
        }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        let xctestLine = XCTestLine(text)
        if openIssue != nil {
            if xctestLine == .other {
                continueIssue(text)
                return .proceed
            }
            closeIssue()
        }
        switch xctestLine {
        case .started(let test):
            keepBeginning(of: line)
            start(test)
            owner = .xctest(test)
        case .ended(let test, let skipped):
            keepBeginning(of: line)
            end(test, skipped: skipped)
            owner = .nobody
        case .issue(let test, let text):
            openIssue = (test, [text])
            if !Self.goesOn(text) { closeIssue() }
        case .frame: break
        case .other: return takeTestingLine(text, line)
        }
        return .proceed
    }

    /// What a test has printed without a line's end stands before XCTest's own words.
    private mutating func keepBeginning(of line: ArraySlice<UInt8>) {
        let mark = Self.xctestMarks[0]
        if let range = line.range(of: mark), range.lowerBound > line.startIndex { keep(line[..<range.lowerBound]) }
    }

    private mutating func takeTestingLine(_ text: String, _ line: ArraySlice<UInt8>) -> ChildProcess.Decision {
        switch TestingLine(text) {
        case .started:
            testingOutput.append(Output())
            owner = .testing
        case .ended: owner = .nobody
        case .frame:
            // XCTest's process has ended before its time; SwiftPM goes on with Swift Testing all the same.
            if text.hasSuffix("Test run started."), report.current != nil { return .stop }
        case .other: keep(line)
        }
        return .proceed
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
        if let openIssue { add([openIssue.lines.joined(separator: "\n")], to: openIssue.test) }
        openIssue = nil
    }

    // MARK: The end

    /// What was seen, once SwiftPM has ended.
    mutating func finish(_ ending: ChildProcess.Ending, stop: RunReport.Stop?) -> RunReport {
        flush()
        closeIssue()
        for (test, output) in xctestOutput { attach(output, to: test) }
        for (test, output) in zip(testingStarts, testingOutput) { attach(output, to: test) }
        let words = String(decoding: self.words, as: UTF8.self)
        if let signal = words.matches(of: /unexpected signal code (\d+)/).last.flatMap({ Int32($0.1) }) {
            report.ending = .signaled(signal)
        } else {
            report.ending = ending
            report.endedWithUnknownCode = true
        }
        report.stop = stop
        if report.asked.allSatisfy({ report.tests[$0]?.ended == true }) {
            // However SwiftPM ends, which says whether a test failed: all that was asked for was done.
            (report.closed, report.stop, report.ending) = (true, nil, .exited(0))
        } else if let current = report.current, report.tests[current].map({ Self.isDeadlock($0.output) }) == true {
            report.stop = .deadlock
        }
        return report
    }

    private mutating func attach(_ output: Output, to test: String) {
        guard var observed = report.tests[test] else { return }
        // Swift Testing prints each issue as well.
        let told = Set(observed.issues.flatMap(\.texts).flatMap { $0.split(separator: "\n") })
        let lines = output.bytes.split(separator: 10, omittingEmptySubsequences: false).filter { line in
            let text = String(decoding: line, as: UTF8.self)
            return text.isEmpty || !(told.contains(Substring(text)) || text.hasPrefix("finding: {"))
        }
        observed.output = Array(lines.joined(separator: [10]))
        observed.outputCut = output.cut
        if !observed.ended, output.cut > 0 { observed.output += output.tail }
        report.tests[test] = observed
    }

    /// KataSupport ends the process where no task of it can go on, with this sentence.
    private static func isDeadlock(_ output: [UInt8]) -> Bool {
        output[...].range(of: Array("No task of this process can go on:".utf8)) != nil
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
