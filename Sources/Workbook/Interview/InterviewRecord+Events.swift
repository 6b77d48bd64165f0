import Foundation

extension InterviewRecord {
    /// What the events of a session add up to; `nil` where its beginning is not among them.
    ///
    /// - Parameters:
    ///   - missing: the numbers of the journal's entries that could not be read.
    ///   - entries: how many entries the journal had; as many as there are events if that is `nil`.
    ///   - known: a moment of the session that is known otherwise.
    public init?(
        _ events: [InterviewEvent], missing: [Int] = [], entries: Int? = nil, known: InterviewMoment? = nil
    ) {
        var found: (InterviewPlan, InterviewMoment)?
        for event in events {
            if case .begun(let plan) = event.kind { found = (plan, event.moment) }
            if found != nil { break }
        }
        guard let (plan, begun) = found else { return nil }
        self.plan = plan
        self.begun = begun
        last = begun
        self.missing = missing
        self.entries = entries ?? events.count
        for event in events {
            let moment = event.moment
            if event.isObservers { continue }
            // A note stands later than it began.
            if moment.time >= last.time || moment.at > last.at { last = moment }
            switch event.kind {
            case .begun: break
            case .opened(let kata, let text): openings.append(Opening(moment: moment, kata: kata, text: text))
            case .saved(let number, let kata, let text, let stopped):
                saves.append(Save(number: number, moment: moment, kata: kata, text: text, stopped: stopped))
            case .graded(let number, let verdict):
                if let place = saves.lastIndex(where: { $0.number == number }) { saves[place].verdict = verdict }
            case .hint(let kata, let test, let level):
                hints.append(Hint(moment: moment, kata: kata, test: test, level: level))
            case .note(let kata, let text): notes.append(Note(moment: moment, kata: kata, text: text))
            case .paused: pausedSince = moment
            case .resumed(let seconds):
                gaps.append(Gap(cause: .paused, moment: pausedSince ?? moment, seconds: seconds))
                pausedSince = nil
            case .slept(let seconds): gaps.append(Gap(cause: .asleep, endingAt: moment, seconds: seconds))
            case .returned(let seconds): gaps.append(Gap(cause: .away, endingAt: moment, seconds: seconds))
            case .clockReplaced: clock = .file
            case .journalLost: journalLost = (journalLost ?? []) + [moment]
            case .closed(let end): self.end = end
            case .named, .observed, .judged, .scored: break
            }
        }
        if let known, known.at > last.at { last = known }
        findNewText()
        katas = plan.katas.map { InterviewKataResult($0, in: self) }
    }

    /// The same without what the observer kept.
    public var withoutObserver: InterviewRecord {
        var record = self
        record.privateNotes = nil
        record.rubric = nil
        record.scores = nil
        record.spreads = nil
        return record
    }

    /// Whether an observer kept something.
    public var isObserved: Bool { !observations.isEmpty }

    /// What the observer kept.
    public var observations: [InterviewEvent] {
        (privateNotes ?? []).map { InterviewEvent($0.moment, .observed(kata: $0.kata, text: $0.text)) }
            + (rubric ?? []).map { InterviewEvent(last, .judged($0)) }
            + (scores ?? []).map { InterviewEvent(last, .scored($0)) }
    }

    /// Adds what one observer kept.
    public mutating func add(observations: [InterviewEvent]) {
        var observer: String?
        for event in observations {
            switch event.kind {
            case .named(let name): observer = name
            case .observed(let kata, let text):
                let note = Note(moment: event.moment, kata: kata, text: text, observer: observer)
                privateNotes = (privateNotes ?? []) + [note]
            case .judged(var judgement):
                judgement.observer = observer
                rubric =
                    (rubric ?? []).filter { !$0.isSame(as: judgement) || $0.observer != observer } + [judgement]
            case .scored(var score):
                score.observer = observer
                let others = (scores ?? []).filter { $0.item != score.item || $0.observer != observer }
                scores = (others + [score]).sorted(by: InterviewScore.stand)
            default: break
            }
        }
        let differing = InterviewScore.spreads(of: scores ?? [])
        spreads = differing.isEmpty ? nil : differing
        // In the order in which the questions stand in the briefs.
        let places = Dictionary(plan.katas.enumerated().map { ($1.kata, $0) }) { first, _ in first }
        rubric?.sort {
            (places[$0.kata] ?? 0, $0.number, $0.observer ?? "") < (places[$1.kata] ?? 0, $1.number, $1.observer ?? "")
        }
    }

