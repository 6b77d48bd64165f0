import Dispatch
import Foundation
import Grading
import Reports
import Storage
import Workbook

/// One sitting of an interview: it carries out what the model asks for, keeps it, and shows what the model knows.
@MainActor
final class InterviewSession {
    private enum Event: Sendable {
        case event(InterviewModel.Event)
        /// Something happened to a file in the session's exercises.
        case touched
    }

    private let session: WorkbookSession
    private let folder: InterviewFolder
    private let clock: SessionClock
    private let journal: InterviewJournal
    private let terminalSession = TerminalSession<Event>()
    /// Everything that happened, from the session's beginning.
    private var events: [InterviewEvent]
    private let missing: [Int]
    /// What the katas' files held before anybody wrote in them.
    private let stubs: [String: String]
    private var model: InterviewModel
    private var screen: InterviewScreen
    private var grading: Task<Void, Never>?
    private var lastBeat = -Double.infinity
    /// Where `session.json` is written, in the order of the events.
    private let writing = DispatchQueue(label: "session.json")
    /// Why the session cannot go on.
    private var failure: CommandError?

    /// A new session, or one that goes on with what was found of it.
    init(
        _ session: WorkbookSession, _ folder: InterviewFolder, _ plan: InterviewPlan,
        found: InterviewFolder.Contents?, journal: InterviewJournal, clock: SessionClock
    ) throws {
        self.session = session
        self.folder = folder
        self.journal = journal
        self.clock = clock
        events = found?.events ?? []
        missing = found?.record.missing ?? []
        let language =
            session.context.request.language ?? found.map(\.record.plan.language) ?? session.strings.language
        try session.speak(language)
        var stubs: [String: String] = [:]
        for kata in plan.katas {
            let stub = try? Data(contentsOf: folder.exercises.shippedStub(kata.kata))
            stubs[kata.kata] = stub.map { String(decoding: $0, as: UTF8.self) }
        }
        self.stubs = stubs
        var plan = plan
        plan.stubs = stubs
        let earlier = found.map { found in
            let last = found.record.last
            let beat = folder.lastBeat ?? last
            return InterviewModel.Earlier(
                record: found.record,
                left: InterviewMoment(at: max(last.at, beat.at), time: max(last.time, beat.time)))
        }
        model = InterviewModel(
            plan, earlier: earlier, stubs: stubs, language: language, size: terminalSession.size, clock: clock.kind,
            now: clock.read())
        screen = try Self.screen(session, folder, plan.katas)
        screen.watch.brief = brief
        screen.record = found?.record
    }

    func run() async -> ExitCode {
        let tell = terminalSession.tell
        let exercises = model.plan.katas.map { folder.exercises.exercise($0.kata) }
        let fileWatch = FileWatch(exercises) { tell(.touched) }
        let ticking = ticking { tell(.event(.tick)) }
        let (katas, session) = (model.plan.katas, session)
        let preparing = Task.detached(priority: .background) {
            // At the lowest priority: what the candidate waits for comes first.
            await session.prepare(katas)
        }
        let sat = await terminalSession.run(
            .event(.started(texts)), takesText: { model.takesText }, lines: { screen.lines(model) }, answer: answer)
        withExtendedLifetime((fileWatch, ticking)) {}
        preparing.cancel()
        grading?.cancel()
        SubmissionGrader.endAllProcesses()
        await grading?.value
        if sat { close() }
        if let failure {
            session.context.console.say(failure.message)
            return failure.code
        }
        session.context.console.print(screen.goodbye(model))
        guard sat else { return .trouble }
        guard let record else { return .notPassed }
        return record.katas.allSatisfy(\.outcome.isPassed) ? .passed : .notPassed
    }

    /// The seconds go by, or the file that tells the time does.
    private func ticking(_ tick: @escaping @Sendable () -> Void) -> AnyObject {
        if let file = clock.file { return FileWatch([file.deletingLastPathComponent()], tick) }
        return Ticker(every: 0.5, tick)
    }

    private func close() {
        guard failure == nil else { return }
        do {
            if record != nil { try folder.beat(model.time.moment) }
            try write()
            // A session that was never begun is removed, unless its files were edited.
            if record == nil, texts == stubs { try FileManager.default.removeItem(at: folder.url) }
        } catch {
            failure = cannotKeep(error, folder.session)
        }
    }

    // MARK: - What happens

    private var texts: [String: String] {
        var texts: [String: String] = [:]
        for kata in model.plan.katas { texts[kata.kata] = folder.text(of: kata.kata) }
        return texts
    }

