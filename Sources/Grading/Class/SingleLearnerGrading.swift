import Foundation
import Workbook

/// One learner's submission, graded by itself for a platform that runs the grader once a learner.
public struct SingleLearnerGrading: Sendable {
    private let submission: URL
    private let grader: SubmissionGrader

    /// - Parameter submission: a folder, or an archive.
    public init(_ submission: URL, grader: SubmissionGrader) {
        self.submission = submission.standardizedFileURL
        self.grader = grader
    }

    /// The verdict on each kata, in the order in which they are asked for.
    public func grade(_ katas: [Kata]) async throws -> LearnerRecord {
        let name = submission.lastPathComponent
        // Files that a platform has put here have the time at which it did that. Read before anything of the learner's runs.
        let time = GradescopeMetadata.time(besides: submission)
        let entries = FolderEntry.all(in: submission.deletingLastPathComponent().path)
        guard let entry = entries.first(where: { $0.name == name }) else {
            throw GradingError(.noClassFolder, submission.path, errorText(ENOENT))
        }
        let format = entry.kind == .file ? ArchiveFormat(fileName: name) : nil
        guard entry.kind == .folder || format != nil else { throw GradingError(.notASubmission, name) }
        let source = SubmissionSource(
            learner: format.map { String(name.dropLast($0.suffix.count)) } ?? name, sources: [name],
            parts: [.init(entry: name, name: format == nil ? "" : name, isFolder: format == nil)])
        let opener = SubmissionOpener(
            files: ClassFiles(submission.deletingLastPathComponent()), katas: katas,
            known: grader.workbook.kataNames,
            reader: ArchiveReader(sandbox: grader.sandbox), sourceBytes: grader.options.limits.sourceBytes,
            fingerprints: [:])
        let opened = await opener.open(source).value
        var results: [String: Result<Verdict, GradingError>] = [:]
        await grader.grade(opened.files.map(\.submission)) { results[$0.kata.kata] = $1 }
        let verdicts = try results.mapValues { try $0.get() }
        let records = opened.parts.compactMap { part in
            part.record(of: katas[part.kata]) { _ in verdicts[katas[part.kata].kata] }
        }
        return LearnerRecord(
            learner: opened.learner, sources: opened.sources, time: time, problem: opened.problem, katas: records)
    }
}
