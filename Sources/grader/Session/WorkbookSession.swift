import Foundation
import Grading
import Reports
import Storage
import Synchronization
import Workbook

/// One person's work on a workbook: its katas and their texts, what is remembered, and the grading of what they wrote.
///
/// Every command that grades uses it, so that all of them draw their values from the same seed and remember in the same
/// way.
final class WorkbookSession: Sendable {
    let context: CommandContext
    let workbook: WorkbookFolder
    /// In the workbook's order.
    let katas: [Kata]
    private let givenSeed: UInt64?
    private let sandbox: GradingOptions.SandboxRequirement
    private let gradesStrangers: Bool
    private let onProblem: (@Sendable (String) -> Void)?
    private let onBuildProgress: @Sendable (Kata, Double) -> Void
    private let onStep: (@Sendable (TraceEvent) -> Void)?
    private let state: Mutex<State>
    /// Held while the file is changed, so that what is known here is what was written last.
    private let writing = Mutex<Void>(())

    private struct State {
        var strings: CommandStrings
        var progress: LearnerProgress
        var grader: SubmissionGrader?
        var reported: Set<String> = []
        var couldRemember = true
    }

    /// - Parameters:
    ///   - seed: the seed, where it is neither the command line's nor the learner's.
    ///   - gradesStrangers: the code is not the learner's own: it does not run without a sandbox unless `--no-sandbox` is
    ///     given.
    ///   - onProblem: takes each sentence about what could not be remembered; by default each is printed once.
    ///   - onBuildProgress: receives how much of a long build is done; by default a bar shows it.
    ///   - onStep: receives what a grading does, as it begins.
    init(
        _ context: CommandContext, seed: UInt64? = nil, gradesStrangers: Bool = false,
        onProblem: (@Sendable (String) -> Void)? = nil, onBuildProgress: (@Sendable (Kata, Double) -> Void)? = nil,
        onStep: (@Sendable (TraceEvent) -> Void)? = nil
    ) throws(CommandError) {
        self.context = context
        workbook = try context.requireWorkbook()
        do {
            katas = try workbook.katas()
        } catch {
            throw context.error(error)
        }
        givenSeed = seed ?? context.request.seed
        sandbox = !context.request.sandboxed ? .none : gradesStrangers ? .required : .whenAvailable
        self.gradesStrangers = gradesStrangers
        self.onProblem = onProblem
        self.onBuildProgress = onBuildProgress ?? BuildBar(context).show
        self.onStep = onStep
        state = Mutex(State(strings: context.strings, progress: context.progress))
    }

    // MARK: - Katas and texts

    /// The kata to work on: the first that is not passed, then the first that is not mastered.
    var currentKata: Kata? {
        let progress = progress
        func best(_ kata: Kata) -> Verdict.Outcome { progress.katas[kata.kata]?.best?.outcome ?? .notStarted }
        return katas.first { !best($0).isPassed } ?? katas.first { best($0) != .mastered }
    }

    /// The parts of a kata's stub, as it was shipped.
    func parts(of kata: Kata) -> StubParts {
        StubParts((try? Data(contentsOf: workbook.shippedStub(kata.kata))).map(Array.init) ?? [])
    }

    /// The kata that the learner went to or saved last, unless that has mastered it.
    var latestKata: Kata? {
        let progress = progress
        func time(_ kata: Kata) -> Date? {
            let (file, stub) = (workbook.learnerFile(kata.kata), workbook.shippedStub(kata.kata))
            let opened = progress.opened.flatMap { $0.kata == kata.kata ? $0.at : nil }
            let isBegun = !FileManager.default.contentsEqual(atPath: file.path, andPath: stub.path)
            let saved = isBegun ? try? file.resourceValues(forKeys: [.contentModificationDateKey]) : nil
            return [opened, saved?.contentModificationDate].compactMap(\.self).max()
        }
        let times = katas.compactMap { kata in time(kata).map { (kata, $0) } }
        guard let (latest, time) = times.max(by: { $0.1 < $1.1 }) else { return nil }
        // A verdict's time is in whole seconds.
        let isDone = progress.katas[latest.kata]?.last.map { last in
            last.outcome == .mastered && time < last.at.addingTimeInterval(1)
        }
        return isDone == true ? nil : latest
    }