    private var record: InterviewRecord? { InterviewRecord(events, missing: missing, entries: journal.count) }

    /// False when the sitting is over.
    private func answer(_ input: TerminalSession<Event>.Input) -> Bool {
        switch input {
        case .event(.event(let event)): return take(event)
        case .event(.touched): return take(.files(texts))
        case .key(let key): return take(.key(key))
        case .keysRead:
            model.watch.scroll = min(model.watch.scroll, screen.lastScroll(model))
            return true
        case .resized(let size): return take(.resized(size))
        case .resumed: return take(.tick)
        }
    }

    private func take(_ event: InterviewModel.Event) -> Bool {
        for effect in model.handle(event, at: clock.read()) where !carryOut(effect) { return false }
        beat()
        return true
    }

    /// Tells the disk now and then how far the session is: a kill takes some seconds of it at most.
    private func beat() {
        let now = model.time.last.awake
        guard clock.kind == .file || now - lastBeat >= 5, model.phase != .ready, !model.isOver else { return }
        lastBeat = now
        // The journal has everything else: a beat that is missed costs seconds, and the next keeping says what is wrong.
        try? folder.beat(model.time.moment)
    }

    private func carryOut(_ effect: InterviewModel.Effect) -> Bool {
        switch effect {
        case .keep(let event): return keep(event)
        case .grade(let save): grade(save)
        case .look: return take(.files(texts))
        case .turn: screen.watch.brief = brief
        case .speak(let language): speak(language)
        case .quit: return false
        }
        return true
    }

    private func keep(_ event: InterviewEvent) -> Bool {
        do {
            events += try journal.append(event, at: model.time.moment)
            switch event.kind {
            // From here on a damaged journal can be told from a foreign file; and here nothing more comes.
            case .begun, .closed:
                screen.record = record
                try write()
            // A hint that was used stays used, also if the journal is lost together with this program.
            case .hint: try? write()
            default:
                if case .graded = event.kind, model.isOver { screen.record = record }
                // After many saves it takes a moment, for which the candidate does not wait.
                let (folder, events, missing, count) = (folder, events, missing, journal.count)
                writing.async {
                    let record = InterviewRecord(events, missing: missing, entries: count)
                    if let record { try? folder.write(record) }
                }
            }
            return true
        } catch {
            failure = cannotKeep(error, folder.journal)
            return false
        }
    }

    /// Writes `session.json`. When this returns, it is there.
    private func write() throws {
        if let record { try writing.sync { try folder.write(record) } }
    }

    private func cannotKeep(_ error: any Error, _ file: URL) -> CommandError {
        let reason = session.strings.reason(SystemFailure(error))
        return CommandError(
            message: screen.strings(
                .cannotKeep, .text(session.context.typed(file)), .text(reason), .text(screen.resumeCommand)),
            code: .trouble)
    }

    // MARK: - Gradings

    /// Grades what was kept of a save, whatever the file holds by now.
    private func grade(_ save: InterviewModel.Save) {
        let kata = model.plan.katas[save.kata]
        // The record goes on to others: the folder's own name has the day and the candidate.
        let path = "Exercises/\(kata.kata)/\(kata.kata).swift"
        let tell = terminalSession.tell
        let session = session
        grading?.cancel()
        terminalSession.show(screen.lines(model))
        grading = Task.detached {
            do {
                let verdict = try await session.grade(Submission(kata: kata, text: save.text, displayPath: path))
                tell(.event(.graded(verdict, save: save.number)))
            } catch {
                // What a newer save has overtaken is graded later.
                if Task.isCancelled { return }
                tell(.event(.gradingFailed(session.error(error).message, save: save.number)))
            }
        }
    }

    // MARK: - Texts

    /// From the workbook: the folder has it in the language that the session began in.
    private var brief: String { session.workbook.briefWithoutNext(model.watch.kata.kata, model.watch.language) }

    private func speak(_ language: Language) {
        do {
            try session.speak(language)
            let record = screen.record
            screen = try Self.screen(session, folder, model.plan.katas)
            screen.record = record
            screen.watch.brief = brief
        } catch {
            _ = model.handle(.trouble("\(error)"), at: clock.read())
        }
    }

    private static func screen(
        _ session: WorkbookSession, _ folder: InterviewFolder, _ katas: [Kata]
    ) throws -> InterviewScreen {
        var watch = try WatchScreen(session, katas)
        watch.workbook = folder.exercises
        watch.tellsModelAnswer = false
        watch.canReset = false
        watch.tellsScheduleCommand = false
        return InterviewScreen(
            watch: watch, strings: try InterviewStrings(session.strings.language), folder: folder)
    }
}
