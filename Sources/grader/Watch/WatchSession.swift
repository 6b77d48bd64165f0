import Foundation
import Grading
import Reports
import Workbook

/// One sitting at the watch screen: it carries out what the model asks for, and shows what the model knows.
@MainActor
final class WatchSession {
    private enum Event: Sendable {
        case event(WatchModel.Event)
        /// Something happened to a file in the current kata's folder.
        case touched
    }

    private let context: CommandContext
    private let workbook: WorkbookFolder
    private let grader: SubmissionGrader
    /// For a run that was asked for by key: it grades even what it has a verdict for.
    private let freshGrader: SubmissionGrader
    private let terminalSession = TerminalSession<Event>()
    private var model: WatchModel
    private var screen: WatchScreen
    private var strings: CommandStrings
    private var fileWatch: FileWatch?
    private var grading: Task<Void, Never>?
    private var preparing: Task<Void, Never>?
    /// What the current kata's file held when it was last graded.
    private var gradedText: Data?

    init(_ context: CommandContext, startingWith name: String?) throws {
        self.context = context
        workbook = try context.requireWorkbook()
        grader = try context.grader(seed: context.progress.seed ?? UInt64.random(in: 1..<1 << 32))
        var options = grader.options
        options.usesCache = false
        freshGrader = try SubmissionGrader(workbook: workbook, options: options)
        let katas = try context.katas()
        let start =
            try name.map { try context.kata($0, among: katas) } ?? context.currentKata(among: katas) ?? katas.first
        guard let start else {
            throw CommandError(
                message: context.strings.reports(LocalizableMessage(.noWorkbook, workbook.url.path)), code: .trouble)
        }
        model = WatchModel(
            katas: katas, current: katas.firstIndex(of: start) ?? 0,
            language: context.request.language ?? context.progress.language, fallback: context.language,
            size: terminalSession.size,
            progress: context.progress.katas)
        strings = context.strings
        screen = try Self.screen(context, workbook, katas, strings)
        screen.brief = brief
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
    func goodbye(program: String) throws -> String {
        try WatchStrings(model.language)(.goodbye, .text(program))
    }

    /// False when the session is over.
    private func answer(_ input: TerminalSession<Event>.Input) -> Bool {
        switch input {
        case .event(.event(let event)): return take(event)
        case .event(.touched):
            // An editor touches a file in many ways; a save is a text that is another one.
            let text = Self.text(of: workbook.learnerFile(model.kata.kata))
            return text == gradedText ? true : take(.saved)
        case .key(let key): return take(.key(key))
        case .keysRead:
            model.scroll = min(model.scroll, screen.lastScroll(model))
            return true
        case .resized(let size): return take(.resized(size))
        case .resumed: return take(.resumed)
        }
    }

    private func take(_ event: WatchModel.Event) -> Bool {
        for effect in model.handle(event) where !carryOut(effect) { return false }
        return true
    }

    // MARK: - Effects

    private func carryOut(_ effect: WatchModel.Effect) -> Bool {
        switch effect {
        case .grade(let kata, let run, let isForced): grade(model.katas[kata], run, isForced: isForced)
        case .prepare(let kata): prepare(model.katas[kata])
        case .watch(let kata): watch(model.katas[kata])
        case .remember(let test, let level, let kata): remember(test, level, model.katas[kata])
        case .reset(let kata): reset(model.katas[kata])
        case .speak(let language): speak(language)
        case .quit: return false
        }
        return true
    }

    private func grade(_ kata: Kata, _ run: WatchModel.Run, isForced: Bool) {
        let file = workbook.learnerFile(kata.kata)
        gradedText = Self.text(of: file)
        grading?.cancel()
        preparing?.cancel()
        terminalSession.show(screen.lines(model))
        let tellScreen = terminalSession.tell
        let grader = isForced ? freshGrader : grader
        let submission = Submission(kata: kata, file: file, displayPath: context.typed(file))
        let store = context.store
        let reports = strings.reports
        let tell = strings
        let typed = { @Sendable [context] in context.typed($0) }
        grading = Task.detached {
            do throws(GradingError) {
                let verdict = try await grader.grade(submission)
                if Task.isCancelled { return }
                tellScreen(.event(.graded(verdict, of: run)))
                do throws(ProgressStore.Problem) {
                    _ = try store?.update { $0.record(verdict, at: Date()) }
                } catch {
                    tellScreen(.event(.trouble(tell.message(of: error, path: typed))))
                }
            } catch {
                if Task.isCancelled { return }
                tellScreen(.event(.gradingFailed(reports(error.message), of: run)))
            }
        }
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

    private func prepare(_ kata: Kata) {
        let grader = grader
        preparing?.cancel()
        // What the learner waits for comes first; a failure shows when the kata itself is graded.
        preparing = Task.detached(priority: .background) { try? await grader.prepare(kata) }
    }

    private func watch(_ kata: Kata) {
        let tell = terminalSession.tell
        fileWatch = FileWatch([workbook.exercise(kata.kata)]) { tell(.touched) }
        screen.brief = brief
    }

    private func remember(_ test: String, _ level: Int, _ kata: Kata) {
        _ = model.handle(.hintShown(test: test, level: level, kata: kata.kata))
        store { progress in progress.katas[kata.kata, default: KataProgress()].hintsShown[test] = level }
    }

    private func reset(_ kata: Kata) {
        do {
            var backup: URL?
            if case .done(let kept) = try StubReset(context: context).run(kata) {
                backup = kept
                store { StubReset.forget(kata, in: &$0) }
            }
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
            let spoken = try CommandStrings(language)
            screen = try Self.screen(context, workbook, model.katas, spoken)
            strings = spoken
            screen.brief = brief
        } catch {
            _ = model.handle(.trouble("\(error)"))
        }
        store { $0.language = language }
    }

    private func store(_ change: (inout LearnerProgress) -> Void) {
        do {
            _ = try context.store?.update(change)
        } catch {
            _ = model.handle(.trouble(strings.message(of: error, path: context.typed)))
        }
    }

    // MARK: - Texts

    private var brief: String { workbook.brief(model.kata.kata, model.language) ?? "" }

    private static func screen(
        _ context: CommandContext, _ workbook: WorkbookFolder, _ katas: [Kata], _ strings: CommandStrings
    ) throws -> WatchScreen {
        var texts: [String: KataTexts] = [:]
        for kata in katas {
            let file = workbook.exercise(kata.kata).appendingPathComponent("Hints.xcstrings")
            texts[kata.kata] = try KataTexts(contentsOf: file, language: strings.language)
        }
        return WatchScreen(
            watch: try WatchStrings(strings.language), reports: strings.reports, style: context.style,
            typed: { context.typed($0) },
            workbook: workbook, texts: texts, brief: "")
    }
}
