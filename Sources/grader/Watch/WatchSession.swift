import Foundation
import Grading
import Reports
import Storage
import Workbook

/// Watch mode from its start to its end: it carries out what the model asks for, and shows what the model knows.
@MainActor
final class WatchSession {
    private enum Event: Sendable {
        case event(WatchModel.Event)
        /// Something happened to a file in a kata's folder.
        case touched
    }

    private let session: WorkbookSession
    private let terminalSession = TerminalSession<Event>()
    private var model: WatchModel
    private var screen: WatchScreen
    private var fileWatch: FileWatch?
    private var grading: Task<Void, Never>?
    private var preparing: Task<Void, Never>?
    /// What each kata's file held when it was last looked at: the current one's when it was last graded.
    private var known: [String: Data] = [:]
    /// What is graded, or was graded last.
    private var graded: String?
    private let editor: Editor?

    init(_ context: CommandContext, startingWith name: String?) throws {
        let tell = terminalSession.tell
        session = try WorkbookSession(context) {
            tell(.event(.trouble($0)))
        } onBuildProgress: {
            tell(.event(.built($1, kata: $0.kata)))
        } onStep: { event in
            tell(.event(.doing(WatchModel.Step(event.step), kata: event.kata)))
        }
        // A machine that cannot grade is reported before the screen is taken.
        _ = try session.grader()
        let katas = session.katas
        guard
            let start = try name.map(session.kata(named:)) ?? session.latestKata
                ?? session.currentKata ?? katas.first
        else {
            throw context.error(WorkbookError(.noWorkbook, session.workbook.url.path))
        }
        editor = Editor(environment: ProcessInfo.processInfo.environment)
        for kata in katas { known[kata.kata] = Self.text(of: session.workbook.learnerFile(kata.kata)) }
        model = WatchModel(
            katas: katas, current: katas.firstIndex(of: start) ?? 0,
            language: context.request.language ?? context.progress.language, fallback: context.language,
            size: terminalSession.size, progress: context.progress.katas)
        screen = try WatchScreen(session, katas)
        readBrief()
    }

    func run() async -> ExitCode {
        let sat = await terminalSession.run(.event(.started), lines: { screen.lines(model) }, answer: answer)
        grading?.cancel()
        preparing?.cancel()
        SubmissionGrader.endAllProcesses()
        await grading?.value
        await preparing?.value
        return sat ? .passed : .trouble
    }

    /// What is left on the terminal when the screen is gone.
    var goodbye: String {
        get throws { try WatchStrings(model.language)(.goodbye, .text(session.context.commandLine(nil))) }
    }

    /// False when the session is over.
    private func answer(_ input: TerminalSession<Event>.Input) -> Bool {
        switch input {
        case .event(.event(let event)): return take(event)
        case .event(.touched):
            return touched(model.katas.indices)
        case .key(let key):
            // What was saved before the key was pressed is a save of the kata that was on the screen then.
            guard touched(model.current..<model.current + 1) else { return false }
            return take(.key(key))
        case .keysRead:
            model.scroll = min(model.scroll, screen.lastScroll(model))
            return true
        case .resized(let size): return take(.resized(size))
        case .resumed: return take(.resumed)
        }
    }

    private func take(_ event: WatchModel.Event) -> Bool {
        if case .graded(_, let run) = event, run == model.run {
            screen.source = graded
            screen.unused = session.workbook.unusedFiles(model.kata.kata)
        }
        if case .remembered(_, let milestones, _) = event, !milestones.rules.isEmpty { readRules() }
        let before = model.screen
        for effect in model.handle(event) where !carryOut(effect) { return false }
        if model.screen == .answer, before != .answer { readAnswers() }
        // What is left to do is what a learner looks for in the brief of a kata that is passed.
        if model.screen == .brief, before != .brief, model.outcome(of: model.kata).isPassed {
            model.scroll = screen.masteringScroll(model)
        }
        return true
    }

    /// An editor touches a file in many ways; a save is a text that is another one.
    private func touched(_ katas: Range<Int>) -> Bool {
        var saved: [Int] = []
        for index in katas {
            let kata = model.katas[index]
            let text = Self.text(of: session.workbook.learnerFile(kata.kata))
            guard text != known[kata.kata] else { continue }
            known[kata.kata] = text
            // A file that is gone was not saved. The current kata's screen says that it is missing.
            if text != nil || index == model.current { saved.append(index) }
        }
        if saved.contains(model.current) { return take(.saved) }
        // Several at once were not written by hand: a branch was changed.
        return saved.count == 1 ? take(.savedOther(kata: saved[0])) : true
    }

    // MARK: - Effects

    private func carryOut(_ effect: WatchModel.Effect) -> Bool {
        switch effect {
        case .grade(let kata, let run, let isForced): grade(model.katas[kata], run, isForced: isForced)
        case .gradeAll(let run): gradeAll(run)
        case .edit(let kata): edit(model.katas[kata])
        case .prepare(let katas): prepare(katas.map { model.katas[$0] })
        case .watch: watch()
        case .remember(_, let mistake, let level, let kata): remember(mistake, level, model.katas[kata])
        case .reset(let kata): reset(model.katas[kata])
        case .speak(let language): speak(language)
        case .quit: return false
        }
        return true
    }

