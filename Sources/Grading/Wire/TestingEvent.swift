import Foundation

/// One record of Swift Testing's event stream, as far as a grading needs it.
public enum TestingEvent: Equatable, Sendable {
    case runStarted
    case started(String)
    case ended(String)
    case skipped(String?)
    case issue(String?, texts: [String])
    case other

    private struct Record: Decodable {
        struct Payload: Decodable {
            struct Issue: Decodable {
                var isKnown: Bool?
                var isFailure: Bool?
            }
            struct Message: Decodable { var text: String }
            var kind: String?
            var testID: String?
            var issue: Issue?
            var messages: [Message]?
        }
        var kind: String
        var payload: Payload
    }

    public init(json: Data) {
        guard let record = try? JSONDecoder().decode(Record.self, from: json) else {
            // It may have been an issue.
            self = .issue(nil, texts: [String(decoding: json, as: UTF8.self)])
            return
        }
        let payload = record.payload
        let test = payload.testID.flatMap(Self.name)
        switch (record.kind, payload.kind) {
        case ("event", "runStarted"): self = .runStarted
        case ("event", "testStarted"): self = test.map { .started($0) } ?? .other
        case ("event", "testEnded"): self = test.map { .ended($0) } ?? .other
        case ("event", "testSkipped"), ("event", "testCancelled"), ("event", "testCaseCancelled"):
            self = .skipped(test)
        case ("event", "issueRecorded") where payload.issue?.isKnown != true && payload.issue?.isFailure != false:
            self = .issue(test, texts: payload.messages?.map(\.text) ?? [])
        default: self = .other
        }
    }

    /// `Module.Suite/function()/File.swift:1:2` as `Suite/function()`; `nil` for a suite, which has no function.
    private static func name(_ id: String) -> String? {
        guard let dot = id.firstIndex(of: ".") else { return nil }
        var parts = id[id.index(after: dot)...].split(separator: "/", omittingEmptySubsequences: false)
        if let last = parts.last, last.contains(":") { parts.removeLast() }
        guard let function = parts.last, function.contains("(") else { return nil }
        return parts.joined(separator: "/")
    }
}
