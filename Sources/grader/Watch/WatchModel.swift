import Reports
import Workbook

/// What the watch screen knows, and what it does about what happens. It touches neither files nor the terminal: it takes
/// events and answers with effects.
struct WatchModel: Sendable {
    enum Screen: Equatable, Sendable {
        /// The six languages, each written in itself; `isFirstRun` while nothing else can be shown yet.
        case language(cursor: Int, isFirstRun: Bool)
        /// What a learner has to know, once.
        case introduction
        case kata
        case brief
        case list(cursor: Int)
        /// All tests of the kata.
        case tests(cursor: Int)
        /// One of them, with what it found and its hints.
        case test(KataTest.ID, cursor: Int)
        /// The model answer of a kata that is passed, and all hints.
        case answer
        /// The rules that the kata tests.
        case rules
        /// What each key of the kata's screen does, and what the signs mean.
        case keys
        case summary
    }

    enum Event: Sendable {
        case started
        case key(Key)
        /// The current kata's file holds another text.
        case saved
        /// Another kata's does.
        case savedOther(kata: Int)
        /// So much of what the kata is graded with is built, from 0 to 1.
        case built(Double, kata: String)
        /// What a grading, or its preparation, does now; no kata where it is for all of them.
        case doing(Step, kata: String?)
        case graded(Verdict, of: Run)
        /// One kata of all that are graded.
        case checked(Verdict, of: Run)
        case checkedAll(of: Run)
        /// What is remembered of a kata now, and what the last grading reached for the first time.
        case remembered(KataProgress, Milestones, kata: String)
        case gradingFailed(String, of: Run)
        case hintShown(mistake: String, level: Int, kata: String)
        case wasReset(kata: String, backup: String?)
        case trouble(String)
        case resized(Terminal.Size)
        /// The program was stopped and goes on.
        case resumed
        case quit
    }

    /// What a learner waits for.
    enum Step: Equatable, Sendable {
        case buildingTests, compiling, running, lookingAgain
    }

    /// One grading that was asked for. A newer one makes it worthless.
    typealias Run = Int

    enum Effect: Equatable, Sendable {
        /// Grade the kata's file, even one that there is a verdict for when `isForced`.
        case grade(kata: Int, run: Run, isForced: Bool)
        case gradeAll(run: Run)
        /// Open the kata's file in the learner's editor.
        case edit(kata: Int)
        /// Compile what the katas' gradings need while the learner reads, one kata after the other.
        case prepare(katas: [Int])
        case watch(kata: Int)
        /// Count one more hint as shown.
        case remember(hint: String, mistake: String, level: Int, kata: Int)
        case reset(kata: Int)
        case speak(Language)
        case quit
    }

    /// What stands above the keys for one message.
    enum Notice: Equatable, Sendable {
        case reset(backup: String?)
        case noHint(NoHint)
        case noNext
        case switched
        case checkedAll
        /// The model answer is for a kata that is passed.
        case noAnswer
        /// The kata's tests name no rule.
        case noRules
        /// No editor is known.
        case noEditor
        /// The key does nothing on this screen.
        case noUse(Character)
        case trouble(String)
    }

    /// Why there is no hint to show.
    enum NoHint: Equatable, Sendable {
        case grading, didNotCompile, rejected, mastered, lastShown
    }

    let katas: [Kata]
    var language: Language
    var size: Terminal.Size
    var screen: Screen
    var current: Int
    /// The last verdict of each kata that was graded here.
    var verdicts: [String: Verdict] = [:]
    /// The last verdicts in which tests ran.
    private var told: [String: Verdict] = [:]
    /// What the last save of the current kata has changed.
    var change: VerdictChange?
    /// What the last grading of the current kata reached for the first time.
    var milestones = Milestones()
    /// Whether what is graded is a save of the current kata.
    private var gradesSave = false
    /// What is done for each kata that is graded or prepared.
    private var steps: [String: Step] = [:]
    /// What is remembered, by the kata's name.
    var remembered: [String: KataProgress]
    var hintsShown: [String: [String: Int]]
    /// Which hints of the current kata stand open on the screen, by test.
    var openHint: String?
    var notice: Notice?
    /// The kata that is reset if the learner says yes.
    var asksToReset: Int?
    /// Whether the screen with answers shows the model answer and all hints: who has passed is asked first.
    private(set) var showsModelAnswer = false
    /// How many katas are graded, while all of them are.
    var checkedCount: Int?
    var isGrading = false
    /// How much is built, where a grading begins with a build that takes long.
    var built: Double?
    var scroll = 0
    private(set) var run: Run = 0
    private var toldSummary = false

