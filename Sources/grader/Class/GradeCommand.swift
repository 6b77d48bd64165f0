import Foundation
import Grading
import Reports
import Storage
import Workbook

/// `grader grade`: a folder or an archive of submissions becomes a report.
struct GradeCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        let folder = context.folder(context.request.operands[0])
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
        guard exists, isFolder.boolValue || ClassGrading.isArchive(folder) else {
            throw CommandError(
                message: context.strings(.noClassFolder, .text(context.request.operands[0])), code: .trouble)
        }
        let report = context.folder(context.request.report ?? "")
        let seed = context.request.seed ?? ClassGrading.seed(for: folder, report: report)
        let session = try WorkbookSession(context, seed: seed, gradesStrangers: true)
        let katas = try session.katasInOrder(named: context.request.katas)
        // A mistake in these is reported before a class is graded, and not after.
        let policy = try PolicyFile(session: session, folder: report).policy()
        let overrides = try OverridesFile(session: session, folder: report).overrides()
        _ = try session.comments(in: report)
        try TablesNextToClass(context: context).check(folder, report: report)
        let grader = try sandboxedGrader(session)
        let grading = ClassGrading(folder, report: report, katas: katas, shard: context.request.shard, grader: grader)
        let numbers = context.request.anonymous ? try NamesFile(context: context, folder: report).read() : nil
        let progress = GradeProgress(
            context, katas: katas, policy: policy, overrides: overrides, numbers: numbers)
        let work = Task { try await grading.run { await progress.tell($0) } }
        // What is being graded is decided before the program ends; a second request ends it at once.
        let signals = Signals(Signals.ending) { number in
            if work.isCancelled { SubmissionGrader.endProgram(by: number) }
            work.cancel()
        }
        defer { withExtendedLifetime(signals) {} }
        let result = await work.result
        await progress.end()
        // Also of a class whose grading was interrupted: its numbers were shown already.
        let given = await progress.givenNumbers
        if let given { try NamesFile(context: context, folder: report).write(given) }
        let failures = try result.get(or: context)
        var gradebook = try GradebookReport(session, of: [report], into: report, policy: policy)
        try gradebook.write()
        let shown = failures.map { (given?.label($0.key) ?? $0.key, learner: $0.key, message: $0.value) }
        for (name, learner, message) in shown.sorted(by: { $0.0 < $1.0 }) {
            let reason = context.strings.reports(message)
            context.console.say(
                context.strings(
                    .gradeIncomplete, .text(context.console.plain(name)),
                    .text(given?.anonymous(reason, of: learner) ?? reason)))
        }
        return failures.isEmpty ? .passed : .trouble
    }

    private func sandboxedGrader(_ session: WorkbookSession) throws(CommandError) -> SubmissionGrader {
        do {
            return try session.grader()
        } catch {
            guard context.request.sandboxed, try session.engine() == .fast, (try? Sandbox.probe()) == nil else {
                throw error
            }
            throw CommandError(message: error.message + "\n" + context.strings(.gradeSandbox), code: error.code)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate func get(or context: CommandContext) throws(CommandError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error) where error is CancellationError:
            throw CommandError(message: context.strings(.gradeInterrupted), code: .trouble)
        case .failure(let error): throw context.error(error)
        }
    }
}

/// `grader merge`: the reports of all shards become one.
struct MergeCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let report = context.folder(context.request.report ?? "")
        let session = try WorkbookSession(context)
        let folders = context.request.operands.map(context.folder)
        let policy = try PolicyFile(session: session, folder: report).policy(or: folders)
        var gradebook = try GradebookReport(session, of: folders, into: report, policy: policy)
        try gradebook.write()
        return .passed
    }
}

/// `grader check --submission`: one submission, written in the form that a platform's own runner reads.
struct SubmissionCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        let seed = context.request.seed ?? UInt64.random(in: 1..<1 << 32)
        let session = try WorkbookSession(context, seed: seed, gradesStrangers: true)
        let katas = try session.katasInOrder(named: context.request.operands)
        let submission = context.request.submission ?? ""
        guard FileManager.default.fileExists(atPath: context.folder(submission).path) else {
            throw CommandError(message: context.strings(.noSubmission, .text(submission)), code: .trouble)
        }
        let policy = try PolicyFile.ofSubmission(session)
        let scaled = katas.map(policy.scaled)
        let grader = try session.grader()
        let wanted = context.request.formats.first
        let format = ReportFormats.forSubmissions.first { $0.name == wanted } ?? ReportFormats.standard
        do {
            let graded = try await SingleLearnerGrading(context.folder(submission), grader: grader).grade(katas)
            let record = policy.scaled(graded, katas: scaled)
            var report = LearnerReport(
                record, katas: scaled, localization: try session.gradebookLocalization(katas, [format.name]),
                lateness: policy.lateness(of: record.time))
            report.gradedAt = Int(Date().timeIntervalSince1970)
            if let deadline = policy.deadline, record.time == nil {
                report.unappliedDeadline = deadline.text
            }
            if !report.adjustments.isEmpty { context.console.say(report.adjustments.joined(separator: "\n")) }
            let released = policy.release.map(report.released) ?? report
            let text = try format.text(released, seed: seed, language: context.language)
            context.console.printVerbatim(text)
            if let problem = record.problem { context.console.say(context.strings.reports(problem)) }
            return record.katas.allSatisfy(\.verdict.isPassed) && !record.katas.isEmpty ? .passed : .notPassed
        } catch {
            throw context.error(error)
        }
    }
}

extension WorkbookSession {
    /// The katas that are named, in the workbook's order; all but the warm-ups where no name is given.
    func katasInOrder(named names: [String]) throws(CommandError) -> [Kata] {
        if names.isEmpty { return katas.filter { !$0.warmUp } }
        let named = try katas(named: names)
        return katas.filter(named.contains)
    }

    /// The texts of reports in these formats.
    func gradebookLocalization(_ katas: [Kata], _ formats: [String]) throws -> GradebookLocalization {
        try GradebookLocalization(
            strings: strings.reports, gradebook: GradebookStrings(strings.language), texts: texts(of: katas),
            testCode: formats.contains(ReportFormats.showingTestCode) ? testCode(of: katas) : [:])
    }

    /// What the instructor says about tests, from the report's folder, by kata and test; nothing where nothing is said.
    ///
    /// - Parameter graded: the katas that the report is about. Comments on other katas of the workbook wait for their turn.
    func comments(in report: URL, _ graded: [Kata] = []) throws(CommandError) -> [String: [KataTest.ID: String]] {
        let file = report.appendingPathComponent(TestComments.fileName)
        guard let json = try context.report(file: file) else { return [:] }
        let others = katas.filter { kata in !graded.contains { $0.kata == kata.kata } }
        do throws(TestComments.Mistake) {
            return try TestComments(json, katas: graded + others).texts
        } catch {
            throw CommandError(message: error.text(context.typed(file), strings.reports), code: .trouble)
        }
    }

    /// The code of each test, from the suites of the workbook.
    private func testCode(of katas: [Kata]) -> [String: [KataTest.ID: String]] {
        var code: [String: [KataTest.ID: String]] = [:]
        for kata in katas {
            let folder = workbook.suite(kata.kata)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let suites = names.filter { $0.hasSuffix(".swift") }.compactMap { name in
                (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)).map(SuiteText.init)
            }
            for test in kata.tests {
                code[kata.kata, default: [:]][test.id] = suites.lazy.compactMap { $0.body(of: test.id) }.first
            }
        }
        return code
    }
}
