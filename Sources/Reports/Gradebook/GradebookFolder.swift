import Foundation
import Storage
import Workbook

/// The report of a class: files that are drafted a learner at a time, and that replace those of the last report when all of
/// them are there. Formats that are not written stay as they are.
public final class GradebookFolder {
    public private(set) var totals: GradebookTotals
    /// Files that were in the report's place and were not the grader's, and where they are now.
    public private(set) var keptFiles: [(path: String, place: String)] = []
    private let folder: URL
    private let draft: URL
    private let header: ClassHeader
    private let policy: GradingPolicy
    private let localization: GradebookLocalization
    private let files: [OpenFile]
    private let folders: [any LearnerFilesFormat.Type]
    private var marks: [(name: String, format: any MarksFormat)] = []
    /// Who has points that are not in a platform's table, by the path of that.
    public private(set) var unplaced: [(path: String, learners: [String])] = []
    private var changes: PointChanges
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
    ///   - tables: the platforms' own.
    ///   - isAnonymous: whether learners have numbers in place of names.
    public init(
        _ folder: URL, header: ClassHeader, policy: GradingPolicy = GradingPolicy(),
        localization: GradebookLocalization, formats: [String] = ReportFormats.forClasses,
        tables: ClassTables = ClassTables(), isAnonymous: Bool = false
    ) throws {
        self.folder = folder
        changes = PointChanges(in: folder, isAnonymous: isAnonymous)
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
        marks = try wanted.compactMap { $0 as? any MarksFormat.Type }.map { format in
            (format.name, try format.init(tables, self.header))
        }
        for file in files { try file.write(file.format.opening()) }
    }

    /// Adds the next learner. They come in the order of their names, so that a class gives one report.
    ///
    /// - Parameters:
    ///   - code: what was submitted, by kata, for a report that shows it.
    ///   - override: what was decided for this learner.
    ///   - notes: what the instructor has to know besides.
    public func add(
        _ record: LearnerRecord, code: [String: String] = [:], override: Override? = nil,
        notes: [LocalizableMessage] = []
    ) throws {
        precondition(isFirst || lastLearner < record.learner)
        var record = policy.scaled(record, katas: header.katas)
        let lateness = policy.lateness(of: record.time, override)
        // Where the deadline and the time are known, they say whether it is late, and not the platform.
        if record.time?.seconds != nil, policy.deadline != nil || override?.until != nil, lateness == nil {
            record.identity?.isLate = false
        }
        let report = LearnerReport(
            record, katas: header.katas, localization: localization, code: code,
            lateness: lateness, override: override, notes: notes)
        // What learners get may say less than what their instructor gets.
        let released = policy.release.map(report.released) ?? report
        totals.add(report)
        changes.add(report)
        for file in files { try file.write(file.format.learner(report, isFirst: isFirst)) }
        let name = ReportFileNames.name(for: record.learner)
        for format in folders {
            for (path, text) in try format.files(of: released, name: name) {
                try write(Data(text.utf8), to: "\(format.name)/\(path)")
            }
        }
        for index in marks.indices {
            for (path, text) in try marks[index].format.add(released) {
                try write(Data(text.utf8), to: "\(marks[index].name)/\(path)")
            }
        }
        isFirst = false
        lastLearner = record.learner
    }

    private func write(_ data: Data, to path: String) throws {
        let file = draft.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
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
        for index in marks.indices {
            let (files, left) = try marks[index].format.closing()
            for (path, data) in files {
                try write(data, to: "\(marks[index].name)/\(path)")
                if !left.isEmpty { unplaced.append(("\(marks[index].name)/\(path)", left)) }
            }
        }
        try replaceLastReport()
        try changes.write()
        try FileManager.default.removeItem(at: draft)
        return totals
    }

    /// Puts the draft's files in place, and removes those of learners who are gone.
    private func replaceLastReport() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: draft.path).sorted().filter { path in
            Self.type(of: draft.appendingPathComponent(path)) == .typeRegular
        }
        let last = WrittenFiles(in: folder)
        let new = Set(paths)
        let gone = last.paths.filter { path in
            !new.contains(path) && (folders.map { $0.name } + marks.map(\.name)).contains { path.hasPrefix("\($0)/") }
        }
        var (meanwhile, after) = (last, last)
        for path in paths + gone { after.forget(path) }
        for path in paths {
            let digest = SHA256.digest(of: try Data(contentsOf: draft.appendingPathComponent(path))).hex
            meanwhile.add(path, digest: digest)
            after.add(path, digest: digest)
        }
        try meanwhile.save()
        // They go first: on a disk that does not tell capitals apart, a new file may have the name of one of them.
        for path in gone where last.isUnchanged(path) {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.removeItem(at: file)
            // A folder of one learner's files. It stays where something is left in it.
            if path.split(separator: "/").count > 2 { rmdir(file.deletingLastPathComponent().path) }
        }
        for path in paths { try moveIntoPlace(path, meanwhile) }
        try after.save()
    }

    private func moveIntoPlace(_ path: String, _ written: WrittenFiles) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        if Self.type(of: file) != nil, !written.isUnchanged(path) {
            // Its ending is not that of the format, so that no program takes it for a part of the report.
            let places = sequence(first: 1) { $0 + 1 }.lazy.map { "\(path).kept-\($0)" }
            if let place = places.first(where: { Self.type(of: self.folder.appendingPathComponent($0)) == nil }) {
                try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent(place))
                keptFiles.append((path, place))
            }
        }
        guard rename(draft.appendingPathComponent(path).path, file.path) == 0 else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path])
        }
    }

    /// What there is at a place; links are not followed.
    private static func type(of file: URL) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
    }
}
