import Foundation
import Workbook

/// What is known of the class while it is graded.
struct ClassProgress {
    struct Learner {
        var name: String
        var sources: [String]
        var identity: PlatformIdentity?
        var time: SubmissionTime?
        var problem: LocalizableMessage?
        var parts: [OpenedSubmission.Part]
        var missing: Int
    }

    let journal: DecisionJournal
    let katas: [Kata]
    let budget: LearnerBudget
    private(set) var learners: [Learner] = []
    /// Who waits for a decision, by its key.
    private var waiting: [String: [Int]] = [:]
    private var failures: [String: LocalizableMessage] = [:]
    /// Why a file was not graded whose learners have no time left, by its key.
    private var outOfTime: [String: LocalizableMessage] = [:]
    /// How long each decision took, also in an earlier run.
    private var seconds: [String: Double] = [:]
    private var allSeconds = SortedNumbers()
    private var events: [ClassGrading.Event] = []

    init(journal: DecisionJournal, katas: [Kata], budget: LearnerBudget = LearnerBudget()) {
        self.journal = journal
        self.katas = katas
        self.budget = budget
    }

    /// Takes a learner in; gives back what has to be graded for them.
    mutating func take(_ opened: OpenedSubmission) -> [OpenedSubmission.File] {
        var needed: [OpenedSubmission.File] = []
        var missing = 0
        for case .file(let key, _, _, _) in opened.parts.map(\.content) {
            if journal.contains(key) {
                noteTime(of: key)
                events.append(.decided(isNew: false))
                continue
            }
            if failures[key] != nil { continue }
            outOfTime[key] = nil
            missing += 1
            let isFirst = waiting[key] == nil
            waiting[key, default: []].append(learners.count)
            if isFirst, let file = opened.files.first(where: { $0.key == key }) { needed.append(file) }
        }
        learners.append(
            Learner(
                name: opened.learner, sources: opened.sources, identity: opened.identity, time: opened.time,
                problem: opened.problem, parts: opened.parts, missing: missing))
        if missing == 0 { done(learners.count - 1) }
        return needed
    }

    /// Whether a file is still to be graded: as long as one of its learners has time left. It is not kept if none has, so that
    /// it is graded for a learner who comes later.
    mutating func hasTime(for key: String) -> Bool {
        var reason: LocalizableMessage?
        for learner in (waiting[key] ?? []).map({ learners[$0] }) {
            let keys = Self.keys(of: learner)
            let spent = keys.reduce(0) { $0 + (seconds[$1] ?? 0) }
            let allowed = budget.seconds(katas: keys.count, median: allSeconds.median)
            if spent <= allowed { return true }
            reason = LocalizableMessage(.learnerOutOfTime, spent.rounded().short, allowed.rounded().short)
        }
        outOfTime[key] = reason
        return reason == nil
    }

    private static func keys(of learner: Learner) -> [String] {
        learner.parts.compactMap { if case .file(let key, _, _, _) = $0.content { key } else { nil } }
    }

    private mutating func noteTime(of key: String) {
        guard seconds[key] == nil, let time = journal.verdict(for: key)?.seconds else { return }
        seconds[key] = time
        allSeconds.add(time)
    }

    mutating func fail(_ key: String, _ message: LocalizableMessage) { failures[key] = message }

    mutating func finish(_ key: String) {
        noteTime(of: key)
        for index in waiting.removeValue(forKey: key) ?? [] {
            learners[index].missing -= 1
            if learners[index].missing == 0 { done(index) }
        }
    }

    mutating func settled() -> [ClassGrading.Event] {
        defer { events = [] }
        return events
    }

    private mutating func done(_ index: Int) {
        events.append(.done(record(learners[index])))
    }

    var failuresByLearner: [String: LocalizableMessage] {
        guard !failures.isEmpty else { return [:] }
        var result: [String: LocalizableMessage] = [:]
        for learner in learners { result[learner.name] = failure(of: learner) }
        return result
    }

    private func failure(of learner: Learner) -> LocalizableMessage? {
        Self.keys(of: learner).lazy.compactMap { failures[$0] }.first
    }

    /// A kata that could not be graded has no verdict, and is left out; the learner's problem says why.
    func record(_ learner: Learner) -> LearnerRecord {
        let records = learner.parts.compactMap { part in
            let kata = katas[part.kata]
            return part.record(of: kata) { key in
                journal.verdict(for: key)
                    ?? outOfTime[key].map { .notRun(kata, .rejected, $0, file: "\(kata.kata).swift") }
            }
        }
        return LearnerRecord(
            learner: learner.name, sources: learner.sources, identity: learner.identity, time: learner.time,
            problem: failure(of: learner) ?? learner.problem, katas: records)
    }
}
