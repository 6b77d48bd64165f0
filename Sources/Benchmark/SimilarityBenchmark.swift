import Foundation
import Grading
import Storage
import Workbook

/// Whether disguised copies are found, and nothing else is: over every right answer of each kata that has several.
///
/// An answer of the workbook stands for one that a learner wrote alone. The workbook is compared as if it did not have it,
/// nor what was made from it: otherwise a copy of it would be a copy of a known answer, which is another list.
struct SimilarityBenchmark: Benchmark {
    static let name = "similarity"
    static let options = "[--kata NAME] [--learners 2000] [--missed] [--parse]"

    func run(_ setting: BenchmarkSetting) async throws {
        let wanted = setting.value("--kata")
        let katas = try setting.package.katas().map(\.kata).filter { kata in
            let hasSeveral = !WorkbookFolder.swiftFiles(in: setting.package.approaches(kata)).isEmpty
            return hasSeveral && (wanted == nil || kata == wanted)
        }
        guard !katas.isEmpty else {
            throw BenchmarkFailure("Expected the name of a kata with approaches, but found \(wanted ?? "none").")
        }
        let all = try katas.map { try KataAnswers($0, in: setting.package) }
        let learners = setting.number("--learners", 2000)
        compareClass(of: learners, all)
        var found: [Disguise: Int] = [:]
        var pairs: [Disguise: Int] = [:]
        var falseGroups = 0
        var falsePairs = 0
        var mostApart = 0.0
        for kata in all {
            for pair in SimilarSources(kata.right.map { $0.fingerprints.without(kata.given) }, threshold: 0.3).pairs {
                let (one, other) = (kata.right[pair.first], kata.right[pair.second])
                guard !kata.areRelated(one, other) else { continue }
                mostApart = max(mostApart, pair.similarity)
                guard pair.similarity >= SimilarSources.threshold else { continue }
                falseGroups += 1
                say("    \(kata.name): \(one.name) and \(other.name): \(rounded(pair.similarity))")
            }
            for base in kata.right {
                let discounted = kata.discounted(without: base)
                for disguise in Disguise.allCases {
                    guard let text = disguise.applied(to: base.text) else { continue }
                    if setting.has("--parse") { try parse(text, "\(kata.name) \(base.name) \(disguise)", setting) }
                    let copy = SourceFingerprints(of: text.utf8)
                    pairs[disguise, default: 0] += 1
                    let both = SimilarSources([base.fingerprints, copy].map { $0.without(discounted) }, threshold: 0)
                    if both.pairs.first?.similarity ?? 0 < SimilarSources.threshold {
                        let similarity = both.pairs.first.map { rounded($0.similarity) } ?? "nothing, or too short"
                        if setting.has("--missed") {
                            say("    \(kata.name) \(base.name), \(disguise.rawValue): \(similarity)")
                        }
                    } else {
                        found[disguise, default: 0] += 1
                    }
                    // Nor is a disguised copy like an answer that it was not made from.
                    for answer in kata.right where !kata.areRelated(base, answer) {
                        let apart = [copy, answer.fingerprints].map { $0.without(kata.given) }
                        guard !SimilarSources(apart).groups.isEmpty else { continue }
                        falsePairs += 1
                        say("    \(kata.name): \(base.name), \(disguise.rawValue), and \(answer.name)")
                    }
                }
            }
        }
        say("\(katas.count) katas, \(all.map(\.right.count).reduce(0, +)) right answers")
        for disguise in Disguise.allCases {
            let (part, whole) = (found[disguise] ?? 0, pairs[disguise] ?? 0)
            let what = "\(disguise.rawValue), \(part) of \(whole)"
            promise(what, whole == 0 ? 1 : Double(part) / Double(whole), atLeast: 0.95)
        }
        say("the most similar ones that were written independently: \(rounded(mostApart))")
        promise("pairs of answers that were written independently", Double(falseGroups), atMost: 0)
        promise("pairs of a disguised copy and an answer that it is not made from", Double(falsePairs), atMost: 0)
    }

