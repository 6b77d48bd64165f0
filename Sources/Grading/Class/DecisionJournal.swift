import Foundation
import Storage
import Workbook

/// What was decided, each decision under the digest of all that it follows from, kept so that no kill loses one.
///
/// A line that a kill cut short is not a decision; it is cut off when the journal is opened again. Only where each
/// decision lies is held in memory, so that a class of any size needs little of it.
final class DecisionJournal {
    private let lines: AppendOnlyLog
    private var ranges: [String: Range<Int>] = [:]

    private struct Line: Codable {
        var key: String
        var verdict: Verdict
    }

    /// Opens a journal, or begins one. One grader at a time writes to it.
    init(_ folder: URL) throws(GradingError) {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw GradingError(folder, notWritable: error)
        }
        do throws(AppendOnlyLog.Problem) {
            lines = try AppendOnlyLog(folder.appendingPathComponent("decisions"))
            var end = 0
            lines.read { found in
                guard let line = found.entry.flatMap(Self.line) else { return false }
                ranges[line.key] = found.range
                end = found.range.upperBound
                return true
            }
            try lines.truncate(at: end)
        } catch {
            throw GradingError(error, folder)
        }
    }

    var count: Int { ranges.count }

    func contains(_ key: String) -> Bool { ranges[key] != nil }

    /// Keeps a decision. When this returns, it is on the disk.
    func keep(_ verdict: Verdict, for key: String) throws(GradingError) {
        guard ranges[key] == nil else { return }
        let body: Data
        do {
            body = try JSONEncoder().encode(Line(key: key, verdict: verdict))
        } catch {
            throw GradingError(.programFailed, "journal", "\(error)")
        }
        do throws(AppendOnlyLog.Problem) {
            ranges[key] = try lines.append(body)
        } catch {
            throw GradingError(error, URL(fileURLWithPath: "decisions"))
        }
    }

    func verdict(for key: String) -> Verdict? {
        ranges[key].flatMap(lines.entry).flatMap(Self.line)?.verdict
    }

    private static func line(_ body: Data) -> Line? { try? JSONDecoder().decode(Line.self, from: body) }
}

extension GradingError {
    fileprivate init(_ problem: AppendOnlyLog.Problem, _ folder: URL) {
        switch problem {
        case .busy: self.init(.reportBusy, folder.deletingLastPathComponent().path)
        case .unusable(let path, let failure): self.init(.folderNotWritable, path, "\(failure.code)")
        }
    }
}