    /// The session's seconds that were worked, as far as is known.
    public var secondsWorked: Double { last.at }

    /// The seconds from the session's beginning to its last moment, with those that are not the session's own.
    public var secondsElapsed: Double { gaps.reduce(secondsWorked) { $0 + $1.seconds } }

    public func seconds(_ cause: Gap.Cause) -> Double {
        gaps.reduce(0) { $1.cause == cause ? $0 + $1.seconds : $0 }
    }
}

extension InterviewEvent {
    /// Whether it is the observer's, who has a journal of their own.
    var isObservers: Bool {
        switch kind {
        case .named, .observed, .judged, .scored: true
        default: false
        }
    }
}

extension InterviewRecord.Gap {
    /// The session's own time stands still meanwhile.
    fileprivate init(cause: Cause, endingAt end: InterviewMoment, seconds: Double) {
        self.init(
            cause: cause, moment: InterviewMoment(at: end.at, time: end.time - seconds), seconds: seconds)
    }
}

extension InterviewKataResult {
    fileprivate init(_ kata: Kata, in record: InterviewRecord) {
        let saves = record.saves.filter { $0.kata == kata.kata }
        let graded = saves.compactMap { save in save.verdict.map { (at: save.moment.at, verdict: $0) } }
        let ends = record.openings.dropFirst().map(\.moment.at) + [record.last.at]
        let seconds = zip(record.openings, ends).reduce(0) { total, stretch in
            stretch.0.kata == kata.kata ? total + max(0, stretch.1 - stretch.0.moment.at) : total
        }
        // Where only comments changed, what passes is the stub's success and not the learner's.
        let opened = record.openings.first { $0.kata == kata.kata }?.text ?? record.plan.stubs?[kata.kata]
        let stub = opened.map(Self.code)
        let stubs = Set(
            saves.filter { Self.code(of: $0.text) == stub }.flatMap { $0.verdict?.tests ?? [] }
                .filter { $0.outcome == .passed }.map(\.id))
        let core = Set(kata.tests.filter { $0.tier == .core }.map(\.id)).subtracting(stubs)
        let tests = kata.tests.map { test in
            // What does not compile tells nothing of a test: half a line is no step back.
            let states = graded.filter { $0.verdict.outcome != .didNotCompile }.map { save in
                (at: save.at, passes: save.verdict.passes(test.id))
            }
            return Test(
                id: test.id, firstPassed: states.first { $0.passes }?.at,
                broke: zip(states, states.dropFirst()).filter { $0.passes && !$1.passes }.map { $1.at },
                passesAtEnd: graded.last?.verdict.passes(test.id) ?? false)
        }
        self.init(
            kata: kata.kata, outcome: graded.last?.verdict.outcome ?? .notStarted,
            points: graded.last?.verdict.points ?? 0, maxPoints: kata.maxPoints, saves: saves.count,
            bursts: saves.count { $0.burst != nil }, savesWhileStopped: saves.count { $0.stopped != nil },
            hints: record.hints.count { $0.kata == kata.kata },
            seconds: seconds,
            firstCorePass: graded.first {
                $0.verdict.tests.contains { core.contains($0.id) && $0.outcome == .passed }
            }?.at,
            passed: graded.first { $0.verdict.isPassed }?.at,
            mastered: graded.first { $0.verdict.outcome == .mastered }?.at, tests: tests)
    }

    /// The text without comments and spaces.
    private static func code(of text: String) -> [String] { SwiftTokens.words(of: Array(text.utf8)) }
}

extension Verdict {
    fileprivate func passes(_ test: KataTest.ID) -> Bool { tests.first { $0.id == test }?.outcome == .passed }
}
