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
    private(set) var learners: [Learner] = []
    /// Who waits for a decision, by its key.
    private var waiting: [String: [Int]] = [:]
    private var failures: [String: LocalizableMessage] = [:]
    private var events: [ClassGrading.Event] = []

    init(journal: DecisionJournal, katas: [Kata]) {
        self.journal = journal
        self.katas = katas
    }

    /// Takes a learner in; gives back what has to be graded for them.
    mutating func take(_ opened: OpenedSubmission) -> [OpenedSubmission.File] {
        var needed: [OpenedSubmission.File] = []
        var missing = 0
        for case .file(let key, _, _, _) in opened.parts.map(\.content) {
            if journal.contains(key) {
                events.append(.decided(isNew: false))
                continue
            }
            if failures[key] != nil { continue }
            missing += 1
            let isFirst = waiting[key] == nil
            waiting[key, default: []].append(learners.count)
            if isFirst, let file = opened.files.first(where: { $0.key == key }) { needed.append(file) }
        }
        let wanted = Set(needed.map(\.key))
        for file in opened.files where !wanted.contains(file.key) { file.removeCopy() }
        learners.append(
            Learner(
                name: opened.learner, sources: opened.sources, identity: opened.identity, time: opened.time,
                problem: opened.problem, parts: opened.parts, missing: missing))
        if missing == 0 { done(learners.count - 1) }
        return needed
    }

    mutating func fail(_ key: String, _ message: LocalizableMessage) { failures[key] = message }

    mutating func finish(_ key: String) {
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
        learner.parts.lazy.compactMap { part -> LocalizableMessage? in
            if case .file(let key, _, _, _) = part.content { failures[key] } else { nil }
        }.first
    }

    /// A kata that could not be graded has no verdict, and is left out; the learner's problem says why.
    func record(_ learner: Learner) -> LearnerRecord {
        let records = learner.parts.compactMap { part in
            part.record(of: katas[part.kata]) { key in journal.verdict(for: key) }
        }
        return LearnerRecord(
            learner: learner.name, sources: learner.sources, identity: learner.identity, time: learner.time,
            problem: failure(of: learner) ?? learner.problem, katas: records)
    }
}
