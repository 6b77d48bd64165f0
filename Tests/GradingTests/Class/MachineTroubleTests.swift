import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("A machine on which the grader cannot copy a learner's file", .grades)
struct MachineTroubleTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        try FileManager.default.createDirectory(at: scratch("class/ana"), withIntermediateDirectories: true)
        try Data(FixtureWorkbook.answer().utf8).write(to: scratch("class/ana/Tally.swift"))
    }

    private func grader() throws -> SubmissionGrader {
        try SubmissionGrader(workbook: FixtureWorkbook.folder, options: FixtureWorkbook.options())
    }

    private func record() throws -> LearnerRecord? {
        var reader = try ClassRecordFile.Reader(scratch("report"))
        return reader.next()
    }

    @Test("The learner is not graded and has no points taken off, and the next run grades the file")
    func classGrading() async throws {
        let grading = ClassGrading(
            scratch("class"), report: scratch("report"), katas: [try FixtureWorkbook.kata()], shard: nil,
            grader: try grader())
        let copies = scratch("report/.journal/scratch")
        let failures = try await grading.run { event in
            guard case .found = event else { return }
            try? FileManager.default.removeItem(at: copies)
        }
        let trouble = LocalizableMessage(.folderNotWritable, copies.path, "\(ENOENT)")
        #expect(failures == ["ana": trouble])
        #expect(try record()?.problem == trouble)
        #expect(try record()?.katas == [])
        #expect(try await grading.run { _ in } == [:])
        #expect(try record()?.katas.map(\.verdict.outcome) == [.mastered])
    }

    @Test("The grading of one learner fails too, and rejects nothing")
    func oneLearner() async throws {
        let opener = SubmissionOpener(
            files: ClassFiles(scratch("class")), scratch: scratch("nowhere"), katas: [try FixtureWorkbook.kata()],
            reader: ArchiveReader(), sourceBytes: 1 << 20, fingerprints: [:])
        let part = SubmissionSource.Part(entry: "ana", name: "", isFolder: true)
        let opened = await opener.open(SubmissionSource(learner: "ana", sources: ["ana"], parts: [part]), 0).value
        #expect(opened.problem == nil)
        let trouble = GradingError(.folderNotWritable, scratch("nowhere").path, "\(ENOENT)")
        #expect(throws: trouble) { try opened.files.map { try $0.submission() } }
    }
}