    /// The language that the session speaks now; watch mode may change it.
    var strings: CommandStrings { state.withLock { $0.strings } }

    func speak(_ language: Language) throws {
        let strings = try CommandStrings(language)
        state.withLock { $0.strings = strings }
    }

    /// What the kata says, in the session's language.
    func texts(of kata: Kata) throws(CommandError) -> KataTexts {
        let file = workbook.texts(kata.kata)
        do {
            return try KataTexts(contentsOf: file, language: strings.language)
        } catch let problem {
            throw error(WorkbookError(context.typed(file), at: file, unreadable: problem))
        }
    }

    /// What each kata says, by its name.
    func texts(of katas: [Kata]) throws(CommandError) -> [String: KataTexts] {
        var texts: [String: KataTexts] = [:]
        for kata in katas { texts[kata.kata] = try self.texts(of: kata) }
        return texts
    }

    /// The titles of the katas' phases, as far as they have one.
    func phases() throws(CommandError) -> [Int: String] {
        var titles: [Int: String] = [:]
        guard FileManager.default.fileExists(atPath: workbook.phases.path) else { return titles }
        do {
            let catalog = try StringCatalog(contentsOf: workbook.phases, language: strings.language)
            for number in Set(katas.map(\.phase)) where catalog.has("phase.\(number)") {
                titles[number] = catalog.text("phase.\(number)")
            }
        } catch let problem {
            throw error(WorkbookError(context.typed(workbook.phases), at: workbook.phases, unreadable: problem))
        }
        return titles
    }

