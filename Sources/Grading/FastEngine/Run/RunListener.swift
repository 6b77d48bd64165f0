import Foundation
import Glibc
import Wire

/// Makes a report of what a run's two pipes deliver. Believes no line but those that the harness has sealed.
struct RunListener {
    private(set) var report: RunReport
    /// When the run last said something.
    private(set) var lastEvent = ContinuousClock.now
    private var seal: EventSeal
    private let marker: [UInt8]
    private let outputLimit: Int
    private let controls: ControlTests?
    /// The control tests that have failed as they should, and the issues of the one that runs.
    private var failedControls: [String] = []
    private var control: (test: String, issues: [RunReport.Issue])?
    /// All tests in the order in which they were started, control tests included.
    private var order: [String] = []
    private var pendingEvents: [UInt8] = []
    /// How many lines have come.
    private var lines = 0
    /// What was printed, cut at every marker: before, during the first test, between, during the second …
    private var segments: [TestOutput]
    private var pendingOutput: [UInt8] = []

    /// No line of the harness's is longer.
    private static let longestLine = 1 << 18
    private static let mostIssues = 20
    private static let mostIssueBytes = 32 << 10

    /// - Parameter controls: the tests that have to fail; `nil` where the run has none.
    init(asked: [String], controls: ControlTests? = nil, key: EventSeal.Key, marker: String, outputLimit: Int) {
        report = RunReport(asked: asked)
        self.controls = controls
        seal = EventSeal(key)
        self.marker = Array("\0\(marker)\0".utf8)
        self.outputLimit = outputLimit
        segments = [TestOutput(limit: outputLimit)]
    }

    mutating func receiveEvents(_ bytes: UnsafeRawBufferPointer) -> ChildProcess.Decision {
        lastEvent = .now
        var searched = pendingEvents.count
        pendingEvents += bytes
        while let end = pendingEvents[searched...].firstIndex(of: 10) {
            // What runs next to endless code does not get the processor time that it needs.
            if report.stop == .endless { return .stop }
            let line = Data(pendingEvents[..<end])
            pendingEvents.removeFirst(end + 1)
            searched = 0
            lines += 1
            guard let event = seal.event(in: line), !report.closed, take(event) else { return stopForForgery(line) }
        }
        guard pendingEvents.count < Self.longestLine else { return stopForForgery(Data(pendingEvents)) }
        return report.stop == .endless ? .stop : .proceed
    }

    private mutating func stopForForgery(_ line: Data) -> ChildProcess.Decision {
        report.stop = .forgery
        report.forgedLine = RunReport.ForgedLine(number: lines, text: String(decoding: line.prefix(200), as: UTF8.self))
        return .stop
    }

    /// Whether the event makes sense where it comes.
    private mutating func take(_ event: RunEvent) -> Bool {
        switch event.kind {
        case .tampered:
            return false
        case .opened:
            guard !report.opened else { return false }
            report.opened = true
        case .closed:
            report.closed = true
            return failedControls.count == (controls?.count(for: report.asked) ?? 0)
        // A test may come to its end in the moment in which its code is found to wait or to compute without one.
        case .deadlock:
            report.stop = .deadlock
        case .endless:
            report.stop = .endless
        case .schedule:
            guard let test = report.current else { return control != nil }
            report.tests[test]?.schedule = event.finding
        case .broken:
            report.broken = event.texts ?? []
        case .started:
            guard let test = event.test, report.current == nil, control == nil else { return false }
            order.append(test)
            if controls?.contains(test) == true {
                control = (test, [])
                return !failedControls.contains(test)
            }
            guard report.asked.contains(test), report.tests[test] == nil else { return false }
            report.tests[test] = RunReport.Observed()
            report.started.append(test)
        case .ended:
            if let control, event.test == control.test { return take(control.test, control.issues) }
            guard let test = event.test, report.current == test else { return false }
            report.tests[test]?.ended = true
            report.tests[test]?.expectations = event.expectations ?? 0
            report.tests[test]?.orders = event.orders ?? 0
            if event.endless == true { report.noteEndless() }
            if let controls, report.tests[test]?.issues.isEmpty == true, controls.count(for: report.asked) > 0 {
                report.unconfirmed.insert(test)
            }
        case .skipped:
            guard let test = event.test ?? report.started.last else { return true }
            guard report.asked.contains(test) else { return false }
            report.tests[test, default: RunReport.Observed()].skipped = true
        case .issue:
            let issue = RunReport.Issue(texts: event.texts ?? [], finding: event.finding, cut: event.cut ?? 0)
            if let test = event.test, controls?.contains(test) == true {
                guard control?.test == test else { return false }
                control?.issues.append(issue)
                return true
            }
            // An issue that comes after its test has ended, or that names none, is the last test's.
            guard let test = event.test ?? report.started.last else { return control != nil }
            guard report.asked.contains(test) else { return false }
            let observed = report.tests[test, default: RunReport.Observed()]
            if observed.issues.count < Self.mostIssues, observed.issueBytes < Self.mostIssueBytes {
                report.tests[test, default: RunReport.Observed()].issues.append(issue)
            } else {
                report.tests[test]?.issuesCut += 1
            }
        }
        return true
    }

    /// What a control test's end says of those before it.
    private mutating func take(_ test: String, _ issues: [RunReport.Issue]) -> Bool {
        control = nil
        guard let controls, controls.hasFailedProperly(test, issues) else { return false }
        failedControls.append(test)
        // A framework's control tests speak for its own tests.
        let isTesting = ControlTests.isTesting(test)
        report.unconfirmed = report.unconfirmed.filter { ControlTests.isTesting($0) != isTesting }
        return true
    }

    mutating func receiveOutput(_ bytes: UnsafeRawBufferPointer) -> ChildProcess.Decision {
        pendingOutput += bytes
        digest(all: false)
        return .proceed
    }

    /// Sorts what was printed into segments; keeps back what might be the beginning of a marker.
    private mutating func digest(all: Bool) {
        var start = 0
        pendingOutput.withUnsafeBufferPointer { buffer in
            while start < buffer.count {
                guard let base = buffer.baseAddress, let found = memchr(base + start, 0, buffer.count - start) else {
                    keep(buffer[start...])
                    start = buffer.count
                    return
                }
                let zero = UnsafeRawPointer(found) - UnsafeRawPointer(base)
                keep(buffer[start..<zero])
                start = zero
                if buffer.count - zero < marker.count, !all { return }
                if buffer[zero...].starts(with: marker) {
                    segments.append(TestOutput(limit: outputLimit))
                    start = zero + marker.count
                } else {
                    start = zero + 1
                }
            }
        }
        pendingOutput.removeFirst(start)
    }

    private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        segments[segments.count - 1].add(bytes)
    }

    /// What was seen, once the process has ended.
    mutating func finish(_ ending: ChildProcess.Ending, stop: RunReport.Stop?) -> RunReport {
        digest(all: true)
        report.ending = Self.meaning(ending)
        report.stop = report.stop ?? stop
        report.firstOutput = segments[0].bytes
        for (index, test) in order.enumerated() where index * 2 + 1 < segments.count {
            report.tests[test]?.output = segments[index * 2 + 1].bytes
            report.tests[test]?.outputCut = segments[index * 2 + 1].cut
        }
        return report
    }

    /// The sandbox passes a signal on as an exit code beyond 128, as shells do.
    private static func meaning(_ ending: ChildProcess.Ending) -> ChildProcess.Ending {
        if case .exited(let code) = ending, code > 128, code < 128 + 65 { return .signaled(code - 128) }
        return ending
    }
}
