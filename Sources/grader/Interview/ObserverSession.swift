import Foundation
import Reports
import Storage
import Workbook

/// `grader interview watch`: a session as another terminal shows it.
struct ObserverCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        guard context.console.canWatch else {
            throw CommandError(message: context.strings(.interviewNeedsTerminal), code: .usage)
        }
        let folder = InterviewFolder(context.folder(context.request.operands[0]))
        // A session whose time has not begun has a journal in which nothing stands.
        if !FileManager.default.fileExists(atPath: folder.journal.path) { _ = try context.interview(in: folder) }
        return try await ObserverSession(context, folder, SessionClock(environment: context.environment)).run()
    }
}

/// Reads the session whenever something happens to it, and writes only the observer's own journal next to it.
@MainActor
final class ObserverSession {
    private enum Event: Sendable {
        case event(ObserverModel.Event)
        case touched
        case tick
    }

    private let context: CommandContext
    private let folder: InterviewFolder
    /// Where this observer's notes and marks are.
    private let file: URL
    private let clock: SessionClock
    private let terminalSession = TerminalSession<Event>()
    private var model: ObserverModel
    private var screen: ObserverScreen
    /// What the observer kept, also earlier.
    private var observations: [InterviewEvent]
    /// Opened with the first thing that is kept.
    private var journal: InterviewJournal?
    private var readSize = -1

    init(_ context: CommandContext, _ folder: InterviewFolder, _ clock: SessionClock) throws {
        self.context = context
        self.folder = folder
        self.clock = clock
        file = folder.observer(named: context.request.observer)
        observations = InterviewJournal.read(file).events
        model = ObserverModel(size: terminalSession.size, now: clock.read().time)
        screen = ObserverScreen(
            strings: try InterviewStrings(context.language), watch: try WatchStrings(context.language),
            reports: context.strings.reports, scorecard: try ScorecardStrings(context.language), style: context.style,
            texts: [:])
    }

    func run() async -> ExitCode {
        let tell = terminalSession.tell
        let fileWatch = FileWatch([folder.url]) { tell(.touched) }
        let ticker = Ticker(every: 0.5) { tell(.tick) }
        let sat = await terminalSession.run(
            .touched, takesText: { model.takesText }, lines: { screen.lines(model) }, answer: answer)
        withExtendedLifetime((fileWatch, ticker)) {}
        return sat ? .passed : .trouble
    }

    /// False when the observer leaves.
    private func answer(_ input: TerminalSession<Event>.Input) -> Bool {
        switch input {
        case .event(.event(let event)): return take(event)
        case .event(.touched):
            look()
            return true
        case .event(.tick): return tick()
        case .key(let key):
            // What a key does depends on who else is there now.
            return tick() && take(.key(key))
        case .keysRead:
            model.scroll = min(model.scroll, screen.lastScroll(model))
            return true
        case .resized(let size): return take(.resized(size))
        case .resumed: return tick()
        }
    }

    private func tick() -> Bool {
        // Who keeps the file open does not look at its lock: that would give it up.
        let isTaken = journal == nil && folder.isObserved(by: context.request.observer)
        return take(.tick(isRunning: folder.isRunning, isTaken: isTaken))
    }

    private func take(_ event: ObserverModel.Event) -> Bool {
        for effect in model.handle(event, at: clock.read().time) {
            switch effect {
            case .quit: return false
            case .keep(let event): keep(event)
            case .refuse: _ = take(.notice(screen.strings(.observerBusy)))
            }
        }
        return true
    }

    /// The journal is read again only where it has grown: a beat comes every few seconds.
    private func look() {
        let size = (try? FileManager.default.attributesOfItem(atPath: folder.journal.path))?[.size] as? Int
        var record = model.record
        if size != readSize || record == nil {
            readSize = size ?? 0
            record = (try? folder.load(observed: false))?.record
            record?.add(observations: observations)
        }
        if model.questions.isEmpty, let record { learn(record) }
        _ = take(.session(record, beat: folder.lastBeat))
    }

    /// The katas' own words, once it is known which katas they are.
    private func learn(_ record: InterviewRecord) {
        screen.texts = (try? context.interviewMaterials(for: [(folder, record)]).localization.texts) ?? [:]
        model.questions = record.plan.katas.flatMap { kata in
            let (workbooks, language) = ([folder.workbook, context.workbook], context.language)
            let brief = workbooks.lazy.compactMap { $0?.brief(kata.kata, language) }.first
            let answers = workbooks.lazy.compactMap { $0?.interviewAnswers(kata.kata, language) }.first?.questions ?? []
            var questions = ObserverModel.Question.all(
                in: brief ?? "", of: kata.kata, heading: screen.strings(.observerQuestions))
            for (place, answer) in zip(questions.indices, answers) { questions[place].points = answer.points }
            return questions
        }
    }

    private func keep(_ event: InterviewEvent) {
        do {
            if journal == nil {
                let opened = try InterviewJournal(file, isPrivate: true)
                observations = opened.found.events
                journal = opened
                try giveName(at: event.moment)
            }
            try journal?.append(event)
            observations.append(event)
            var record = model.record?.withoutObserver
            record?.add(observations: observations)
            _ = take(.session(record, beat: folder.lastBeat))
            if case .observed = event.kind { _ = take(.notice(screen.strings(.noteKept))) }
        } catch AppendOnlyLog.Problem.busy {
            _ = take(.notice(screen.strings(.observerBusy)))
        } catch {
            let reason = context.strings.reason(SystemFailure(error))
            _ = take(
                .notice(screen.strings(.observerCannotKeep, .text(context.typed(file)), .text(reason))))
        }
    }

    /// Says in the file whose it is. Names that differ can have the same file: each stands before what is theirs.
    private func giveName(at moment: InterviewMoment) throws {
        guard let name = context.request.observer else { return }
        let event = InterviewEvent(moment, .named(observer: name))
        let last = observations.last { if case .named = $0.kind { true } else { false } }
        guard last?.kind != event.kind else { return }
        try journal?.append(event)
        observations.append(event)
    }
}
