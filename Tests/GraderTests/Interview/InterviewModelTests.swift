import Foundation
import Testing
import Workbook

@testable import grader

/// A session whose clock is set by the test.
struct ModelPlace {
    var model: InterviewModel
    private(set) var now = ModelPlace.start
    private(set) var kept: [InterviewEvent] = []

    static let start = ClockReading(awake: 500, elapsed: 700, time: Date(timeIntervalSinceReferenceDate: 9000))
    static let stubs = ["One": "stub one", "Two": "stub two"]

    static func kata(_ name: String) -> Kata {
        Kata(
            kata: name, order: 1, phase: 1, interface: [],
            tests: [
                KataTest(
                    id: "T/a()", framework: .testing, tier: .core, points: 1, hint: "a",
                    hints: [HintRule(kind: "late", hint: "late")]),
                KataTest(id: "T/b()", framework: .testing, tier: .robust, points: 1, hint: "b", after: ["T/a()"]),
            ])
    }

    static func plan(minutes: Int = 10, hints: Int? = nil, katas: [String] = ["One", "Two"]) -> InterviewPlan {
        InterviewPlan(
            candidate: "Ann", language: .english, katas: katas.map(kata), minutes: minutes, hints: hints, seed: 1,
            versions: .init(grader: "1", swift: "6"))
    }

    init(_ plan: InterviewPlan = plan(), size: Terminal.Size = .init(columns: 80, rows: 24), begins: Bool = true) {
        model = InterviewModel(
            plan, stubs: Self.stubs, language: .english, size: size, clock: .machine, now: Self.start)
        _ = handle(.started(Self.stubs))
        if begins { _ = handle(.key(.enter)) }
    }

    /// The session, resumed after `seconds` from the events that were recorded.
    func resumed(after seconds: Double, files: [String: String] = stubs) -> (ModelPlace, [InterviewModel.Effect]) {
        var next = self
        next.now = ClockReading(
            awake: 3, elapsed: 3, time: now.time.addingTimeInterval(seconds))
        guard let record = InterviewRecord(kept) else { return (self, []) }
        let left = InterviewMoment(at: model.time.moment.at, time: now.time)
        next.model = InterviewModel(
            record.plan, earlier: .init(record: record, left: left), stubs: Self.stubs, language: .english,
            size: model.watch.size, clock: .machine, now: next.now)
        let effects = next.handle(.started(files))
        return (next, effects)
    }

    /// Advances the clock, and then handles an event.
    mutating func handle(
        _ event: InterviewModel.Event, after seconds: Double = 0, asleep: Double = 0
    ) -> [InterviewModel.Effect] {
        now.awake += seconds
        now.elapsed += seconds + asleep
        now.time += seconds + asleep
        let effects = model.handle(event, at: now)
        for case .keep(let event) in effects { kept.append(event) }
        return effects
    }

    mutating func type(_ keys: String) -> [InterviewModel.Effect] {
        keys.flatMap { handle(.key(.letter($0))) }
    }

    mutating func save(_ kata: String, _ text: String, after seconds: Double = 0) -> [InterviewModel.Effect] {
        files[kata] = text
        return handle(.files(files), after: seconds)
    }

    private var files = stubs

    func verdict(_ kata: String, _ outcome: Verdict.Outcome, kind: String? = nil) -> Verdict {
        Verdict(
            kata: kata, outcome: outcome, points: 0, maxPoints: 2, seconds: 0.1, diagnostics: [],
            tests: ["T/a()", "T/b()"].map {
                TestVerdict(id: $0, outcome: outcome == .mastered ? .passed : .failed, points: 0, kind: kind)
            })
    }
}

extension InterviewEvent {
    var kept: InterviewModel.Effect { .keep(self) }
}

@Suite("How an interview reacts to events")
struct InterviewModelTests {
    private typealias Save = InterviewModel.Save

    private func happenings(_ effects: [InterviewModel.Effect]) -> [InterviewEvent.Kind] {
        effects.compactMap { if case .keep(let event) = $0 { event.kind } else { nil } }
    }