    /// Every learner hands in every kata, and no two files are the same.
    private func compareClass(of learners: Int, _ katas: [KataAnswers]) {
        var random = RandomNumbers(state: 1)
        var groups = 0
        var comparing = 0.0
        for kata in katas {
            let texts = (0..<learners).map { number in
                let lines = kata.right[number % kata.right.count].text.split(separator: "\n")
                return lines.filter { _ in random.next() % 12 > 0 }.joined(separator: "\n")
            }
            comparing += seconds {
                let prints = texts.map { SourceFingerprints(of: $0.utf8) }
                let given = kata.given
                groups += SimilarSources(prints.map { $0.without(given) }).groups.count
            }
        }
        say("\(learners) learners, \(katas.count) katas: \(groups) groups")
        promise("seconds to compare them", comparing, atMost: 60)
        if let figures = ProcessFigures(getpid()) {
            promise("MB at most", Double(figures.peakKilobytes) / 1024, atMost: 200)
        }
    }

    private func parse(_ text: String, _ what: String, _ setting: BenchmarkSetting) throws {
        let file = setting.scratch.appendingPathComponent("parsed.swift")
        try Data(text.utf8).write(to: file)
        do { try setting.run(["swiftc", "-frontend", "-parse", file.path]) } catch { say("    \(what)\n\(error)") }
    }
}

/// The right answers of a kata, and what is known besides.
private struct KataAnswers {
    struct Answer {
        var name: String
        var text: String
        var fingerprints: SourceFingerprints
        var lines: Set<String>

        init(name: String, text: String) {
            self.name = name
            self.text = text
            fingerprints = SourceFingerprints(of: text.utf8)
            lines = Self.lines(of: text)
        }

        /// Those that say something: without comments, and not only a bracket.
        static func lines(of text: String) -> Set<String> {
            let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            return Set(lines.filter { !$0.hasPrefix("//") && $0.count > 8 })
        }
    }

    let name: String
    /// The hashes of the stub and of the brief's code.
    let given: Set<UInt32>
    /// None of them is an edit of another one that says so.
    let right: [Answer]
    private let all: [Answer]
    private let givenLines: Set<String>

    init(_ kata: String, in workbook: WorkbookFolder) throws {
        name = kata
        given = KnownSources(kata, in: workbook) { _ in false }.discounted
        let files = [workbook.modelAnswer(kata)] + workbook.knownAnswers(kata)
        let all = try files.map { file in
            guard let text = workbook.answerText(file) else {
                throw BenchmarkFailure("Expected \(file.path) to fit the answer that it edits.")
            }
            return (isEdit: file.pathExtension == "diff", Answer(name: file.lastPathComponent, text: text))
        }
        right = all.filter { !$0.isEdit && !$0.1.text.contains("\n// fails: ") }.map(\.1)
        self.all = all.map(\.1)
        givenLines = try Answer.lines(of: String(contentsOf: workbook.shippedStub(kata), encoding: .utf8))
    }

    /// What a workbook without this answer, and without what was made from it, discounts.
    func discounted(without base: Answer) -> Set<UInt32> {
        let kept = all.filter { answer in
            // A wrong answer was made from the right one that it has most lines in common with.
            let origin = right.max { lines(of: $0, and: answer) < lines(of: $1, and: answer) } ?? answer
            return !areRelated(base, origin)
        }
        return kept.reduce(into: given) { $0.formUnion($1.fingerprints.hashes) }
    }

    /// Whether one of two right answers was made by editing the other, which their header does not say: more than a third
    /// of their lines are the same to the letter, names included. The comparison that is measured knows no names and no
    /// lines, so that this does not decide what that finds.
    func areRelated(_ one: Answer, _ other: Answer) -> Bool {
        one.name == other.name || lines(of: one, and: other) > 1.0 / 3
    }

    /// How many lines two answers have in common, of those that everybody was not given: 0 to 1.
    func lines(of one: Answer, and other: Answer) -> Double {
        let both = [one.lines.subtracting(givenLines), other.lines.subtracting(givenLines)]
        return Double(2 * both[0].intersection(both[1]).count) / Double(max(1, both[0].count + both[1].count))
    }
}

/// The same numbers in each run.
private struct RandomNumbers {
    var state: UInt64

    mutating func next() -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33)
    }
}
