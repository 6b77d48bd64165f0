import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes a report of what a run's two pipes deliver. Believes no line that lacks the secret.
struct RunListener {
    private struct Line: Decodable {
        var secret: String
        var event: String
        var test: String?
        var texts: [String]?
    }

    private(set) var report: RunReport
    /// When the run last said something.
    private(set) var lastEvent = ContinuousClock.now
    private let secret: String
    private let marker: [UInt8]
    private let outputLimit: Int
    private var pendingEvents: [UInt8] = []
    /// What was printed, cut at every marker: before, during the first test, between, during the second …
    private var segments: [(bytes: [UInt8], cut: Int)] = [([], 0)]
    private var pendingOutput: [UInt8] = []
    private let decoder = JSONDecoder()

    init(asked: [String], secret: String, marker: String, outputLimit: Int) {
        report = RunReport(asked: asked)
        self.secret = secret
        self.marker = Array("\0\(marker)\0".utf8)
        self.outputLimit = outputLimit
    }

    mutating func receiveEvents(_ bytes: UnsafeRawBufferPointer) -> ChildProcess.Decision {
        lastEvent = .now
        pendingEvents += bytes
        guard pendingEvents.count < 1 << 22 else {
            report.stop = .forgery
            return .stop
        }
        while let end = pendingEvents.firstIndex(of: 10) {
            let line = Data(pendingEvents[..<end])
            pendingEvents.removeFirst(end + 1)
            guard let said = try? decoder.decode(Line.self, from: line), said.secret == secret, !report.closed,
                take(said)
            else {
                report.stop = .forgery
                return .stop
            }
        }
        return .proceed
    }

    /// Whether the line makes sense where it comes.
    private mutating func take(_ line: Line) -> Bool {
        switch line.event {
        case "opened":
            guard !report.opened else { return false }
            report.opened = true
        case "closed":
            report.closed = true
        case "deadlock":
            guard report.current != nil else { return false }
            report.stop = .deadlock
        case "broken":
            report.broken = line.texts ?? []
        case "started":
            guard let test = line.test, report.asked.contains(test), report.tests[test] == nil, report.current == nil
            else {
                return false
            }
            report.tests[test] = RunReport.Observed()
            report.started.append(test)
        case "ended":
            guard let test = line.test, report.current == test else { return false }
            report.tests[test]?.ended = true
        case "skipped":
            guard let test = line.test ?? report.started.last else { return true }
            report.tests[test, default: RunReport.Observed()].skipped = true
        case "issue":
            // An issue that comes after its test has ended, or that names none, is the last test's.
            guard let test = line.test ?? report.started.last else { return false }
            report.tests[test, default: RunReport.Observed()].issues.append(line.texts ?? [])
        default:
            return false
        }
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
                    segments.append(([], 0))
                    start = zero + marker.count
                } else {
                    start = zero + 1
                }
            }
        }
        pendingOutput.removeFirst(start)
    }

    private mutating func keep(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        let last = segments.count - 1
        let room = max(0, outputLimit - segments[last].bytes.count)
        segments[last].bytes += bytes.prefix(room)
        segments[last].cut += max(0, bytes.count - room)
        // A run that is about to be ended by the runtime says why at the very end, behind any flood.
        if bytes.count > room { tail = Array(bytes.suffix(2048)) }
    }

    /// The last of what was printed, where it was cut.
    private(set) var tail: [UInt8] = []

    /// What was seen, once the process has ended.
    mutating func finish(_ ending: ChildProcess.Ending, stop: RunReport.Stop?) -> RunReport {
        digest(all: true)
        report.ending = Self.meaning(ending)
        report.stop = report.stop ?? stop
        for (index, test) in report.started.enumerated() where index * 2 + 1 < segments.count {
            report.tests[test]?.output = segments[index * 2 + 1].bytes
            report.tests[test]?.outputCut = segments[index * 2 + 1].cut
        }
        if let current = report.current, report.tests[current]?.outputCut ?? 0 > 0 {
            report.tests[current]?.output += tail
        }
        return report
    }

    /// The sandbox passes a signal on as an exit code beyond 128, as shells do.
    private static func meaning(_ ending: ChildProcess.Ending) -> ChildProcess.Ending {
        if case .exited(let code) = ending, code > 128, code < 128 + 65 { return .signaled(code - 128) }
        return ending
    }
}
