import Foundation
import Workbook

/// The report of a class: a folder that is filled a learner at a time, and takes the place of the last one whole.
public final class GradebookFolder {
    /// What can be written besides the gradebook's own JSON.
    public enum Format: String, CaseIterable, Sendable {
        case csv, html, junit, gradescope, exercism
    }

    public private(set) var totals: GradebookTotals
    private let folder: URL
    private let draft: URL
    private let formats: Set<Format>
    private let header: ClassHeader
    private let localization: GradebookLocalization
    private let json: GradebookJSON
    private let csv: GradebookCSV
    private let page: GradebookPage
    private let jsonFile: FileHandle
    private let csvFile: FileHandle?
    private let pageFile: FileHandle?
    private var isFirst = true
    private var lastLearner = ""

    /// What the folder holds when it is done, besides what the grader keeps there for itself.
    private static let products = [
        "gradebook.json", "gradebook.csv", "gradebook.html", "junit", "gradescope", "exercism",
    ]

    public init(
        _ folder: URL, header: ClassHeader, localization: GradebookLocalization,
        formats: Set<Format> = Set(Format.allCases)
    ) throws {
        self.folder = folder
        self.header = header
        self.localization = localization
        self.formats = formats
        draft = folder.appendingPathComponent(".draft")
        totals = GradebookTotals(header.katas)
        json = GradebookJSON(header, language: localization.language)
        csv = GradebookCSV(header.katas, localization: localization)
        page = try GradebookPage(header, localization: localization)
        try? FileManager.default.removeItem(at: draft)
        try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
        jsonFile = try Self.create(draft.appendingPathComponent("gradebook.json"))
        csvFile = formats.contains(.csv) ? try Self.create(draft.appendingPathComponent("gradebook.csv")) : nil
        pageFile = formats.contains(.html) ? try Self.create(draft.appendingPathComponent("gradebook.html")) : nil
        for format in [Format.junit, .gradescope, .exercism] where formats.contains(format) {
            try FileManager.default.createDirectory(
                at: draft.appendingPathComponent(format.rawValue), withIntermediateDirectories: true)
        }
        try jsonFile.write(contentsOf: Data(json.opening().utf8))
        try csvFile?.write(contentsOf: Data(csv.opening().utf8))
        try pageFile?.write(contentsOf: Data(page.opening().utf8))
    }

    /// Adds the next learner. They come in the order of their names, so that a class gives one report.
    public func add(_ record: LearnerRecord) throws {
        precondition(isFirst || lastLearner < record.learner)
        let report = LearnerReport(record, katas: header.katas, localization: localization)
        totals.add(report)
        try jsonFile.write(contentsOf: Data(json.learner(report, isFirst: isFirst).utf8))
        try csvFile?.write(contentsOf: Data(csv.learner(report).utf8))
        try pageFile?.write(contentsOf: Data(page.learner(report, isFirst: isFirst).utf8))
        let name = ReportFileNames.name(for: record.learner)
        if formats.contains(.junit) {
            try write(JUnitReport.text(report), to: "junit/\(name).xml")
        }
        if formats.contains(.gradescope) {
            try write(PlainText.json(GradescopeReport(report)), to: "gradescope/\(name).json")
        }
        if formats.contains(.exercism), !report.katas.isEmpty {
            try FileManager.default.createDirectory(
                at: draft.appendingPathComponent("exercism/\(name)"), withIntermediateDirectories: true)
            for kata in report.katas {
                try write(PlainText.json(ExercismReport(kata)), to: "exercism/\(name)/\(kata.kata).json")
            }
        }
        isFirst = false
        lastLearner = record.learner
    }

    /// Puts the new report in the old one's place.
    public func finish() throws -> GradebookTotals {
        try jsonFile.write(contentsOf: Data(json.closing(totals).utf8))
        try pageFile?.write(contentsOf: Data(page.closing(totals).utf8))
        for file in [jsonFile, csvFile, pageFile].compactMap(\.self) {
            try file.synchronize()
            try file.close()
        }
        for product in Self.products {
            let new = draft.appendingPathComponent(product)
            let old = folder.appendingPathComponent(product)
            // A file takes the old one's place at once; a folder can't, so the old one goes first.
            if product.hasPrefix("gradebook."), FileManager.default.fileExists(atPath: new.path) {
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

    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: draft.appendingPathComponent(path))
    }

    private static func create(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }
}