    init(
        katas: [Kata], current: Int, language: Language?, fallback: Language, size: Terminal.Size,
        progress: [String: KataProgress]
    ) {
        self.katas = katas
        self.current = current
        self.language = language ?? fallback
        self.size = size
        screen =
            language == nil
            ? .language(cursor: Language.allCases.firstIndex(of: fallback) ?? 0, isFirstRun: true) : .kata
        remembered = progress
        hintsShown = progress.mapValues(\.hintsShown)
    }

    var kata: Kata { katas[current] }
    var verdict: Verdict? { verdicts[kata.kata] }
    /// What the grading of the current kata does.
    var step: Step? { steps[kata.kata] }

    /// The best that a kata ever was, in this session or before it.
    func outcome(of kata: Kata) -> Verdict.Outcome {
        let outcomes = [remembered[kata.kata]?.best?.outcome, verdicts[kata.kata]?.outcome].compactMap { $0 }
        return outcomes.max { $0.rank < $1.rank } ?? .notStarted
    }

    var passedCount: Int {
        katas.count { outcome(of: $0).isPassed }
    }

    var masteredCount: Int {
        katas.count { outcome(of: $0) == .mastered }
    }

    /// The test whose hint is due: the one that is looked at, else the first failure that no other one explains.
    var testInNeed: KataTest? {
        guard let verdict, verdict.outcome == .failed || verdict.outcome == .passed || verdict.outcome == .notStarted
        else { return nil }
        guard case .test(let id, _) = screen else { return verdict.nextFailures(in: kata).first }
        return verdict.tests.contains { $0.id == id && $0.outcome != .passed }
            ? kata.tests.first { $0.id == id } : nil
    }

    /// The current kata's tests, core before robust, as its list shows them.
    var listedTests: [KataTest] { [.core, .robust].flatMap { tier in kata.tests.filter { $0.tier == tier } } }