    private func grade(_ kata: Kata, _ run: WatchModel.Run, isForced: Bool) {
        known[kata.kata] = Self.text(of: session.workbook.learnerFile(kata.kata))
        grading?.cancel()
        preparing?.cancel()
        terminalSession.show(screen.lines(model))
        let tell = terminalSession.tell
        let submission = session.submission(kata)
        graded = submission.text
        grading = Task.detached { [session] in
            do throws(CommandError) {
                let verdict = try await session.grade(submission, ignoringCache: isForced)
                if Task.isCancelled { return }
                // The learner waits for the screen, and not for the disk.
                tell(.event(.graded(verdict, of: run)))
                let milestones = session.record(verdict, on: submission)
                if let progress = session.progress.katas[kata.kata] {
                    tell(.event(.remembered(progress, milestones, kata: kata.kata)))
                }
            } catch {
                if Task.isCancelled { return }
                tell(.event(.gradingFailed(error.message, of: run)))
            }
        }
    }

    private func gradeAll(_ run: WatchModel.Run) {
        grading?.cancel()
        preparing?.cancel()
        let tell = terminalSession.tell
        grading = Task.detached { [session] in
            do throws(CommandError) {
                for kata in session.katas {
                    let submission = session.submission(kata)
                    let verdict = try await session.grade(submission)
                    if Task.isCancelled { return }
                    session.record(verdict, on: submission)
                    tell(.event(.checked(verdict, of: run)))
                }
                tell(.event(.checkedAll(of: run)))
            } catch {
                if Task.isCancelled { return }
                tell(.event(.gradingFailed(error.message, of: run)))
            }
        }
    }

    private func edit(_ kata: Kata) {
        guard let editor else { return model.notice = .noEditor }
        let file = session.workbook.learnerFile(kata.kata)
        var isDone = false
        terminalSession.lend { isDone = editor.open(file) }
        if !isDone { model.notice = .trouble(screen.watch(.editorFailed, .text(editor.command))) }
    }

    /// What a file holds, as far as it tells one save from another: nothing where there is no file to be read, and nothing is
    /// waited for. A file that no kata can be is known by its size and time.
    private static func text(of file: URL) -> Data? {
        var status = stat()
        guard stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        guard status.st_size <= 4 << 20 else {
            let values = try? file.resourceValues(forKeys: [.contentModificationDateKey])
            return Data("\(status.st_size) \(values?.contentModificationDate?.timeIntervalSince1970 ?? 0)".utf8)
        }
        return try? Data(contentsOf: file)
    }

    private func prepare(_ katas: [Kata]) {
        preparing?.cancel()
        // At the lowest priority: what the learner waits for comes first.
        preparing = Task.detached(priority: .background) { [session] in await session.prepare(katas) }
    }

    private func watch() {
        session.noteOpened(model.kata)
        let tell = terminalSession.tell
        if fileWatch == nil {
            fileWatch = FileWatch(session.katas.map { session.workbook.exercise($0.kata) }) { tell(.touched) }
        }
        readBrief()
        screen.source = nil
        screen.unused = []
    }

    private func remember(_ mistake: String, _ level: Int, _ kata: Kata) {
        _ = model.handle(.hintShown(mistake: mistake, level: level, kata: kata.kata))
        session.update { $0.katas[kata.kata, default: KataProgress()].hintsShown[mistake] = level }
    }

    private func reset(_ kata: Kata) {
        do {
            var backup: URL?
            if case .done(let kept) = try session.reset(kata) { backup = kept }
            known[kata.kata] = Self.text(of: session.workbook.learnerFile(kata.kata))
            for effect in model.handle(.wasReset(kata: kata.kata, backup: backup?.path)) {
                if case .grade(let index, let run, let isForced) = effect {
                    grade(model.katas[index], run, isForced: isForced)
                }
            }
        } catch {
            _ = model.handle(.trouble(error.message))
        }
    }

    private func speak(_ language: Language) {
        do {
            try session.speak(language)
            let (source, unused) = (screen.source, screen.unused)
            screen = try WatchScreen(session, model.katas)
            readBrief()
            screen.source = source
            screen.unused = unused
        } catch {
            _ = model.handle(.trouble(session.error(error).message))
        }
        session.update { $0.language = language }
    }

    /// After a rule was met. What cannot be read stays as it was.
    private func readRules() {
        screen.rules = (try? session.rules()) ?? screen.rules
        screen.solved = session.solved(screen.rules)
    }

    /// Who has passed sees an answer that passes first; who has mastered the kata compares all of them.
    private func readAnswers() {
        let kata = model.kata
        let isMastered = model.outcome(of: kata) == .mastered
        let passing = isMastered ? nil : session.passingAnswer(kata)
        screen.answers =
            [passing, session.modelAnswer(kata)].compactMap(\.self) + (isMastered ? session.approaches(kata) : [])
        screen.questions = session.workbook.interviewAnswers(kata.kata, model.language)?.questions ?? []
    }

    private func readBrief() {
        let (workbook, kata) = (session.workbook, model.kata.kata)
        screen.brief = workbook.briefWithoutNext(kata, model.language)
        screen.mastering = workbook.brief(kata, .english).flatMap { BriefText.place(of: "Mastering", in: $0) }
    }
}

extension WatchModel.Step {
    init(_ step: TraceEvent.Step) {
        self =
            switch step {
            case .askCompiler, .makeClangModules, .copyModules, .linkSupport, .compileHarness, .compileAnswer,
                .compileSuite, .runAnswer:
                .buildingTests
            case .compileSubmission, .link: .compiling
            case .run: .running
            case .runControls, .runForRaces, .findLines: .lookingAgain
            }
    }
}
