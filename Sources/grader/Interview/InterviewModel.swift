import Workbook

/// What an interview knows, and what it does about what happens. It touches neither files, clocks nor the terminal: it
/// takes events, each with what the clocks say, and answers with effects.
///
/// The kata's screen, its hints, the brief, the list and the choice of a language are those of watch mode, which it holds.
struct InterviewModel: Sendable {
    enum Phase: Equatable, Sendable {
        /// The rules are on the screen, and the time has not begun.
        case ready
        case running
        case paused
        /// No save counts any more; those that do are graded.
        case closing(InterviewRecord.End)
        case closed(InterviewRecord.End)
    }

    enum Event: Sendable {
        /// The files as they are found.
        case started([String: String])
        case tick
        case key(Key)
        /// What the katas' files hold now.
        case files([String: String])
        case graded(Verdict, save: Int)
        case gradingFailed(String, save: Int)
        case trouble(String)
        case resized(Terminal.Size)
    }

    /// A save that has no verdict yet.
    struct Save: Equatable, Sendable {
        var number: Int
        var kata: Int
        var text: String
    }

    /// What is to be done, in this order: what is kept is kept before the next thing is done, and before the screen shows it.
    enum Effect: Equatable, Sendable {
        case keep(InterviewEvent)
        /// Grade this save, and nothing else.
        case grade(Save)
        /// Read the katas' files once more.
        case look
        case turn(to: Int)
        case speak(Language)
        case quit
    }

    /// What stands above the keys for one message.
    enum Notice: Equatable, Sendable {
        case savedWhilePaused
        case noHintsLeft
        case noPause
        case noPauseLeft
        case onlyKata
        case noteKept
        case slept(Double)
        case away(Double)
    }

    let plan: InterviewPlan
    private let clock: InterviewRecord.Clock
    private let earlier: Earlier?
    var time: SessionTime
    var phase: Phase
    var watch: WatchModel
    var note: NoteLine?
    var asksToFinish = false
    var notice: Notice?
    var hintsTaken: Int
    /// The seconds that further pauses may take; `nil` for no limit.
    var pauseLeft: Double?
    /// The saves without a verdict, in their order.
    private(set) var ungraded: [Save]
    private var saveCount: Int
    private var grading: Int?
    /// The saves that could not be graded, until the next request to grade.
    var failed: Set<Int> = []
    /// What each kata's file held when it was last kept.
    var texts: [String: String]
    /// The katas whose files are not there.
    private(set) var missing: Set<String> = []
    /// The save whose verdict is shown, by kata.
    private var shown: [Int: Int] = [:]
    var opened: Int
    private var hasLooked = false

    /// What a session that goes on was left with.
    struct Earlier: Sendable {
        var record: InterviewRecord
        /// The last moment at which its program is known to have been there.
        var left: InterviewMoment
    }

    /// - Parameter stubs: what the katas' files held before anybody wrote in them.
    init(
        _ plan: InterviewPlan, earlier: Earlier? = nil, stubs: [String: String], language: Language,
        size: Terminal.Size, clock: InterviewRecord.Clock, now: ClockReading
    ) {
        self.plan = plan
        self.clock = clock
        self.earlier = earlier
        let record = earlier?.record
        time = SessionTime(limit: plan.seconds, at: earlier?.left.at ?? 0, now)
        phase = record?.end.map { .closing($0) } ?? (record == nil ? .ready : .running)
        opened = plan.katas.firstIndex { $0.kata == record?.openings.last?.kata } ?? 0
        watch = WatchModel(
            katas: plan.katas, current: opened, language: language, fallback: language, size: size, progress: [:])
        hintsTaken = record?.hints.count ?? 0
        pauseLeft = plan.pauseMinutes.map { max(0, Double($0) * 60 - (record?.seconds(.paused) ?? 0)) }
        saveCount = record?.saves.last?.number ?? 0
        texts = stubs
        ungraded = []
        for kata in plan.katas { watch.verdicts[kata.kata] = .notStarted(kata) }
        guard let record else {
            time.pause()
            return
        }
        for opening in record.openings { texts[opening.kata] = opening.text }
        for hint in record.hints {
            let test = plan.katas.first { $0.kata == hint.kata }?.tests.first { $0.id == hint.test }
            let mistake = test?.mistake(in: record.verdict(at: hint)) ?? hint.test
            watch.hintsShown[hint.kata, default: [:]][mistake, default: 0] = max(
                watch.hintsShown[hint.kata]?[mistake] ?? 0, hint.level)
        }
        for save in record.saves {
            texts[save.kata] = save.text
            guard let kata = plan.katas.firstIndex(where: { $0.kata == save.kata }) else { continue }
            if let verdict = save.verdict {
                watch.verdicts[save.kata] = verdict
                shown[kata] = save.number
            } else {
                ungraded.append(Save(number: save.number, kata: kata, text: save.text))
            }
        }
        if record.end != nil {
            time.pause()
            hasLooked = true
        }
    }

