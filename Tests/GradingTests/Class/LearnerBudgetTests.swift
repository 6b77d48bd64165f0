import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("The time that one learner's submission may take")
struct LearnerBudgetTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    @Test("is ten times what the class's katas usually take, and never less than an honest answer that hangs needs")
    func seconds() {
        let budget = LearnerBudget()
        #expect(budget.seconds(katas: 1, median: nil) == 90)
        #expect(budget.seconds(katas: 17, median: 1) == 570)
        #expect(budget.seconds(katas: 2, median: 30) == 600)
    }

    @Test("follows from the median, which one very slow learner does not change")
    func median() {
        var numbers = SortedNumbers()
        #expect(numbers.median == nil)
        for number in [3, 1, 2, 900] as [Double] { numbers.add(number) }
        #expect(numbers.median == 2)
    }

    // MARK: In a class

    private let katas = ["A", "B", "C"].map { Kata(kata: $0, order: 1, phase: 1, interface: [], tests: []) }

    /// A learner with a file for each kata.
    private func submission(_ learner: String, _ keys: [String]) -> OpenedSubmission {
        var opened = OpenedSubmission(learner: learner, sources: [learner])
        for (index, key) in keys.enumerated() {
            opened.parts.append(.init(kata: index, content: .file(key: key, digest: key, path: "", nil)))
            let submission = Submission(kata: katas[index], text: "", displayPath: "")
            opened.files.append(.init(key: key, submission: submission))
        }
        return opened
    }

    private func verdict(_ seconds: Double) -> Verdict {
        Verdict(
            kata: "A", outcome: .mastered, points: 0, maxPoints: 0, seconds: seconds, diagnostics: [], tests: [])
    }

    private func outcomes(_ progress: ClassProgress, _ learner: Int) -> [LocalizableMessage.Key?] {
        progress.record(progress.learners[learner]).katas.map { $0.verdict.diagnostics.first?.message.key }
    }

    @Test("once it is used up, the learner's other katas are not run; another learner's file with the same bytes is")
    func usedUp() throws {
        let journal = try DecisionJournal(scratch("journal"))
        var progress = ClassProgress(journal: journal, katas: katas)
        func decide(_ key: String, _ seconds: Double) throws {
            try journal.keep(verdict(seconds), for: key)
            progress.finish(key)
        }
        func hasTime(_ key: String) -> Bool { progress.hasTime(for: key) }
        // The usual time of a kata is one second, and three katas have 150.
        _ = progress.take(submission("ana", ["k", "l", "m"]))
        for key in ["k", "l", "m"] { try decide(key, 1) }
        _ = progress.take(submission("eve", ["a", "b", "c"]))
        #expect(hasTime("a"))
        try decide("a", 149)
        #expect(hasTime("b"))
        try decide("b", 1)
        #expect(hasTime("c"))
        _ = progress.take(submission("fay", ["x", "y", "z"]))
        try decide("x", 151)
        #expect(!hasTime("y") && !hasTime("z"))
        for key in ["y", "z"] { progress.finish(key) }
        #expect(outcomes(progress, 2) == [nil, .learnerOutOfTime, .learnerOutOfTime])
        #expect(progress.record(progress.learners[2]).katas.map(\.verdict.outcome).last == .rejected)
        #expect(progress.failuresByLearner.isEmpty)

        let files = progress.take(submission("gus", ["w", "y"]))
        #expect(files.map(\.key) == ["w", "y"])
        #expect(hasTime("y"))
    }

    @Test("is used up in the next run, too, after a run that was killed")
    func resumed() throws {
        do {
            let journal = try DecisionJournal(scratch("journal"))
            try journal.keep(verdict(151), for: "a")
        }
        var progress = ClassProgress(journal: try DecisionJournal(scratch("journal")), katas: katas)
        func hasTime(_ key: String) -> Bool { progress.hasTime(for: key) }
        let files = progress.take(submission("eve", ["a", "b", "c"]))
        #expect(files.map(\.key) == ["b", "c"])
        // The usual time of a kata is that of this one, as long as there is no other.
        #expect(hasTime("b"))
        _ = progress.take(submission("fay", ["x", "y"]))
        for key in ["x", "y"] {
            try progress.journal.keep(verdict(1), for: key)
            progress.finish(key)
        }
        #expect(!hasTime("b"))
    }

    @Test("is kept in a real class, which is complete with it", .grades)
    func realClass() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"), katas: ["Greeting", "Parting"])
        for kata in ["Greeting", "Parting"] {
            try FileManager.default.createDirectory(at: scratch("class/ana"), withIntermediateDirectories: true)
            try Data(SmallWorkbook.answer.utf8).write(to: scratch("class/ana/\(kata).swift"))
        }
        let folder = WorkbookFolder(workbook.folder)
        var options = FixtureWorkbook.options()
        options.jobs = 1
        let grader = try SubmissionGrader(workbook: folder, options: options)
        func grade(_ budget: LearnerBudget) async throws -> [KataRecord] {
            let grading = ClassGrading(
                scratch("class"), report: scratch("report"), katas: try folder.katas(), shard: nil, grader: grader,
                budget: budget)
            #expect(try await grading.run { _ in } == [:])
            var reader = try ClassRecordFile.Reader(scratch("report"))
            return reader.next()?.katas ?? []
        }
        var nothing = LearnerBudget()
        (nothing.times, nothing.leastSeconds, nothing.leastSecondsOfKata) = (0, 0, 0)
        for _ in 0..<2 {
            let katas = try await grade(nothing)
            #expect(katas.map(\.verdict.outcome) == [.mastered, .rejected])
            #expect(katas.last?.verdict.diagnostics.map(\.message.key) == [.learnerOutOfTime])
        }
        // It is no decision on the file: with more time it is graded.
        #expect(try await grade(LearnerBudget()).map(\.verdict.outcome) == [.mastered, .mastered])
    }
}
