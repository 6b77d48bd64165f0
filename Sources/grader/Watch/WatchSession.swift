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
        /// Something happened to a file in the current kata's folder.
        case touched
    }

    private let session: WorkbookSession
    private let terminalSession = TerminalSession<Event>()
    private var model: WatchModel
    private var screen: WatchScreen
    private var fileWatch: FileWatch?
    private var grading: Task<Void, Never>?
    private var preparing: Task<Void, Never>?
    /// What the current kata's file held when it was last graded.
    private var gradedText: Data?

    init(_ context: CommandContext, startingWith name: String?) throws {
        let tell = terminalSession.tell
        session = try WorkbookSession(context) {
            tell(.event(.trouble($0)))
        } onBuildProgress: {
            tell(.event(.built($1, kata: $0.kata)))
        }
        // A machine that cannot grade is reported before the screen is taken.
        _ = try session.grader()
        let katas = session.katas
        guard let start = try name.map(session.kata(named:)) ?? session.currentKata ?? katas.first else {
            throw context.error(WorkbookError(.noWorkbook, session.workbook.url.path))
        }
        model = WatchModel(
            katas: katas, current: katas.firstIndex(of: start) ?? 0,
            language: context.request.language ?? context.progress.language, fallback: context.language,
            size: terminalSession.size, progress: context.progress.katas)
        screen = try WatchScreen(session, katas)
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
            let text = Self.text(of: session.workbook.learnerFile(model.kata.kata))
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
        case .prepare(let katas): prepare(katas.map { model.katas[$0] })
        case .watch(let kata): watch(model.katas[kata])
        case .remember(let test, let level, let kata): remember(test, level, model.katas[kata])
        case .reset(let kata): reset(model.katas[kata])
        case .speak(let language): speak(language)
        case .quit: return false
        }
        return true
    }

    private func grade(_ kata: Kata, _ run: WatchModel.Run, isForced: Bool) {
        gradedText = Self.text(of: session.workbook.learnerFile(kata.kata))
        grading?.cancel()
        preparing?.cancel()
        terminalSession.show(screen.lines(model))
        let tell = terminalSession.tell
        grading = Task.detached { [session] in
            do throws(CommandError) {
                let verdict = try await session.grade(kata, ignoringCache: isForced)
                if Task.isCancelled { return }
                // The learner waits for the screen, and not for the disk.
                tell(.event(.graded(verdict, of: run)))
                session.record(verdict)
            } catch {
                if Task.isCancelled { return }
                tell(.event(.gradingFailed(error.message, of: run)))
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

    private func prepare(_ katas: [Kata]) {
        preparing?.cancel()
        // At the lowest priority: what the learner waits for comes first.
        preparing = Task.detached(priority: .background) { [session] in await session.prepare(katas) }
    }

    private func watch(_ kata: Kata) {
        let tell = terminalSession.tell
        fileWatch = FileWatch([session.workbook.exercise(kata.kata)]) { tell(.touched) }
        screen.brief = brief
    }

    private func remember(_ test: String, _ level: Int, _ kata: Kata) {
        _ = model.handle(.hintShown(test: test, level: level, kata: kata.kata))
        session.update { $0.katas[kata.kata, default: KataProgress()].hintsShown[test] = level }
    }

    private func reset(_ kata: Kata) {
        do {
            var backup: URL?
            if case .done(let kept) = try session.reset(kata) { backup = kept }
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
            screen = try WatchScreen(session, model.katas)
            screen.brief = brief
        } catch {
            _ = model.handle(.trouble(session.error(error).message))
        }
        session.update { $0.language = language }
    }

    private var brief: String { session.workbook.brief(model.kata.kata, model.language) ?? "" }
}