    var takesText: Bool { note != nil }
    var hintsLeft: Int? { plan.hints.map { max(0, $0 - hintsTaken) } }
    /// Whether the next hint would be one more than the session allows.
    var isOutOfHints: Bool { hintsLeft == 0 && watch.hintDue?.isNew == true }
    var isOver: Bool {
        switch phase {
        case .ready, .running, .paused: false
        case .closing, .closed: true
        }
    }

    // MARK: - What happens

    mutating func handle(_ event: Event, at now: ClockReading) -> [Effect] {
        let effects = advance(to: now) + answer(event)
        watch.isGrading = ungraded.contains { $0.number == grading && $0.kata == watch.current }
        return effects
    }

    private mutating func advance(to now: ClockReading) -> [Effect] {
        var effects: [Effect] = []
        let passed = time.advance(to: now, pauseOf: phase == .paused ? pauseLeft : nil)
        if let seconds = passed.pauseEnded {
            notice = .noPauseLeft
            effects += endPause(seconds)
        }
        if let slept = passed.slept {
            notice = .slept(slept)
            effects.append(keep(.slept(seconds: slept)))
        }
        return phase == .running && time.isUp ? effects + close(.timeUp) : effects
    }

    private mutating func answer(_ event: Event) -> [Effect] {
        switch event {
        case .started(let files): return start(files)
        case .tick: return []
        case .key(let key): return answer(key)
        case .files(let files): return take(files)
        case .graded(let verdict, let number): return take(verdict, of: number)
        case .gradingFailed(let sentence, let number):
            watch.notice = .trouble(sentence)
            failed.insert(number)
            if grading == number { grading = nil }
            return gradeNext()
        case .trouble(let sentence):
            watch.notice = .trouble(sentence)
            return []
        case .resized(let size):
            watch.size = size
            return []
        }
    }

    private mutating func start(_ files: [String: String]) -> [Effect] {
        guard let earlier else { return [] }
        guard earlier.record.end == nil else { return gradeNext() }
        var effects: [Effect] = []
        if let since = earlier.record.pausedSince {
            // The pause ended when the program was left: what comes after it is reported as time away.
            let seconds = max(0, earlier.left.time.timeIntervalSince(since.time))
            pauseLeft = pauseLeft.map { max(0, $0 - seconds) }
            effects.append(.keep(InterviewEvent(earlier.left, .resumed(seconds: seconds))))
        }
        let away = max(0, time.last.time.timeIntervalSince(earlier.left.time))
        notice = .away(away)
        effects.append(keep(.returned(seconds: away)))
        if clock == .file, earlier.record.clock == .machine { effects.append(keep(.clockReplaced)) }
        // What was written while the program was not running is a save as well.
        let saves = take(files, stopped: .away)
        return effects + saves + (grading == nil ? gradeNext() : [])
    }

