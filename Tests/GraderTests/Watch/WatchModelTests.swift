import Reports
import Testing
import Workbook

@testable import grader

@Suite("How the watch screen reacts to events")
struct WatchModelTests {
    private static func kata(_ name: String, order: Int) -> Kata {
        Kata(
            kata: name, order: order, phase: 1, interface: [],
            tests: [
                KataTest(
                    id: "T/a()", framework: .testing, tier: .core, points: 1, hint: "a",
                    hints: [HintRule(kind: "late", hint: "late")]),
                KataTest(id: "T/b()", framework: .testing, tier: .robust, points: 1, hint: "b", after: ["T/a()"]),
            ])
    }

    private func model(language: Language? = .english, progress: [String: KataProgress] = [:]) -> WatchModel {
        WatchModel(
            katas: [Self.kata("One", order: 1), Self.kata("Two", order: 2), Self.kata("Three", order: 3)], current: 0,
            language: language, fallback: .english, size: Terminal.Size(columns: 80, rows: 24), progress: progress)
    }

    private func verdict(
        _ kata: String, _ outcome: Verdict.Outcome, passing: [String] = [], kind: String? = nil
    ) -> Verdict {
        Verdict(
            kata: kata, outcome: outcome, points: passing.count, maxPoints: 2, seconds: 0.1, diagnostics: [],
            tests: ["T/a()", "T/b()"].map {
                TestVerdict(
                    id: $0, outcome: passing.contains($0) ? .passed : .failed, points: passing.contains($0) ? 1 : 0,
                    messages: kind.map { [LocalizableMessage(.verbatim, $0)] } ?? [], kind: kind)
            })
    }

    @Test("The first run begins with the choice of a language, says how it works, and grades meanwhile")
    func firstRun() {
        var model = model(language: nil)
        #expect(model.screen == .language(cursor: 5, isFirstRun: true))
        #expect(model.handle(.started) == [.watch(kata: 0)])
        #expect(model.handle(.key(.letter("4"))) == [.speak(.korean), .grade(kata: 0, run: 1, isForced: false)])
        #expect(model.screen == .introduction)
        #expect(model.handle(.key(.enter)) == [])
        #expect(model.screen == .kata)
    }

    @Test("n passes over a kata whose needs are not met yet")
    func needs() {
        var katas = [Self.kata("One", order: 1), Self.kata("Two", order: 2), Self.kata("Three", order: 3)]
        katas[1].needs = ["One"]
        var model = WatchModel(
            katas: katas, current: 0, language: .english, fallback: .english,
            size: Terminal.Size(columns: 80, rows: 24), progress: [:])
        _ = model.handle(.started)
        #expect(model.handle(.key(.letter("n"))).first == .watch(kata: 2))
        _ = model.handle(.key(.letter("n")))
        #expect(model.current == 0)
        _ = model.handle(.graded(verdict("One", .passed, passing: ["T/a()"]), of: model.run))
        #expect(model.handle(.key(.letter("n"))).first == .watch(kata: 1))
    }

