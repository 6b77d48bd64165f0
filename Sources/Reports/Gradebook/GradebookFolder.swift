import Foundation
import Workbook

/// The report of a class: a folder that is filled a learner at a time, and that replaces the last report as a whole.
public final class GradebookFolder {
    public private(set) var totals: GradebookTotals
    private let folder: URL
    private let draft: URL
    private let header: ClassHeader
    private let policy: GradingPolicy
    private let localization: GradebookLocalization
    private let files: [OpenFile]
    private let folders: [any LearnerFilesFormat.Type]
    private var isFirst = true
    private var lastLearner = ""

    private struct OpenFile {
        var format: any ClassFileFormat
        var handle: FileHandle

        func write(_ text: String) throws { try handle.write(contentsOf: Data(text.utf8)) }
    }

    /// - Parameters:
    ///   - policy: how points count.
    ///   - formats: the names of the formats to write in addition to `gradebook.json`.
    public init(
        _ folder: URL, header: ClassHeader, policy: GradingPolicy = GradingPolicy(),
        localization: GradebookLocalization, formats: [String] = ReportFormats.forClasses
    ) throws {
        self.folder = folder
        var header = header
        header.katas = header.katas.map(policy.scaled)
        self.header = header
        self.policy = policy
        self.localization = localization
        let draft = folder.appendingPathComponent(".draft")
        self.draft = draft
        totals = GradebookTotals(header.katas)
        let wanted = ReportFormats.all.filter { formats.contains($0.name) || $0 == GradebookJSON.self }
        try? FileManager.default.removeItem(at: draft)
        try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
        files = try wanted.compactMap { $0 as? any ClassFileFormat.Type }.map { format in
            let file = draft.appendingPathComponent(format.fileName)
            try Data().write(to: file)
            return OpenFile(
                format: try format.init(header, localization, policy), handle: try FileHandle(forWritingTo: file))
        }
        folders = wanted.compactMap { $0 as? any LearnerFilesFormat.Type }
        for format in folders {
            try FileManager.default.createDirectory(
                at: draft.appendingPathComponent(format.name), withIntermediateDirectories: true)
        }
        for file in files { try file.write(file.format.opening()) }
    }

    /// Adds the next learner. They come in the order of their names, so that a class gives one report.
    ///
    /// - Parameter code: what was submitted, by kata, for a report that shows it.
    public func add(_ record: LearnerRecord, code: [String: String] = [:]) throws {
        precondition(isFirst || lastLearner < record.learner)
        let record = policy.scaled(record, katas: header.katas)
        let report = LearnerReport(
            record, katas: header.katas, localization: localization, code: code,
            lateness: policy.lateness(of: record.time))
        totals.add(report)
        for file in files { try file.write(file.format.learner(report, isFirst: isFirst)) }
        let name = ReportFileNames.name(for: record.learner)
        for format in folders {
            for (path, text) in try format.files(of: report, name: name) {
                let file = draft.appendingPathComponent("\(format.name)/\(path)")
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
        }
        isFirst = false
        lastLearner = record.learner
    }

    /// Puts the new report in the old one's place.
    ///
    /// - Parameter code: what is shown of files that have much in common.
    public func finish(_ code: ClassCode = ClassCode()) throws -> GradebookTotals {
        totals.compare(code)
        for file in files {
            try file.write(file.format.closing(totals))
            try file.handle.synchronize()
            try file.handle.close()
        }
        for format in ReportFormats.all {
            let fileName = (format as? any ClassFileFormat.Type)?.fileName
            let new = draft.appendingPathComponent(fileName ?? format.name)
            let old = folder.appendingPathComponent(fileName ?? format.name)
            // A file takes the old one's place at once; a folder can't, so the old one goes first.
            if fileName != nil, FileManager.default.fileExists(atPath: new.path) {
                guard rename(new.path, old.path) == 0 else {
                    throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: old.path])
                }
                continue
            }
            if FileManager.default.fileExists(atPath: old.path) { try FileManager.default.removeItem(at: old) }
            if FileManager.default.fileExists(atPath: new.path) { try FileManager.default.moveItem(at: new, to: old) }
        }
        try FileManager.default.removeItem(at: draft)
        return totals
    }
}