    /// The time begins. What was saved before is the first save.
    mutating func begin() -> [Effect] {
        phase = .running
        _ = time.resume()
        return [keep(.begun(plan))] + (clock == .file ? [keep(.clockReplaced)] : [])
            + [keep(.opened(kata: watch.kata.kata, text: texts[watch.kata.kata] ?? "")), .look]
    }

    func keep(_ kind: InterviewEvent.Kind) -> Effect {
        .keep(InterviewEvent(time.moment, kind))
    }

    // MARK: - Saves

    /// - Parameter stopped: why the time stood still when they were made.
    private mutating func take(
        _ files: [String: String], stopped: InterviewRecord.Gap.Cause? = nil
    ) -> [Effect] {
        missing = Set(plan.katas.map(\.kata)).subtracting(files.keys)
        if phase == .ready { return [] }
        if isOver {
            guard !hasLooked else { return [] }
            hasLooked = true
        }
        var effects = showSaved(files)
        for (index, kata) in plan.katas.enumerated() {
            guard let text = files[kata.kata], text != texts[kata.kata] else { continue }
            texts[kata.kata] = text
            saveCount += 1
            ungraded.append(Save(number: saveCount, kata: index, text: text))
            let stopped = phase == .paused ? .paused : stopped
            effects.append(keep(.saved(number: saveCount, kata: kata.kata, text: text, stopped: stopped)))
        }
        if isOver { return effects + gradeNext() }
        guard !effects.isEmpty else { return [] }
        // What was said before is not about this save.
        if stopped == nil { notice = nil }
        if phase == .paused {
            notice = .savedWhilePaused
            return effects
        }
        // Whatever is being graded is overtaken: it waits for an idle moment.
        grading = nil
        return effects + gradeNext()
    }

    /// A save of another kata than the one on the screen turns the screen to it, as in watch mode.
    private mutating func showSaved(_ files: [String: String]) -> [Effect] {
        guard phase == .running else { return [] }
        let saved = plan.katas.indices.filter { index in
            let name = plan.katas[index].kata
            return files[name].map { $0 != texts[name] } ?? false
        }
        guard let kata = saved.last, !saved.contains(watch.current) else { return [] }
        return carryOver(watch.handle(.savedOther(kata: kata)))
    }

    /// The newest save of the kata on the screen comes first, then the others in their order.
    mutating func gradeNext() -> [Effect] {
        guard grading == nil, phase != .paused else { return [] }
        let waiting = ungraded.filter { !failed.contains($0.number) }
        let newest = waiting.last { $0.kata == watch.current && $0.number > shown[$0.kata] ?? 0 }
        if let save = newest ?? waiting.first {
            grading = save.number
            return [.grade(save)]
        }
        guard case .closing(let end) = phase, hasLooked else { return [] }
        phase = .closed(end)
        return earlier?.record.end == nil ? [keep(.closed(end))] : []
    }

    private mutating func take(_ verdict: Verdict, of number: Int) -> [Effect] {
        if grading == number { grading = nil }
        guard let place = ungraded.firstIndex(where: { $0.number == number }) else { return gradeNext() }
        let kata = ungraded.remove(at: place).kata
        if number > shown[kata] ?? 0 {
            shown[kata] = number
            if kata == watch.current { watch.show(verdict) } else { watch.verdicts[verdict.kata] = verdict }
        }
        return [keep(.graded(save: number, verdict))] + gradeNext()
    }

    // MARK: - The end

    mutating func close(_ end: InterviewRecord.End) -> [Effect] {
        // What was typed so far is not lost.
        let effects = endNote(keeping: true)
        phase = .closing(end)
        asksToFinish = false
        notice = nil
        time.pause()
        failed = []
        return effects + [.look]
    }
}

extension Verdict {
    /// The stub, before anybody wrote in it.
    fileprivate static func notStarted(_ kata: Kata) -> Verdict {
        Verdict(
            kata: kata.kata, outcome: .notStarted, points: 0, maxPoints: kata.maxPoints, seconds: 0, diagnostics: [],
            tests: kata.tests.map { TestVerdict(id: $0.id, outcome: .notRun, points: 0) })
    }
}
