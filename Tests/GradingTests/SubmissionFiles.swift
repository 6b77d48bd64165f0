import Foundation
import Testing
import Workbook

@testable import Grading

/// A submission in a file of its own. Its first lines say what it tries, and which outcomes are allowed:
///
///     // Tries: to end the process before the suite can say that it failed.
///     // Allowed: rejected crashed
///
/// `ANSWER` in the file is replaced by the model answer's text, so each file shows only what is unusual about it.
struct SubmissionFile: Sendable, CustomTestStringConvertible {
    var url: URL
    var allowed: Set<String>
    var bytes: Data

    var testDescription: String { url.lastPathComponent }

    static func all(in name: String) -> [SubmissionFile] {
        let folder = FixtureWorkbook.testFolder.appendingPathComponent(name)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted().map {
            SubmissionFile(folder.appendingPathComponent($0))
        }
    }

    init(_ url: URL) {
        self.url = url
        bytes = (try? Data(contentsOf: url)) ?? Data()
        let text = String(decoding: bytes, as: UTF8.self)
        let line = text.split(whereSeparator: \.isNewline).first { $0.contains("// Allowed: ") }
        allowed = Set(line?.split(separator: " ").dropFirst(2).map(String.init) ?? [])
        let marks = ["/*ANSWER*/": "", "/*TALLY*/": "Tally", "/*FIRST*/": "first"]
        guard marks.keys.contains(where: text.contains), let answer = try? FixtureWorkbook.answer() else { return }
        var filled = text.replacingOccurrences(of: "/*ANSWER*/", with: answer)
        let parts = answer.components(separatedBy: "public struct NoValue")
        filled = filled.replacingOccurrences(of: "/*TALLY*/", with: parts[0])
        filled = filled.replacingOccurrences(of: "/*FIRST*/", with: "public struct NoValue" + parts[1])
        bytes = Data(filled.utf8)
    }
}

extension Verdict {
    /// The verdict as one line, for a failing test.
    var summary: String {
        let said = diagnostics.map { "\($0.line):\($0.column) \($0.message.key) \($0.message.arguments)" }
        let told = tests.map {
            "\($0.id): \($0.outcome) \($0.messages.map { "\($0.key) \($0.arguments)" }) \($0.output.prefix(200))"
        }
        return "\(outcome) in \(seconds) s\n" + (said + told).joined(separator: "\n")
    }
}