    /// What each kata stands under, by its name: its strand, or its phase where it has none.
    func groupTitles() throws(CommandError) -> [String: String] {
        let (phases, reports) = (try phases(), strings.reports)
        return Dictionary(
            katas.map { kata in
                let number = StringCatalog.Argument.integer(kata.phase)
                let phase =
                    phases[kata.phase].map { reports(.phase, number, .text($0)) } ?? reports(.phaseWithoutTitle, number)
                return (kata.kata, kata.strand.map { reports(ReportKey($0)) } ?? phase)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The learner's file for a kata, as the learner would type its path.
    func path(of kata: Kata) -> String { context.typed(workbook.learnerFile(kata.kata)) }

    /// An error in the session's language.
    func error(_ error: any Error) -> CommandError { CommandError(error, strings) }

    // MARK: - Grading

    /// The grader of this session. Its seed is the one that is given; else the remembered one; else one that is drawn now
    /// and remembered, so that every later grading in this workbook draws the same values.
    func grader() throws(CommandError) -> SubmissionGrader {
        if let grader = state.withLock({ $0.grader }) { return grader }
        let remembered = givenSeed ?? progress.seed
        var options = GradingOptions()
        options.seed = remembered ?? UInt64.random(in: 1..<1 << 32)
        options.usesCache = context.request.usesCache
        options.schedule = context.request.schedule
        options.sandbox = sandbox
        options.confirmsPoints = gradesStrangers
        options.engine = try engine()
        options.onBuildProgress = onBuildProgress
        options.trace = onStep
        if let jobs = context.request.jobs { options.jobs = jobs }
        let grader: SubmissionGrader
        do {
            grader = try SubmissionGrader(workbook: workbook, options: options)
        } catch let problem {
            throw error(problem)
        }
        if remembered == nil {
            update { $0.seed = $0.seed ?? options.seed }
            // Another program may have drawn one at the same moment.
            if progress.seed != options.seed { return try self.grader() }
        }
        return state.withLock { state in
            if let first = state.grader { return first }
            state.grader = grader
            return grader
        }
    }

    /// The engine that the command line names; else the environment's, and else the platform's own.
    func engine() throws(CommandError) -> EngineName {
        if let engine = context.request.engine { return engine }
        guard let name = context.engineOfEnvironment else { return .standard }
        guard let engine = EngineName.available.first(where: { $0.rawValue == name.lowercased() }) else {
            let sentence = strings(.unknownEngine, .text(name), .list(EngineName.available.map(\.rawValue)))
            throw CommandError(message: sentence, code: .usage)
        }
        return engine
    }

    func grade(_ submission: Submission, ignoringCache: Bool = false) async throws(CommandError) -> Verdict {
        do {
            return try await grader().grade(submission, ignoringCache: ignoringCache)
        } catch let problem {
            throw error(problem)
        }
    }

    /// Grades what the learner's file holds now.
    func grade(_ kata: Kata) async throws(CommandError) -> Verdict { try await grade(submission(kata)) }

    /// Grades several katas, some at once, and remembers each verdict before it is given.
    func grade(_ katas: [Kata]) throws(CommandError) -> AsyncStream<(Submission, Result<Verdict, CommandError>)> {
        let grader = try grader()
        let submissions = katas.map(submission)
        let (results, give) = AsyncStream.makeStream(of: (Submission, Result<Verdict, CommandError>).self)
        Task {
            await grader.grade(submissions) { submission, result in
                if case .success(let verdict) = result { self.record(verdict, on: submission) }
                give.yield((submission, result.mapError(self.error)))
            }
            give.finish()
        }
        return results
    }

    /// Compiles what the katas' gradings need, one kata after the other, while the learner reads. A failure shows when the kata
    /// itself is graded.
    func prepare(_ katas: [Kata]) async {
        for kata in katas where !Task.isCancelled { try? await grader().prepare(kata) }
    }

    /// What the learner's file holds now.
    func submission(_ kata: Kata) -> Submission {
        Submission(kata: kata, file: workbook.learnerFile(kata.kata), displayPath: path(of: kata))
    }

    // MARK: - Progress

    /// What is remembered, with all that this session has changed.
    var progress: LearnerProgress { state.withLock { $0.progress } }

    /// False where something could not be remembered. A file from a newer program is no such case: it is left alone, and
    /// grading goes on without it.
    var couldRemember: Bool { state.withLock { $0.couldRemember } }

    @discardableResult
    func record(_ verdict: Verdict, on submission: Submission) -> Milestones {
        let text = submission.text.map { String(SHA256.digest(of: $0).hex.prefix(16)) }
        var milestones = Milestones()
        update { milestones = $0.record(verdict, of: submission.kata, on: text, at: Date()) }
        return milestones
    }

    /// Remembers the kata that the learner went to.
    func noteOpened(_ kata: Kata) { update { $0.opened = OpenedKata(kata: kata.kata, at: Date()) } }

    /// Changes what is remembered. Where the file cannot be written, that is reported, and the change holds for this
    /// session.
    func update(_ change: (inout LearnerProgress) -> Void) {
        do throws(ProgressStore.Problem) {
            guard let store = context.store else { return state.withLock { change(&$0.progress) } }
            let contents = try writing.withLock { _ throws(ProgressStore.Problem) in
                let contents = try store.update(change)
                state.withLock { $0.progress = contents.progress }
                return contents
            }
            if let kept = contents.damagedFileKeptAt {
                report(strings(.progressDamaged, .text(context.typed(kept))))
            }
        } catch {
            state.withLock { state in
                change(&state.progress)
                if case .unusable = error { state.couldRemember = false }
            }
            report(strings.message(of: error, path: context.typed))
        }
    }

    private func report(_ problem: String) {
        if let onProblem { return onProblem(problem) }
        if state.withLock({ $0.reported.insert(problem).inserted }) { context.console.say(problem) }
    }
}
