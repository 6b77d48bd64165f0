import Foundation
import Grading
import Reports
import Workbook

/// One sitting at the watch screen: it carries out what the model asks for, and shows what the model knows.
@MainActor
final class WatchSession {
    private enum Happening: Sendable {
        case event(WatchModel.Event)
        /// Something happened to a file in the current kata's folder.
        case touched
    }

    private let seat: Seat
    private let workbook: WorkbookFolder
    private let grader: SubmissionGrader
    /// For a run that was asked for by key: it grades even what it has a verdict for.
    private let freshGrader: SubmissionGrader
    private let sitting = Sitting<Happening>()
    private var model: WatchModel
    private var screen: WatchScreen
    private var words: Words
    private var fileWatch: FileWatch?
    private var grading: Task<Void, Never>?
    private var preparing: Task<Void, Never>?
    /// What the current kata's file held when it was last graded.
    private var gradedText: Data?

    init(_ seat: Seat, startingWith name: String?) throws {
        self.seat = seat
        workbook = try seat.requireWorkbook()
        grader = try seat.grader(seed: seat.progress.seed ?? UInt64.random(in: 1..<1 << 32))
        var options = grader.options
        options.usesCache = false
        freshGrader = try SubmissionGrader(workbook: workbook, options: options)
        let katas = try seat.katas()
        let start = try name.map { try seat.kata($0, among: katas) } ?? seat.currentKata(among: katas) ?? katas.first
        guard let start else {
            throw Stop(sentence: seat.words.reports(Statement(.noWorkbook, workbook.url.path)), code: .trouble)
        }
        model = WatchModel(
            katas: katas, current: katas.firstIndex(of: start) ?? 0,
            language: seat.request.language ?? seat.progress.language, fallback: seat.language, size: sitting.size,
            progress: seat.progress.katas)
        words = seat.words
        screen = try Self.screen(seat, workbook, katas, words)
        screen.brief = brief
    }

    func run() async -> ExitCode {
        let sat = await sitting.run(.event(.started), lines: { screen.lines(model) }, answer: answer)
        grading?.cancel()
        preparing?.cancel()
        SubmissionGrader.endAllProcesses()
        await grading?.value
        await preparing?.value
        return sat ? .passed : .trouble
    }

    /// What is left on the terminal when the screen is gone.
    func goodbye(program: String) throws -> String {
        try WatchWords(model.language)(.goodbye, .text(program))
    }

    /// False when the session is over.
    private func answer(_ turn: Sitting<Happening>.Turn) -> Bool {
        switch turn {
        case .event(.event(let event)): return take(event)
        case .event(.touched):
            // An editor touches a file in many ways; a save is a text that is another one.
            let text = Self.text(of: workbook.learnerFile(model.kata.kata))
            return text == gradedText ? true : take(.saved)
        case .key(let key): return take(.key(key))
        case .keysTold:
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
        sitting.show(screen.lines(model))
        let tellScreen = sitting.tell
        let grader = isForced ? freshGrader : grader
        let submission = Submission(kata: kata, file: file, displayPath: seat.typed(file))
        let store = seat.store
        let reports = words.reports
        let tell = words
        let typed = { @Sendable [seat] in seat.typed($0) }
        grading = Task.detached {
            do throws(GradingError) {
                let verdict = try await grader.grade(submission)
                if Task.isCancelled { return }
                tellScreen(.event(.graded(verdict, of: run)))
                do throws(ProgressStore.Problem) {
                    _ = try store?.update { $0.record(verdict, at: Date()) }
                } catch {
                    tellScreen(.event(.trouble(tell.sentence(of: error, path: typed))))
                }
            } catch {
                if Task.isCancelled { return }
                tellScreen(.event(.gradingFailed(reports(error.statement), of: run)))
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
        let tell = sitting.tell
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
            if case .done(let kept) = try StubReset(seat: seat).run(kata) {
                backup = kept
                store { StubReset.forget(kata, in: &$0) }
            }
            for effect in model.handle(.wasReset(kata: kata.kata, backup: backup?.path)) {
                if case .grade(let index, let run, let isForced) = effect {
                    grade(model.katas[index], run, isForced: isForced)
                }
            }
        } catch {
            _ = model.handle(.trouble(error.sentence))
        }
    }

    private func speak(_ language: Language) {
        do {
            let spoken = try Words(language)
            screen = try Self.screen(seat, workbook, model.katas, spoken)
            words = spoken
            screen.brief = brief
        } catch {
            _ = model.handle(.trouble("\(error)"))
        }
        store { $0.language = language }
    }

    private func store(_ change: (inout LearnerProgress) -> Void) {
        do {
            _ = try seat.store?.update(change)
        } catch {
            _ = model.handle(.trouble(words.sentence(of: error, path: seat.typed)))
        }
    }

    // MARK: - Texts

    private var brief: String { workbook.brief(model.kata.kata, model.language) ?? "" }

    private static func screen(
        _ seat: Seat, _ workbook: WorkbookFolder, _ katas: [Kata], _ words: Words
    ) throws -> WatchScreen {
        var texts: [String: KataTexts] = [:]
        for kata in katas {
            let file = workbook.exercise(kata.kata).appendingPathComponent("Hints.xcstrings")
            texts[kata.kata] = try KataTexts(contentsOf: file, language: words.language)
        }
        return WatchScreen(
            watch: try WatchWords(words.language), reports: words.reports, style: seat.style, typed: { seat.typed($0) },
            workbook: workbook, texts: texts, brief: "")
    }
}