    // MARK: - What happens

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .started:
            if case .language = screen { return [.watch(kata: current)] }
            return [.watch(kata: current)] + grade(isForced: false)
        case .key(let key):
            return handle(key)
        case .saved:
            if case .language(_, isFirstRun: true) = screen { return [] }
            // Who has written something wants its verdict.
            if screen == .introduction { screen = .kata }
            if notice == .switched { notice = nil }
            let effects = grade(isForced: false)
            gradesSave = true
            return effects
        case .savedOther(let kata):
            if case .language(_, isFirstRun: true) = screen { return [] }
            let effects = jump(to: kata)
            gradesSave = true
            notice = .switched
            return effects
        case .checked(let verdict, let run):
            guard run == self.run else { return [] }
            checkedCount = (checkedCount ?? 0) + 1
            verdicts[verdict.kata] = verdict
            return []
        case .checkedAll(let run):
            guard run == self.run else { return [] }
            isGrading = false
            checkedCount = nil
            notice = .checkedAll
            return []
        case .remembered(let progress, let milestones, let kata):
            remembered[kata] = progress
            if kata == self.kata.kata { self.milestones = milestones }
            return []
        case .built(let share, let kata):
            built = share < 1 && kata == self.kata.kata ? share : nil
            return []
        case .doing(let step, let kata):
            steps[kata ?? self.kata.kata] = step
            return []
        case .graded(let verdict, let run):
            guard run == self.run else { return [] }
            steps[verdict.kata] = nil
            if gradesSave { change = told[verdict.kata].flatMap { VerdictChange(from: $0, to: verdict) } }
            if verdict.tellsOfTests { told[verdict.kata] = verdict }
            take(verdict)
            // A stub is known without a build, and its first edit should not have to wait for one: the current kata comes first.
            return [.prepare(katas: [current, (current + 1) % katas.count])]
        case .gradingFailed(let sentence, let run):
            guard run == self.run else { return [] }
            isGrading = false
            checkedCount = nil
            notice = .trouble(sentence)
            return []
        case .hintShown(let mistake, let level, let kata):
            hintsShown[kata, default: [:]][mistake] = level
            return []
        case .wasReset(let kata, let backup):
            notice = .reset(backup: backup)
            verdicts[kata] = nil
            hintsShown[kata] = nil
            return kata == self.kata.kata ? grade(isForced: false) : []
        case .trouble(let sentence):
            notice = .trouble(sentence)
            return []
        case .resized(let size):
            self.size = size
            return []
        case .resumed:
            return []
        case .quit:
            return [.quit]
        }
    }

    /// Asks for a grading; what is being graded already is overtaken by it.
    private mutating func grade(isForced: Bool) -> [Effect] {
        run += 1
        isGrading = true
        gradesSave = false
        milestones = Milestones()
        built = nil
        checkedCount = nil
        return [.grade(kata: current, run: run, isForced: isForced)]
    }

    private mutating func gradeAll() -> [Effect] {
        run += 1
        isGrading = true
        built = nil
        checkedCount = 0
        scrollList(to: current)
        return [.gradeAll(run: run)]
    }

    private mutating func take(_ verdict: Verdict) {
        isGrading = false
        show(verdict)
        if verdict.outcome == .mastered, passedCount == katas.count, !toldSummary {
            toldSummary = true
            screen = .summary
        }
    }

    mutating func show(_ verdict: Verdict) {
        // What happened to a file is said until the next key; all else is over with a new verdict.
        switch notice {
        case .reset, .switched: break
        default: notice = nil
        }
        scroll = 0
        // A hint answers a verdict.
        if let before = verdicts[verdict.kata], !before.saysTheSame(as: verdict) { openHint = nil }
        verdicts[verdict.kata] = verdict
    }

    // MARK: - Keys

    private mutating func handle(_ key: Key) -> [Effect] {
        notice = nil
        milestones = Milestones()
        if let kata = asksToReset {
            asksToReset = nil
            return key == .letter("y") ? [.reset(kata: kata)] : []
        }
        switch screen {
        case .language(let cursor, let isFirstRun): return handleLanguage(key, cursor, isFirstRun)
        case .introduction:
            if key == .letter("q") { return [.quit] }
            screen = .kata
            return []
        case .kata: return handleKata(key)
        case .list(let cursor): return handleList(key, cursor)
        case .tests(let cursor): return handleTests(key, cursor)
        case .test(_, let cursor):
            switch key {
            case .letter("q"): return [.quit]
            case .letter("h"): return showHint()
            case .letter("t"), .escape, .enter:
                screen = .tests(cursor: cursor)
                scrollTests(to: cursor)
            default: move(key)
            }
            return []
        case .brief, .summary, .answer, .rules, .keys:
            switch key {
            case .letter("q"): return [.quit]
            case .letter("n") where screen == .summary:
                if let open = katas.firstIndex(where: { outcome(of: $0) != .mastered }) { return jump(to: open) }
                screen = .kata
            case .letter("b"), .letter("n"), .letter("m"), .letter("u"), .letter("?"), .escape, .enter:
                screen = .kata
                scroll = 0
            case .letter("y") where screen == .answer: showsModelAnswer = true
            case .letter("l"): scrollList(to: current)
            default: move(key)
            }
            return []
        }
    }

    private mutating func handleKata(_ key: Key) -> [Effect] {
        switch key {
        case .letter("q"):
            return [.quit]
        case .letter("r"), .enter:
            return grade(isForced: true)
        case .letter("h"):
            return showHint()
        case .letter("l"):
            scrollList(to: current)
        case .letter("b"):
            screen = .brief
            scroll = 0
        case .letter("u"):
            guard kata.tests.contains(where: { $0.rule != nil }) else {
                notice = .noRules
                return []
            }
            screen = .rules
            scroll = 0
        case .letter("t"):
            let tests = listedTests
            scrollTests(to: tests.firstIndex { $0.id == testInNeed?.id } ?? 0)
        case .letter("m"):
            guard outcome(of: kata).isPassed else {
                notice = .noAnswer
                return []
            }
            screen = .answer
            showsModelAnswer = outcome(of: kata) == .mastered
            scroll = 0
        case .letter("c"):
            return gradeAll()
        case .letter("e"):
            return [.edit(kata: current)]
        case .letter("x"):
            asksToReset = current
        case .letter("g"):
            screen = .language(cursor: Language.allCases.firstIndex(of: language) ?? 0, isFirstRun: false)
        case .letter("?"):
            screen = .keys
            scroll = 0
        case .letter("n"):
            return next()
        case .letter("p"):
            return jump(to: (current + katas.count - 1) % katas.count)
        case .letter(let letter) where !Self.movingLetters.contains(letter):
            notice = .noUse(letter)
        default:
            move(key)
        }
        return []
    }

    private static let movingLetters: Set<Character> = ["j", "k", " "]

    /// On to the next kata that is not passed and whose needs are met; from the last one around to the first.
    private mutating func next() -> [Effect] {
        let others = (1..<max(katas.count, 2)).map { (current + $0) % katas.count }
        let passed = Set(katas.filter { outcome(of: $0).isPassed }.map(\.kata))
        let known = Set(katas.map(\.kata))
        let open = others.filter { !passed.contains(katas[$0].kata) }
        if let next = open.first(where: { passed.isSuperset(of: katas[$0].needs.filter(known.contains)) }) ?? open.first
        {
            return jump(to: next)
        }
        if passedCount == katas.count {
            screen = .summary
            scroll = 0
        } else {
            notice = .noNext
        }
        return []
    }

    mutating func jump(to index: Int) -> [Effect] {
        screen = .kata
        scroll = 0
        openHint = nil
        change = nil
        current = index
        return [.watch(kata: index)] + grade(isForced: false)
    }

    /// What the next press of the hint's key opens; a hint that was seen before comes first, and only then the next level.
    var hintDue: (test: KataTest, level: Int, isNew: Bool)? {
        guard let test = testInNeed else { return nil }
        let shown = hintsShown[kata.kata]?[test.mistake(in: verdict)] ?? 0
        let level = openHint == test.id ? min(shown + 1, KataTest.hintLevels) : max(shown, 1)
        return (test, level, level > shown)
    }

    private mutating func showHint() -> [Effect] {
        guard let (test, level, isNew) = hintDue else {
            notice = .noHint(whyNoHint)
            return []
        }
        if openHint == test.id, !isNew { notice = .noHint(.lastShown) }
        openHint = test.id
        scroll = 0
        return isNew
            ? [.remember(hint: test.id, mistake: test.mistake(in: verdict), level: level, kata: current)] : []
    }

    private var whyNoHint: NoHint {
        switch verdict?.outcome {
        case .didNotCompile: .didNotCompile
        case .rejected: .rejected
        case .mastered: .mastered
        case nil, .notStarted, .failed, .passed: .grading
        }
    }

    private mutating func handleLanguage(_ key: Key, _ cursor: Int, _ isFirstRun: Bool) -> [Effect] {
        let count = Language.allCases.count
        var chosen: Int?
        switch key {
        case .up, .letter("k"): screen = .language(cursor: (cursor + count - 1) % count, isFirstRun: isFirstRun)
        case .down, .letter("j"): screen = .language(cursor: (cursor + 1) % count, isFirstRun: isFirstRun)
        case .enter: chosen = cursor
        case .letter(let letter):
            if let digit = letter.wholeNumberValue, (1...count).contains(digit) { chosen = digit - 1 }
            if letter == "q" { return [.quit] }
        case .escape where !isFirstRun: screen = .kata
        default: break
        }
        guard let chosen else { return [] }
        language = Language.allCases[chosen]
        screen = isFirstRun ? .introduction : .kata
        return [.speak(language)] + (verdict == nil ? grade(isForced: false) : [])
    }

    private mutating func handleList(_ key: Key, _ cursor: Int) -> [Effect] {
        switch key {
        case .up, .letter("k"): scrollList(to: max(0, cursor - 1))
        case .down, .letter("j"): scrollList(to: min(katas.count - 1, cursor + 1))
        case .home: scrollList(to: 0)
        case .end: scrollList(to: katas.count - 1)
        case .enter: return jump(to: cursor)
        case .letter("x"): asksToReset = cursor
        case .letter("c"): return gradeAll()
        case .letter("l"), .escape:
            screen = .kata
            scroll = 0
        case .letter("q"): return [.quit]
        default: break
        }
        return []
    }

    private mutating func handleTests(_ key: Key, _ cursor: Int) -> [Effect] {
        let tests = listedTests
        switch key {
        case .up, .letter("k"): scrollTests(to: max(0, cursor - 1))
        case .down, .letter("j"): scrollTests(to: min(tests.count - 1, cursor + 1))
        case .home: scrollTests(to: 0)
        case .end: scrollTests(to: tests.count - 1)
        case .enter where tests.indices.contains(cursor):
            screen = .test(tests[cursor].id, cursor: cursor)
            scroll = 0
        case .letter("t"), .escape:
            screen = .kata
            scroll = 0
        case .letter("q"): return [.quit]
        default: break
        }
        return []
    }

    /// Moves the cursor of the list of katas, and keeps it in view.
    private mutating func scrollList(to cursor: Int) {
        screen = .list(cursor: cursor)
        let shown = katas.prefix(cursor + 1)
        // Each group has a heading.
        let headings = zip(shown, shown.dropFirst()).count { !$0.isBeside($1) }
        scroll = max(0, cursor + headings - size.rows / 3)
    }

    /// Moves the cursor of the list of tests, and keeps it in view.
    private mutating func scrollTests(to cursor: Int) {
        screen = .tests(cursor: cursor)
        scroll = max(0, cursor - size.rows / 3)
    }

    /// Moves through a text that is longer than the screen; the screen knows where it ends.
    mutating func move(_ key: Key) {
        scroll = key.scrolled(from: scroll, rows: size.rows) ?? scroll
    }
}

extension Verdict {
    /// Whether a reader sees the same in both, but for what the code printed and how long it took.
    fileprivate func saysTheSame(as other: Verdict) -> Bool {
        outcome == other.outcome && diagnostics == other.diagnostics
            && tests.map(\.outcome) == other.tests.map(\.outcome)
            && tests.map(\.messages) == other.tests.map(\.messages)
    }
}
