import Foundation
import Grading
import Reports
import Workbook

/// One sitting at the watch screen: it carries out what the model asks for, and shows what the model knows.
@MainActor
final class WatchSession {
    /// What can happen, in the order in which it does.
    private enum Happening: Sendable {
        case event(WatchModel.Event)
        case keys([UInt8])
        case signal(Int32)
        /// Something happened to a file in the current kata's folder.
        case touched
        /// The terminal is gone.
        case lost
    }

    private let seat: Seat
    private let workbook: WorkbookFolder
    private let bench: GradingBench
    /// For a run that was asked for by key: it grades even what it has a verdict for.
    private let freshBench: GradingBench
    private let terminal = Terminal()
    private let happenings: AsyncStream<Happening>
    private let feed: AsyncStream<Happening>.Continuation
    private var model: WatchModel
    private var screen: WatchScreen
    private var words: Words
    private var keys = KeyDecoder()
    private var fileWatch: FileWatch?
    private var grading: Task<Void, Never>?
    private var preparing: Task<Void, Never>?
    /// What the current kata's file held when it was last graded.
    private var gradedText: Data?
    private var shown: [String] = []
    /// Between Ctrl-Z and the shell's `fg` the terminal is somebody else's.
    private var isSuspended = false

    init(_ seat: Seat, startingWith name: String?) throws {
        self.seat = seat
        workbook = try seat.requireWorkbook()
        bench = try seat.bench(seed: seat.progress.seed ?? UInt64.random(in: 1..<1 << 32))
        var options = bench.options
        options.usesCache = false
        freshBench = try GradingBench(workbook: workbook, options: options)
        (happenings, feed) = AsyncStream.makeStream()
        let katas = try seat.katas()
        let start = try name.map { try seat.kata($0, among: katas) } ?? seat.currentKata(among: katas) ?? katas.first
        guard let start else {
            throw Stop(sentence: seat.words.reports(Statement(.noWorkbook, workbook.url.path)), code: .trouble)
        }
        model = WatchModel(
            katas: katas, current: katas.firstIndex(of: start) ?? 0,
            language: seat.request.language ?? seat.progress.language, fallback: seat.language, size: terminal.size,
            progress: seat.progress.katas)
        words = seat.words
        screen = try Self.screen(seat, workbook, katas, words)
        screen.brief = brief
    }

    func run() async -> ExitCode {
        guard terminal.take() else { return .trouble }
        defer { terminal.leave() }
        let feed = feed
        let signals = Signals { feed.yield(.signal($0)) }
        let input = listen()
        defer {
            input.cancel()
            withExtendedLifetime(signals) {}
        }
        feed.yield(.event(.started))
        for await happening in happenings {
            guard await answer(happening) else { break }
            guard show() else { break }
        }
        grading?.cancel()
        preparing?.cancel()
        // The person has the terminal back while what was started is ended.
        terminal.leave()
        await grading?.value
        return .passed
    }

    /// What is left on the terminal when the screen is gone.
    func goodbye(program: String) throws -> String {
        try WatchWords(model.language)(.goodbye, .text(program))
    }

    private func listen() -> any DispatchSourceRead {
        let feed = feed
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global(qos: .userInteractive))
        source.setEventHandler(
            handler: DispatchWorkItem {
                var bytes = [UInt8](repeating: 0, count: 1024)
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count > 0 {
                    feed.yield(.keys(Array(bytes.prefix(count))))
                } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                    feed.yield(.lost)
                }
            })
        source.activate()
        return source
    }

    /// False when the session is over.
    private func answer(_ happening: Happening) async -> Bool {
        switch happening {
        case .event(let event): return await take(event)
        case .keys(let bytes):
            for key in keys.decode(bytes) where await !take(.key(key)) { return false }
            model.scroll = min(model.scroll, screen.lastScroll(model))
            return true
        case .lost: return false
        case .touched:
            // An editor touches a file in many ways; a save is a text that is another one.
            let text = try? Data(contentsOf: workbook.learnerFile(model.kata.kata))
            return text == gradedText ? true : await take(.saved)
        case .signal(SIGWINCH): return await take(.resized(terminal.size))
        case .signal(SIGTSTP):
            // The stop takes effect on all threads a little later than the call returns: what goes on is the signal to.
            isSuspended = true
            terminal.leave()
            kill(getpid(), SIGSTOP)
            return true
        case .signal(SIGCONT): return await resume()
        case .signal: return false
        }
    }

    private func resume() async -> Bool {
        isSuspended = false
        shown = []
        terminal.take()
        _ = await take(.resized(terminal.size))
        return await take(.resumed)
    }

    private func take(_ event: WatchModel.Event) async -> Bool {
        for effect in model.handle(event) where await !carryOut(effect) { return false }
        return true
    }

    private func show() -> Bool {
        if isSuspended { return true }
        let lines = screen.lines(model)
        guard lines != shown else { return true }
        shown = lines
        return terminal.show(lines)
    }

    // MARK: - Effects

    private func carryOut(_ effect: WatchModel.Effect) async -> Bool {
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
        gradedText = try? Data(contentsOf: file)
        grading?.cancel()
        preparing?.cancel()
        _ = show()
        let feed = feed
        let bench = isForced ? freshBench : bench
        let submission = Submission(kata: kata, file: file, displayPath: seat.typed(file))
        let store = seat.store
        let reports = words.reports
        let tell = words
        let typed = { @Sendable [seat] in seat.typed($0) }
        grading = Task.detached {
            do throws(GradingError) {
                let verdict = try await bench.grade(submission)
                if Task.isCancelled { return }
                feed.yield(.event(.graded(verdict, of: run)))
                do throws(ProgressStore.Problem) {
                    _ = try store?.update { $0.record(verdict, at: Date()) }
                } catch {
                    feed.yield(.event(.trouble(tell.sentence(of: error, path: typed))))
                }
            } catch {
                if Task.isCancelled { return }
                feed.yield(.event(.gradingFailed(reports(error.statement), of: run)))
            }
        }
    }

    private func prepare(_ kata: Kata) {
        let bench = bench
        preparing?.cancel()
        // What the learner waits for comes first; a failure shows when the kata itself is graded.
        preparing = Task.detached(priority: .background) { try? await bench.prepare(kata) }
    }

    private func watch(_ kata: Kata) {
        let feed = feed
        fileWatch = FileWatch([workbook.exercise(kata.kata)]) { feed.yield(.touched) }
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
