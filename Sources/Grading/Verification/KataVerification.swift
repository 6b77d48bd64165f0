import Foundation
import Storage
import Workbook

/// Whether a kata is true: its files are complete, its suite catches what it should and nothing else, and its texts say the
/// same in every language.
///
/// The rules are pure functions on `KataFiles` and on verdicts; this type reads the files and has the answers graded.
public struct KataVerification: Sendable {
    public struct Options: Sendable {
        public var grading = GradingOptions()
        /// How often the model answer has to be mastered, each time with another seed.
        public var runs = 20
        public var selection = AnswerSelection.all
        /// Whether the copy of the stub is looked at in place of the stub, which may be a learner's answer by now.
        public var isAsShipped = false

        public init() {
            // Wrong answers spend most of their time in waits that are in vain.
            grading.jobs = 3 * ProcessInfo.processInfo.activeProcessorCount
            // How long a learner waits is not asked here, and the machine may be busy.
            grading.limits.suiteSeconds = 60
            grading.limits.testSeconds = 30
            grading.seed = 1
        }
    }

    private let workbook: WorkbookFolder
    private let options: Options
    /// One for each run of the model answer. The first one also grades all other answers.
    private let graders: [SubmissionGrader]
    /// Grades the model answer with the limit that no test may reach.
    private let timer: SubmissionGrader

    /// No test takes longer.
    static let testSeconds = 1.0
    /// A test takes as long as in the quickest of so many runs: a machine that is busy makes it slower, and never quicker.
    private static let timings = 3

    /// Finds the compiler and the sandbox, as `SubmissionGrader` does.
    public init(workbook: WorkbookFolder, options: Options = Options()) throws(GradingError) {
        self.workbook = workbook
        self.options = options
        var graders: [SubmissionGrader] = []
        for run in 0..<max(1, options.runs) {
            var grading = options.grading
            grading.seed &+= UInt64(run)
            graders.append(try SubmissionGrader(workbook: workbook, options: grading))
        }
        self.graders = graders
        var timed = options.grading
        timed.limits.testSeconds = Self.testSeconds
        timer = try SubmissionGrader(workbook: workbook, options: timed)
    }

    /// What holds of the katas of the workbook together.
    public func shortcomingsOfWorkbook() throws(WorkbookError) -> [Shortcoming] {
        let rules = RuleCatalog(workbook.rules, workbook.languages ?? Language.allCases)
        let place = "Exercises/\(workbook.languagesFile.lastPathComponent)"
        let languages =
            workbook.languages == nil
            ? [Shortcoming(place, .languagesUnreadable, place, Language.allCases.map(\.code).listed)] : []
        return KataFiles.shortcomings(of: try workbook.manifests(), rules: rules.names) + rules.shortcomings
            + languages
    }

    /// Looks at everything that makes a kata true.
    ///
    /// - Parameter progress: receives how much is graded, from 0 to 1.
    public func verify(_ kata: Kata, progress: (Double) -> Void = { _ in }) async throws(GradingError) -> VerifiedKata {
        let start = ContinuousClock.now
        var files = KataFiles(kata, in: workbook)
        if options.isAsShipped { files.stub.text = files.shippedStub.text }
        let (answers, headers) = files.answers()
        var found =
            files.shortcomingsOfFiles() + files.shortcomingsOfManifest() + files.shortcomingsOfSuite() + headers
            + files.shortcomings(of: answers)
        var gradings = 0
        do throws(GradingError) {
            try await graders[0].prepare(kata)
            found += files.shortcomingsOfComparisons(try await graders[0].comparedTypes(of: kata))
            let verdicts = try await grade(answers.filter(options.selection.includes), of: kata, progress)
            gradings = verdicts.count
            found += files.shortcomingsOfModelAnswer(verdicts.filter { $0.answer.kind == .model })
            let others = verdicts.filter { $0.answer.kind != .model }
            found += others.flatMap(files.shortcomings(of:))
            if options.selection == .all {
                found += files.shortcomingsOfReach(others)
                // Other work runs during a quick look, and takes the time that is measured here.
                found += try await shortcomingsOfTime(files)
            }
        } catch {
            guard Self.isAbout(kata: error.message.key) else { throw error }
            found.append(Shortcoming(kata.kata, error.message))
        }
        found += files.shortcomingsOfTexts()
        return VerifiedKata(
            kata: kata, shortcomings: found, gradings: gradings,
            seconds: start.duration(to: .now) / .seconds(1))
    }

