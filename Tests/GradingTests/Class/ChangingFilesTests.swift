import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("A class whose files change while it is graded", .grades)
struct ChangingFilesTests {
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        try FileManager.default.createDirectory(at: scratch("class/ana"), withIntermediateDirectories: true)
        try Data(FixtureWorkbook.answer().utf8).write(to: scratch("class/ana/Tally.swift"))
    }

    @Test("What was read of a submission is graded, and nothing of this machine's comes between")
    func classGrading() async throws {
        let grading = ClassGrading(
            scratch("class"), report: scratch("report"), katas: [try FixtureWorkbook.kata()], shard: nil,
            grader: try SubmissionGrader(workbook: FixtureWorkbook.folder, options: FixtureWorkbook.options()))
        let failures = try await grading.run { event in
            guard case .found = event else { return }
            try? FileManager.default.removeItem(at: scratch("report/.journal/scratch"))
        }
        #expect(failures == [:])
        var reader = try ClassRecordFile.Reader(scratch("report"))
        #expect(reader.next()?.katas.map(\.verdict.outcome) == [.mastered])
    }

    @Test("A verdict is on the text that was read, whatever the file holds by then")
    func oneFile() async throws {
        let file = scratch("class/ana/Tally.swift")
        let text = try FixtureWorkbook.answer()
        let submission = Submission(kata: try FixtureWorkbook.kata(), file: file, displayPath: "Tally.swift")
        try Data("nothing that compiles".utf8).write(to: file)
        let grader = try SubmissionGrader(workbook: FixtureWorkbook.folder, options: FixtureWorkbook.options())
        #expect(try await grader.grade(submission).outcome == .mastered)
        #expect(submission.text == text)
    }
}