    @Test("Before the start no time passes, nothing is recorded, and only Enter starts the session")
    func ready() {
        var place = ModelPlace(begins: false)
        #expect(place.handle(.tick, after: 60) == [])
        #expect(place.save("One", "early") == [])
        #expect(place.type("hnbpafl") == [])
        #expect(place.model.phase == .ready)
        #expect(place.kept == [])
        #expect(place.model.time.left == 600)
        let effects = place.handle(.key(.enter), after: 60)
        #expect(happenings(effects) == [.begun(ModelPlace.plan()), .opened(kata: "One", text: "stub one")])
        #expect(effects.last == .look)
        // A file that was changed before the start is the first save, at the session's first second.
        #expect(happenings(place.save("One", "early")) == [.saved(number: 1, kata: "One", text: "early")])
        #expect(place.kept.allSatisfy { $0.moment.at == 0 })
        #expect(place.model.time.left == 600)
    }

    @Test("A save of another kata turns the screen to it, as in watch mode, and its text before is recorded first")
    func savedOther() {
        var place = ModelPlace()
        let effects = place.save("Two", "two", after: 10)
        #expect(
            happenings(effects) == [
                .opened(kata: "Two", text: "stub two"), .saved(number: 1, kata: "Two", text: "two"),
            ])
        #expect(place.model.watch.current == 1 && place.model.watch.notice == .switched)
        // In a pause nothing is turned to.
        _ = place.type("p")
        #expect(happenings(place.save("One", "one")) == [.saved(number: 2, kata: "One", text: "one", stopped: .paused)])
        #expect(place.model.watch.current == 1)
    }

    @Test("Pauses that are used up end by themselves, to the second, and no key begins another one")
    func limitedPause() {
        var plan = ModelPlace.plan()
        plan.pauseMinutes = 2
        var place = ModelPlace(plan)
        _ = place.type("p")
        _ = place.handle(.tick, after: 50)
        #expect(happenings(place.type("p")) == [.resumed(seconds: 50)])
        #expect(place.model.pauseLeft == 70)
        _ = place.type("p")
        #expect(place.handle(.tick, after: 69) == [])
        // The lid was closed in the pause: what is over is sleep, and not another pause.
        let ended = place.handle(.tick, after: 4, asleep: 100)
        #expect(happenings(ended) == [.resumed(seconds: 70), .slept(seconds: 99)])
        #expect(place.model.phase == .running && place.model.time.moment.at == 4)
        #expect(place.type("p") == [] && place.model.phase == .running)
        #expect(place.model.notice == .noPauseLeft)
        let (next, _) = place.resumed(after: 10)
        #expect(next.model.pauseLeft == 0)
    }

    @Test("A session without pauses does not stop its time, and says so")
    func noPause() {
        var plan = ModelPlace.plan()
        plan.pauseMinutes = 0
        var place = ModelPlace(plan)
        #expect(place.type("p") == [] && place.model.phase == .running && place.model.notice == .noPause)
        _ = place.handle(.tick, after: 10)
        #expect(place.model.time.left == 590)
    }

    @Test("A note belongs to the kata that was on the screen when it was begun, and its notice ends with the next save")
    func noteOfItsKata() {
        var place = ModelPlace()
        _ = place.type("ahm")
        _ = place.save("Two", "two", after: 10)
        let effects = place.handle(.key(.enter))
        #expect(happenings(effects) == [.note(kata: "One", text: "hm")])
        #expect(place.model.notice == .noteKept)
        _ = place.save("Two", "three", after: 10)
        #expect(place.model.notice == nil)
    }

    @Test("A session that is quit before its start records nothing")
    func leftBeforeTheStart() {
        var place = ModelPlace(begins: false)
        #expect(place.type("q") == [.quit])
        #expect(place.kept == [])
    }

    @Test("It begins with its plan and its first kata")
    func begins() {
        let place = ModelPlace()
        #expect(place.kept.map(\.kind) == [.begun(ModelPlace.plan()), .opened(kata: "One", text: "stub one")])
        #expect(place.kept.allSatisfy { $0.moment.at == 0 })
        #expect(place.model.watch.verdict?.outcome == .notStarted)
    }

    @Test("A save is recorded before it is graded, and a verdict is recorded before it is shown")
    func saves() {
        var place = ModelPlace()
        let effects = place.save("One", "a", after: 5)
        #expect(
            effects == [
                InterviewEvent(
                    InterviewMoment(at: 5, time: place.now.time), .saved(number: 1, kata: "One", text: "a")
                ).kept, .grade(Save(number: 1, kata: 0, text: "a")),
            ])
        #expect(place.model.watch.isGrading)
        let verdict = place.verdict("One", .failed)
        #expect(happenings(place.handle(.graded(verdict, save: 1))) == [.graded(save: 1, verdict)])
        #expect(place.model.watch.verdict == verdict)
        #expect(!place.model.watch.isGrading)
        #expect(place.model.ungraded.isEmpty)
        #expect(place.save("One", "a") == [])
    }

    @Test("A newer save is graded first; the older one is graded later, and its verdict does not replace the newer one")
    func overtaken() {
        var place = ModelPlace()
        _ = place.save("One", "a")
        #expect(place.save("One", "b").last == .grade(Save(number: 2, kata: 0, text: "b")))
        let newer = place.verdict("One", .mastered)
        #expect(place.handle(.graded(newer, save: 2)).last == .grade(Save(number: 1, kata: 0, text: "a")))
        let older = place.verdict("One", .failed)
        #expect(happenings(place.handle(.graded(older, save: 1))) == [.graded(save: 1, older)])
        #expect(place.model.watch.verdict == newer)
        #expect(place.model.ungraded.isEmpty)
    }

    @Test("A verdict that arrives after a newer save counts, and the newer save is still graded")
    func crossed() {
        var place = ModelPlace()
        _ = place.save("One", "a")
        _ = place.save("One", "b")
        let verdict = place.verdict("One", .failed)
        #expect(happenings(place.handle(.graded(verdict, save: 1))) == [.graded(save: 1, verdict)])
        #expect(place.model.ungraded.map(\.number) == [2])
        #expect(place.model.watch.isGrading)
    }

    @Test("A save of a kata that is not on the screen counts too")
    func otherKata() {
        var place = ModelPlace()
        // An editor saves both together: the screen stays.
        let effects = place.handle(.files(["One": "a", "Two": "b"]))
        #expect(effects.last == .grade(Save(number: 1, kata: 0, text: "a")))
        let next = place.handle(.graded(place.verdict("One", .failed), save: 1))
        #expect(next.last == .grade(Save(number: 2, kata: 1, text: "b")))
        #expect(!place.model.watch.isGrading)
        _ = place.handle(.graded(place.verdict("Two", .mastered), save: 2))
        #expect(place.model.watch.verdict?.outcome == .failed)
        #expect(happenings(place.type("n")) == [.opened(kata: "Two", text: "b")])
        #expect(place.model.watch.verdict?.outcome == .mastered)
        #expect(happenings(place.type("n")) == [.opened(kata: "One", text: "a")])
    }

    @Test("The list jumps to a kata, and has no key that resets a file")
    func list() {
        var place = ModelPlace()
        _ = place.type("lj")
        #expect(place.type("x") == [])
        #expect(place.type("y") == [])
        #expect(happenings(place.handle(.key(.enter))) == [.opened(kata: "Two", text: "stub two")])
        #expect(place.model.watch.screen == .kata)
    }

    @Test("Hints are counted, a seen hint is opened again without being counted, and the plan's limit is kept")
    func hints() {
        var place = ModelPlace(ModelPlace.plan(hints: 2))
        _ = place.save("One", "a")
        _ = place.handle(.graded(place.verdict("One", .failed), save: 1))
        #expect(happenings(place.type("h")) == [.hint(kata: "One", test: "T/a()", level: 1)])
        _ = place.type("nn")
        #expect(place.type("h") == [])
        #expect(place.model.watch.openHint == "T/a()")
        #expect(place.model.hintsLeft == 1)
        #expect(happenings(place.type("h")) == [.hint(kata: "One", test: "T/a()", level: 2)])
        #expect(place.type("h") == [])
        #expect(place.model.notice == .noHintsLeft)
        #expect(place.model.watch.hintsShown["One"] == ["T/a()": 2])
    }

    @Test("While a note is typed every key is text, and the note has the time at which it was begun")
    func note() {
        var place = ModelPlace()
        _ = place.handle(.key(.letter("a")), after: 30)
        #expect(place.model.takesText)
        #expect(place.type("qpf n") == [])
        _ = place.handle(.key(.backspace), after: 10)
        #expect(place.model.note?.text == "qpf ")
        let moment = InterviewMoment(at: 30, time: ModelPlace.start.time.addingTimeInterval(30))
        #expect(place.handle(.key(.enter)) == [InterviewEvent(moment, .note(kata: "One", text: "qpf ")).kept])
        _ = place.type("a x")
        #expect(place.handle(.key(.escape)) == [])
        _ = place.type("a  ")
        #expect(place.handle(.key(.enter)) == [])
        #expect(!place.model.takesText)
    }

    @Test("In a pause the time stops; saves are recorded, and graded after the pause, the newest first")
    func pause() {
        var place = ModelPlace()
        #expect(happenings(place.handle(.key(.letter("p")), after: 10)) == [.paused])
        #expect(
            happenings(place.save("One", "a", after: 100)) == [
                .saved(number: 1, kata: "One", text: "a", stopped: .paused)
            ])
        #expect(place.model.notice == .savedWhilePaused)
        #expect(place.save("One", "b").count == 1)
        #expect(place.type("nhlb") == [])
        #expect(place.handle(.tick, after: 10_000, asleep: 50) == [])
        #expect(place.model.time.left == 590)
        let effects = place.type("p")
        #expect(happenings(effects) == [.resumed(seconds: 10_150)])
        #expect(effects.last == .grade(Save(number: 2, kata: 0, text: "b")))
        #expect(
            place.handle(.graded(place.verdict("One", .failed), save: 2)).last
                == .grade(Save(number: 1, kata: 0, text: "a")))
    }

    @Test("A verdict that arrives in a pause is recorded, and no other grading starts")
    func verdictInPause() {
        var place = ModelPlace()
        _ = place.save("One", "a")
        _ = place.save("One", "b")
        _ = place.type("p")
        let verdict = place.verdict("One", .failed)
        #expect(happenings(place.handle(.graded(verdict, save: 2))) == [.graded(save: 2, verdict)])
        #expect(place.model.ungraded.map(\.number) == [1])
        #expect(place.type("p").last == .grade(Save(number: 1, kata: 0, text: "a")))
    }

    @Test("Time in which the machine slept is recorded separately, and small differences between clocks are not")
    func slept() {
        var place = ModelPlace()
        #expect(happenings(place.handle(.tick, after: 5, asleep: 0.5)) == [])
        #expect(happenings(place.handle(.tick, after: 5, asleep: 3600)) == [.slept(seconds: 3600)])
        #expect(place.model.time.at == 10)
    }

    @Test(
        "When the time is up the last save is graded, then the session closes; later saves do not count")
    func timeUp() {
        var place = ModelPlace()
        _ = place.save("One", "a", after: 5)
        _ = place.type("anote")
        let effects = place.handle(.tick, after: 1000)
        #expect(happenings(effects) == [.note(kata: "One", text: "note")])
        #expect(effects.last == .look)
        let last = place.save("One", "b")
        #expect(
            last == [
                InterviewEvent(
                    InterviewMoment(at: 600, time: place.now.time), .saved(number: 2, kata: "One", text: "b")
                ).kept
            ])
        #expect(place.save("One", "c", after: 3) == [])
        #expect(place.type("nhpa") == [])
        let verdict = place.verdict("One", .failed)
        #expect(place.handle(.graded(verdict, save: 1)).last == .grade(Save(number: 2, kata: 0, text: "b")))
        #expect(happenings(place.handle(.graded(verdict, save: 2))) == [.graded(save: 2, verdict), .closed(.timeUp)])
        #expect(place.model.phase == .closed(.timeUp))
        #expect(place.kept.last?.moment.at == 600)
        #expect(place.type("q") == [.quit])
    }

    @Test("Finishing asks for confirmation first")
    func finish() {
        var place = ModelPlace()
        #expect(place.type("f") == [])
        #expect(place.model.asksToFinish)
        #expect(place.type("n") == [])
        #expect(place.model.phase == .running)
        _ = place.handle(.key(.letter("f")), after: 30)
        #expect(place.type("y") == [.look])
        let effects = place.handle(.files(ModelPlace.stubs), after: 60)
        #expect(happenings(effects) == [.closed(.finished)])
        #expect(place.kept.last?.moment.at == 30)
    }

    @Test("A resumed session continues with the remaining time, and the time away is recorded separately")
    func away() {
        var place = ModelPlace(ModelPlace.plan(hints: 3))
        _ = place.save("One", "a", after: 5)
        _ = place.handle(.graded(place.verdict("One", .failed), save: 1))
        _ = place.type("h")
        _ = place.type("n")
        _ = place.save("Two", "b", after: 5)
        _ = place.handle(.tick, after: 5)
        let (next, effects) = place.resumed(after: 7000, files: ["One": "a", "Two": "c"])
        #expect(
            happenings(effects) == [
                .returned(seconds: 7000), .saved(number: 3, kata: "Two", text: "c", stopped: .away),
            ])
        #expect(effects.last == .grade(Save(number: 3, kata: 1, text: "c")))
        #expect(next.model.ungraded.map(\.number) == [2, 3])
        #expect(next.model.time.left == 585)
        #expect(next.model.watch.current == 1)
        #expect(next.model.hintsLeft == 2)
        #expect(next.model.watch.verdicts["One"]?.outcome == .failed)
        #expect(next.model.watch.hintsShown["One"] == ["T/a()": 1])
    }

    @Test("A resumed session knows which mistake each hint was about")
    func hintsAway() {
        var place = ModelPlace()
        _ = place.save("One", "a", after: 5)
        _ = place.handle(.graded(place.verdict("One", .failed, kind: "late"), save: 1))
        _ = place.type("hh")
        _ = place.save("One", "b", after: 5)
        _ = place.handle(.graded(place.verdict("One", .failed), save: 2))
        #expect(happenings(place.type("h")) == [.hint(kata: "One", test: "T/a()", level: 1)])
        let (next, _) = place.resumed(after: 60, files: ["One": "b"])
        #expect(place.model.watch.hintsShown["One"] == ["T/a() late": 2, "T/a()": 1])
        #expect(next.model.watch.hintsShown == place.model.watch.hintsShown)
    }

    @Test("A pause in which the program was killed ends at that moment")
    func awayInPause() {
        var place = ModelPlace()
        _ = place.handle(.key(.letter("p")), after: 5)
        _ = place.handle(.tick, after: 60)
        let (next, effects) = place.resumed(after: 1000)
        #expect(happenings(effects) == [.resumed(seconds: 60), .returned(seconds: 1000)])
        #expect(next.model.phase == .running)
        #expect(next.model.time.left == 595)
    }

    @Test("A save that cannot be graded does not keep a session open, and is graded when the session is resumed")
    func troubleAtTheEnd() {
        var place = ModelPlace()
        _ = place.save("One", "a")
        #expect(place.handle(.gradingFailed("no compiler", save: 1)) == [])
        #expect(place.type("r") == [.grade(Save(number: 1, kata: 0, text: "a"))])
        _ = place.handle(.gradingFailed("no compiler", save: 1))
        _ = place.handle(.tick, after: 700)
        #expect(place.save("One", "a") == [.grade(Save(number: 1, kata: 0, text: "a"))])
        #expect(happenings(place.handle(.gradingFailed("no compiler", save: 1))) == [.closed(.timeUp)])
        #expect(place.model.ungraded.map(\.number) == [1])
        var (next, effects) = place.resumed(after: 50, files: ["One": "later"])
        #expect(effects == [.grade(Save(number: 1, kata: 0, text: "a"))])
        let verdict = next.verdict("One", .mastered)
        #expect(happenings(next.handle(.graded(verdict, save: 1))) == [.graded(save: 1, verdict)])
        #expect(next.model.phase == .closed(.timeUp))
    }

    @Test("A session whose time was up when the program ended closes when it is resumed")
    func leftAtTheEnd() {
        var place = ModelPlace()
        _ = place.save("One", "a", after: 5)
        _ = place.handle(.tick, after: 600)
        let (next, effects) = place.resumed(after: 60, files: ["One": "a"])
        #expect(effects.contains(.grade(Save(number: 1, kata: 0, text: "a"))))
        #expect(next.model.phase == .closing(.timeUp))
    }

    @Test("A change of the language changes nothing else")
    func language() {
        var place = ModelPlace()
        #expect(place.type("g4") == [.speak(.korean)])
        #expect(place.model.watch.screen == .kata)
        #expect(!place.model.watch.isGrading)
    }

    @Test("A seed picks the same katas every time, in the workbook's order, and other seeds pick others")
    func pick() {
        let katas = ["A", "B", "C", "D", "E", "F"].map(ModelPlace.kata)
        let picks = (0..<60).map { InterviewCommand.pick(2, of: katas, seed: $0).map(\.kata) }
        #expect(picks == (0..<60).map { InterviewCommand.pick(2, of: katas, seed: $0).map(\.kata) })
        #expect(picks.allSatisfy { $0.count == 2 && $0 == $0.sorted() })
        #expect(Set(picks.flatMap { $0 }) == Set(katas.map(\.kata)))
        #expect(InterviewCommand.pick(6, of: katas, seed: 1) == katas)
    }

    @Test("The katas of a session are from different phases, an easy one together with a hard one")
    func pickByPhaseAndDifficulty() {
        let katas = [(1, 1), (1, 3), (1, 5), (2, 1), (2, 5), (3, 1), (3, 5)].enumerated().map { index, kata in
            Kata(
                kata: "\(index)", order: index, phase: kata.0, difficulty: kata.1, interface: [], tests: [])
        }
        for seed in 0..<60 as Range<UInt64> {
            let two = InterviewCommand.pick(2, of: katas, seed: seed)
            #expect(Set(two.map(\.phase)).count == 2)
            #expect(two.contains { $0.difficulty == 3 } || two.reduce(0) { $0 + $1.difficulty } == 6)
            #expect(Set(InterviewCommand.pick(3, of: katas, seed: seed).map(\.phase)) == [1, 2, 3])
            #expect(InterviewCommand.pick(4, of: katas, seed: seed).count == 4)
        }
    }
}

@Suite("A note while it is typed")
struct NoteLineTests {
    private func note(_ text: String) -> NoteLine {
        var note = NoteLine(begun: InterviewMoment(at: 0, time: Date(timeIntervalSinceReferenceDate: 0)), kata: "One")
        // A terminal sends one scalar after the other.
        for scalar in text.unicodeScalars { _ = note.answer(.letter(Character(scalar))) }
        return note
    }

    @Test(
        "Backspace deletes what was typed last",
        arguments: [("ab", "a"), ("한글", "한"), ("ที่", "ที"), ("กำ", "ก"), ("e\u{301}", ""), ("👩‍👧", ""), ("", "")])
    func backspace(typed: String, left: String) {
        var note = note(typed)
        #expect(note.answer(.backspace) == nil)
        #expect(note.text == left)
    }

    @Test("Of a long note the end is shown, within the cells of the line")
    func tail() {
        #expect(note("abc한글").tail(cells: 5) == "c한글")
        #expect(note("abc한글").tail(cells: 3) == "글")
        #expect(note(String(repeating: "x", count: 700)).text.count == NoteLine.limit)
    }
}