    /// The hint that each known wrong answer of a kata is shown first, and the kata's hints that none of them is shown.
    public func hints(of kata: Kata) async throws(GradingError) -> (shown: [ShownHint], unreached: [String]) {
        let files = KataFiles(kata, in: workbook)
        let verdicts = try await grade(files.answers().answers.filter { $0.kind == .mutant }, of: kata) { _ in }
        let shown = verdicts.compactMap { graded -> ShownHint? in
            guard let first = graded.verdict.rootFailures(in: kata).first else { return nil }
            return ShownHint(
                answer: graded.answer.path, hint: first.hint(in: graded.verdict),
                basis: first.hintRule(in: graded.verdict)?.basis ?? .test,
                isNamed: graded.answer.hint.map { files.shortcomings(of: $0, graded).isEmpty } ?? false)
        }
        let all = Set(kata.tests.flatMap { [$0.hint] + $0.hints.map(\.hint) })
        return (shown, all.subtracting(files.hintsReached(verdicts)).sorted())
    }

    /// Whether what stopped a grading is the kata's own fault, and not the machine's.
    private static func isAbout(kata key: LocalizableMessage.Key) -> Bool {
        [.noSuite, .suiteDoesNotCompile, .testsNotInSuite, .testsNotInManifest].contains(key)
    }

    private struct Job: Sendable {
        var answer: KnownAnswer
        var place: Int
        var submission: Submission
        var grader: SubmissionGrader
    }

    /// Grades the answers, several at once: the model answer once with each seed, the others once.
    private func grade(
        _ answers: [KnownAnswer], of kata: Kata, _ progress: (Double) -> Void
    ) async throws(GradingError) -> [AnswerVerdict] {
        var jobs: [Job] = []
        for answer in answers {
            let submission = Submission(kata: kata, text: answer.text, displayPath: answer.path)
            for grader in answer.kind == .model ? graders : Array(graders.prefix(1)) {
                jobs.append(Job(answer: answer, place: jobs.count, submission: submission, grader: grader))
            }
        }
        var verdicts: [Int: AnswerVerdict] = [:]
        var trouble: GradingError?
        await forEachConcurrently(jobs, limit: graders[0].options.jobs) { job in
            await asyncResult { () async throws(GradingError) in try await job.grader.grade(job.submission) }
        } each: { job, result in
            switch result {
            case .success(let verdict):
                verdicts[job.place] = AnswerVerdict(
                    answer: job.answer, seed: job.grader.options.seed, verdict: verdict)
                progress(Double(verdicts.count) / Double(jobs.count))
            case .failure(let error): trouble = trouble ?? error
            }
        }
        if let trouble { throw trouble }
        return jobs.compactMap { verdicts[$0.place] }
    }

    private func shortcomingsOfTime(_ files: KataFiles) async throws(GradingError) -> [Shortcoming] {
        guard let answer = files.modelAnswer.text else { return [] }
        let submission = Submission(kata: files.kata, text: answer, displayPath: files.modelAnswer.path)
        var verdicts: [Verdict] = []
        repeat {
            verdicts.append(try await timer.grade(submission))
        } while verdicts.count < Self.timings
            && !files.shortcomingsOfTime(verdicts, seconds: Self.testSeconds).isEmpty
        return files.shortcomingsOfTime(verdicts, seconds: Self.testSeconds)
    }
}

/// The hint that a known wrong answer is shown first.
public struct ShownHint: Sendable {
    /// The answer's path in the workbook.
    public var answer: String
    public var hint: String
    public var basis: HintRule.Basis
    /// Whether it is the one that the answer's header names.
    public var isNamed: Bool
}

/// What came of looking at one kata.
public struct VerifiedKata: Sendable {
    public var kata: Kata
    /// Empty where everything holds.
    public var shortcomings: [Shortcoming]
    /// How many answers were graded, the model answer once for each run.
    public var gradings: Int
    public var seconds: Double
}