    @Test("What a grading has reached for the first time is told until the next key, grading or kata")
    func milestones() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .passed, passing: ["T/a()"]), of: 1))
        var reached = Milestones()
        reached.themes = [.memory]
        _ = model.handle(.remembered(KataProgress(), reached, kata: "One"))
        #expect(model.milestones == reached)
        _ = model.handle(.key(.letter("h")))
        #expect(model.milestones.isEmpty)
        _ = model.handle(.remembered(KataProgress(), reached, kata: "Two"))
        #expect(model.milestones.isEmpty)
        _ = model.handle(.remembered(KataProgress(), reached, kata: "One"))
        _ = model.handle(.saved)
        #expect(model.milestones.isEmpty)
    }

    @Test("A save is told what it has changed since the verdict before; a file that does not compile lies between")
    func change() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .failed, passing: ["T/b()"]), of: 1))
        #expect(model.change == nil)
        _ = model.handle(.saved)
        _ = model.handle(.graded(verdict("One", .didNotCompile), of: 2))
        #expect(model.change == nil)
        _ = model.handle(.saved)
        _ = model.handle(.graded(verdict("One", .passed, passing: ["T/a()"]), of: 3))
        #expect(model.change?.passing == 1)
        #expect(model.change?.broken == ["T/b()"])
        // Running the same text again changes nothing, and what the save did stays on the screen.
        _ = model.handle(.key(.letter("r")))
        _ = model.handle(.graded(verdict("One", .passed, passing: ["T/a()"]), of: 4))
        #expect(model.change?.passing == 1)
        _ = model.handle(.key(.letter("n")))
        #expect(model.change == nil)
    }

    @Test("The list of tests has core before robust, and a test of it gives its own hints")
    func tests() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .failed), of: 1))
        #expect(model.handle(.key(.letter("t"))) == [])
        #expect(model.screen == .tests(cursor: 0))
        #expect(model.listedTests.map(\.id) == ["T/a()", "T/b()"])
        _ = model.handle(.key(.down))
        _ = model.handle(.key(.down))
        _ = model.handle(.key(.enter))
        #expect(model.screen == .test("T/b()", cursor: 1))
        #expect(
            model.handle(.key(.letter("h"))) == [.remember(hint: "T/b()", mistake: "T/b()", level: 1, kata: 0)])
        _ = model.handle(.key(.escape))
        #expect(model.screen == .tests(cursor: 1))
        _ = model.handle(.key(.letter("t")))
        #expect(model.screen == .kata)
        #expect(model.testInNeed?.id == "T/a()")
    }

    @Test("The list of tests begins at the test in need, and a test that passes has no hint")
    func passingTest() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .passed, passing: ["T/a()"]), of: 1))
        _ = model.handle(.key(.letter("t")))
        #expect(model.screen == .tests(cursor: 1))
        _ = model.handle(.key(.up))
        _ = model.handle(.key(.enter))
        #expect(model.screen == .test("T/a()", cursor: 0))
        #expect(model.testInNeed == nil)
    }

    @Test("What a grading does is known while it lasts, and what another kata's preparation does is not taken for it")
    func steps() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.doing(.buildingTests, kata: "Two"))
        #expect(model.step == nil)
        _ = model.handle(.doing(.buildingTests, kata: nil))
        #expect(model.step == .buildingTests)
        _ = model.handle(.doing(.running, kata: "One"))
        #expect(model.step == .running)
        _ = model.handle(.graded(verdict("One", .failed), of: 1))
        #expect(model.step == nil)
    }

    @Test("A save starts a grading, and the verdict on an older save is ignored")
    func overtaken() {
        var model = model()
        _ = model.handle(.started)
        #expect(model.handle(.saved) == [.grade(kata: 0, run: 2, isForced: false)])
        #expect(model.handle(.graded(verdict("One", .mastered), of: 1)) == [])
        #expect(model.verdict == nil)
        #expect(model.isGrading)
        #expect(model.handle(.graded(verdict("One", .failed), of: 2)) == [.prepare(katas: [0, 1])])
        #expect(model.verdict?.outcome == .failed)
        #expect(!model.isGrading)
    }

    @Test("A hint is for the root cause, and each press opens one more level")
    func hints() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .failed), of: 1))
        #expect(model.handle(.key(.letter("h"))) == [.remember(hint: "T/a()", mistake: "T/a()", level: 1, kata: 0)])
        _ = model.handle(.hintShown(mistake: "T/a()", level: 1, kata: "One"))
        #expect(model.handle(.key(.letter("h"))) == [.remember(hint: "T/a()", mistake: "T/a()", level: 2, kata: 0)])
        _ = model.handle(.hintShown(mistake: "T/a()", level: 3, kata: "One"))
        #expect(model.handle(.key(.letter("h"))) == [])
    }

    @Test("Another mistake begins with its first hint, although the same test fails; the first one's hints stay")
    func hintsOfMistakes() {
        var progress = KataProgress()
        progress.hintsShown = ["T/a()": 3]
        var model = model(progress: ["One": progress])
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .failed, kind: "late"), of: 1))
        #expect(
            model.handle(.key(.letter("h")))
                == [.remember(hint: "T/a()", mistake: "T/a() late", level: 1, kata: 0)])
        _ = model.handle(.hintShown(mistake: "T/a() late", level: 1, kata: "One"))
        _ = model.handle(.saved)
        _ = model.handle(.graded(verdict("One", .failed), of: 2))
        #expect(model.hintDue?.level == 3)
        _ = model.handle(.saved)
        _ = model.handle(.graded(verdict("One", .failed, kind: "late"), of: 3))
        #expect(model.hintDue?.level == 1)
    }

    @Test("A hint that was seen in an earlier session is opened before the next level is")
    func hintsOfEarlier() {
        var progress = KataProgress()
        progress.hintsShown = ["T/a()": 2]
        var model = model(progress: ["One": progress])
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .failed), of: 1))
        #expect(model.handle(.key(.letter("h"))) == [])
        #expect(model.openHint == "T/a()")
        #expect(model.handle(.key(.letter("h"))) == [.remember(hint: "T/a()", mistake: "T/a()", level: 3, kata: 0)])
    }

    @Test("A hint belongs to its verdict: another verdict closes the hint, the same verdict does not")
    func hintCloses() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .failed), of: 1))
        _ = model.handle(.key(.letter("h")))
        _ = model.handle(.saved)
        _ = model.handle(.graded(verdict("One", .failed), of: 2))
        #expect(model.openHint == "T/a()")
        _ = model.handle(.saved)
        _ = model.handle(.graded(verdict("One", .failed, passing: ["T/b()"]), of: 3))
        #expect(model.openHint == nil)
    }

    @Test("Next goes to the next kata that is not passed, and from the last one to the first")
    func next() {
        var passed = KataProgress()
        passed.best = Attempt(verdict("Two", .passed), at: .now)
        var model = model(progress: ["Two": passed])
        _ = model.handle(.started)
        #expect(model.handle(.key(.letter("n"))) == [.watch(kata: 2), .grade(kata: 2, run: 2, isForced: false)])
        #expect(model.handle(.key(.letter("n"))) == [.watch(kata: 0), .grade(kata: 0, run: 3, isForced: false)])
    }

    @Test("p goes to the kata before, passed or not, and from the first one to the last")
    func previous() {
        var passed = KataProgress()
        passed.best = Attempt(verdict("Two", .passed), at: .now)
        var model = model(progress: ["Two": passed])
        _ = model.handle(.started)
        #expect(model.handle(.key(.letter("p"))) == [.watch(kata: 2), .grade(kata: 2, run: 2, isForced: false)])
        #expect(model.handle(.key(.letter("p"))) == [.watch(kata: 1), .grade(kata: 1, run: 3, isForced: false)])
    }

    @Test("? opens the page of all keys, and closes it", arguments: [Key.letter("?"), .escape])
    func keys(closing: Key) {
        var model = model()
        _ = model.handle(.started)
        #expect(model.handle(.key(.letter("?"))) == [])
        #expect(model.screen == .keys)
        #expect(model.handle(.key(closing)) == [])
        #expect(model.screen == .kata)
    }

    @Test("The list moves, jumps, and resets only after a confirmation")
    func list() {
        var model = model()
        _ = model.handle(.started)
        _ = model.handle(.key(.letter("l")))
        _ = model.handle(.key(.down))
        _ = model.handle(.key(.letter("x")))
        #expect(model.screen == .list(cursor: 1))
        #expect(model.asksToReset == 1)
        #expect(model.handle(.key(.letter("n"))) == [])
        _ = model.handle(.key(.letter("x")))
        #expect(model.handle(.key(.letter("y"))) == [.reset(kata: 1)])
        #expect(model.handle(.key(.enter)) == [.watch(kata: 1), .grade(kata: 1, run: 2, isForced: false)])
        #expect(model.screen == .kata)
    }

    @Test("Mastering the last kata shows the summary, once")
    func summary() {
        var passed = KataProgress()
        passed.best = Attempt(verdict("Two", .passed), at: .now)
        var model = model(progress: ["Two": passed, "Three": passed])
        _ = model.handle(.started)
        _ = model.handle(.graded(verdict("One", .mastered, passing: ["T/a()", "T/b()"]), of: 1))
        #expect(model.screen == .summary)
        _ = model.handle(.key(.letter("n")))
        #expect(model.screen == .kata)
        _ = model.handle(.saved)
        _ = model.handle(.graded(verdict("One", .mastered, passing: ["T/a()", "T/b()"]), of: 2))
        #expect(model.screen == .kata)
    }
}
