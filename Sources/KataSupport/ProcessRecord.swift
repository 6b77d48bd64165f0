#if canImport(Testing)
import Foundation
import Testing

/// What a target's process recorded of its tests, and how it ended.
struct ProcessRecord: Sendable {
    enum Ending: Sendable {
        case exit(Int32)
        case signal(Int32)
        case stopped(seconds: Int)
        case notStarted(String)
    }

    struct RecordedIssue: Sendable {
        var text: String
        var location: SourceLocation?
    }

    private var module: String
    private var ending: Ending
    private var output: String
    private var ended: Set<String> = []
    /// The test that had started and not ended when the process did.
    private var running: String?
    private var issuesByTest: [String: [RecordedIssue]] = [:]
    /// Those of no test: they fail every test, so that none is lost.
    private var strays: [RecordedIssue] = []

    /// - Parameter events: Swift Testing's event stream, version 0.
    init(module: String, events: Data, ending: Ending, output: String) {
        self.module = module
        self.ending = ending
        self.output = output
        for line in events.split(separator: UInt8(ascii: "\n")) {
            guard let event = try? JSONDecoder().decode(Line.self, from: line) else {
                // The process was ended in the middle of a line, or speaks another version.
                strays.append(RecordedIssue(text: "This is no event: \(String(decoding: line, as: UTF8.self))"))
                continue
            }
            if event.kind == "event" { take(event.payload) }
        }
        if ended.count > 0, running == nil, !endedAsItShould {
            strays.append(RecordedIssue(text: "\(howItEnded), after its last test. \(lastOutput)"))
        }
    }

    /// What has to be recorded for one test; nothing if it passed.
    func issues(of test: String) -> [RecordedIssue] {
        let recorded = issuesByTest[test, default: []] + strays
        if ended.contains(test) { return recorded }
        let during = running.map { $0 == test ? " while this test ran" : " while \($0) ran" } ?? ""
        return recorded + [
            RecordedIssue(text: "This test did not come to its end: \(howItEnded)\(during). \(lastOutput)")
        ]
    }

    private mutating func take(_ event: Line.Payload) {
        switch event.kind {
        case "testStarted":
            if let test = event.testID, test.contains("(") { running = test }
        case "testEnded":
            guard let test = event.testID else { return }
            ended.insert(test)
            if running == test { running = nil }
        case "issueRecorded":
            guard event.issue?.isKnown != true, event.issue?.isFailure != false else { return }
            let issue = RecordedIssue(
                text: event.messages?.map(\.text).joined(separator: "\n") ?? "", location: event.issue?.location)
            if let test = event.testID, test.contains("(") {
                issuesByTest[test, default: []].append(issue)
            } else {
                strays.append(issue)
            }
        default: break
        }
    }

    private var endedAsItShould: Bool {
        guard case .exit(let code) = ending else { return false }
        return code == 0 || code == 1 && (!issuesByTest.isEmpty || !strays.isEmpty)
    }

    private var howItEnded: String {
        switch ending {
        case .exit(let code): "the process of \(module) ended with code \(code)"
        case .signal(let number): "the process of \(module) was ended by signal \(number)"
        case .stopped(let seconds): "the process of \(module) was stopped because it took longer than \(seconds) s"
        case .notStarted(let reason): "the process of \(module) did not start (\(reason))"
        }
    }

    /// What was printed since the last test began. The reason for a crash comes first there, and a long backtrace after it.
    private var lastOutput: String {
        let lines = output.split(separator: "\n")
        let begin = lines.lastIndex { $0.hasSuffix(" started.") }.map { $0 + 1 } ?? 0
        let last = lines[begin...].prefix(12)
        return last.isEmpty ? "It printed nothing." : "It printed:\n\(last.joined(separator: "\n"))"
    }

    private struct Line: Decodable {
        struct Payload: Decodable {
            var kind: String?
            var testID: String?
            var issue: Issue?
            var messages: [Message]?
        }
        struct Message: Decodable {
            var text: String
        }
        struct Issue: Decodable {
            struct Location: Decodable {
                var fileID: String?
                var filePath: String?
                var _filePath: String?
                var line: Int
                var column: Int
            }
            var isKnown: Bool?
            var isFailure: Bool?
            var sourceLocation: Location?

            var location: SourceLocation? {
                guard let found = sourceLocation, let id = found.fileID, let path = found.filePath ?? found._filePath
                else { return nil }
                return SourceLocation(fileID: id, filePath: path, line: found.line, column: found.column)
            }
        }
        var kind: String
        var payload: Payload
    }
}
#endif
