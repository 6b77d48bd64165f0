import Foundation
import Workbook

/// `gradebook.json`, and the object of `check --json` for one submission.
struct GradebookJSON: ClassFileFormat, SubmissionFormat {
    static let name = "json"
    static let fileName = "gradebook.json"

    private let header: ClassHeader
    private let language: Language
    private let deadline: DateText?

    init(_ header: ClassHeader, _ localization: GradebookLocalization, _ policy: GradingPolicy) {
        self.header = header
        deadline = policy.deadline
        language = localization.language
    }

    static func text(_ report: LearnerReport, seed: UInt64, language: Language) throws -> String {
        try PlainText.json(CheckReport(language: language, seed: seed, katas: report.katas)) + "\n"
    }

    func opening() throws -> String {
        let katas = try header.katas.map { kata in
            try PlainText.json(Column(kata: kata.kata, maxPoints: kata.maxPoints, tests: kata.tests.map(\.id)))
        }
        var text = "{\n\"schema\":1,\n\"language\":\(try PlainText.json(language)),\n\"seed\":\(header.seed),\n"
        text += "\"versions\":\(try PlainText.json(header.versions)),\n"
        if let shard = header.shard { text += "\"shard\":\(try PlainText.json(shard)),\n" }
        if let deadline { text += "\"deadline\":\(try PlainText.json(DateText.text(of: deadline.last))),\n" }
        return text + "\"katas\":[\n\(katas.joined(separator: ",\n"))\n],\n\"learners\":["
    }

    func learner(_ report: LearnerReport, isFirst: Bool) throws -> String {
        let entry = Entry(
            learner: report.record.learner, sources: report.record.sources, identity: report.record.identity,
            isLate: report.isLate, time: deadline == nil ? nil : Time(report), problem: report.problem,
            adjustments: report.adjustments, notes: report.notes.map { report.localization.strings($0) },
            look: report.look,
            katas: report.katas.map { GradedKata(report: $0, isHandedIn: report.isHandedIn($0.kata)) })
        return (isFirst ? "\n" : ",\n") + (try PlainText.json(entry))
    }

    func closing(_ totals: GradebookTotals) throws -> String {
        func list(_ values: [some Encodable]) throws -> String {
            values.isEmpty ? "[]" : "[\n" + (try values.map { try PlainText.json($0) }).joined(separator: ",\n") + "\n]"
        }
        return "\n],\n\"identical\":\(try list(totals.identical)),\n\"known\":\(try list(totals.known)),\n"
            + "\"similar\":\(try list(totals.similar)),\n"
            + "\"totals\":\(try PlainText.json(totals.sums))\n}\n"
    }

    /// The places of the learners in a file as it is written here, with a line each, and the file without them; `nil` where the
    /// lines are others, as another program may write them.
    static func learners(in data: Data) -> (places: [Range<Int>], rest: Data)? {
        var places: [Range<Int>] = []
        var first: Int?
        var start = 0
        while let end = lineEnd(in: data, from: start) {
            if let first, data[start] == UInt8(ascii: "]") { return (places, data[..<first] + data[start...]) }
            if first != nil {
                places.append(start..<(data[end - 1] == UInt8(ascii: ",") ? end - 1 : end))
            } else if data[start..<end].elementsEqual("\"learners\":[".utf8) {
                first = end
            }
            start = end + 1
        }
        return nil
    }

    /// A file may have hundreds of megabytes, and its bytes are not looked at one by one.
    private static func lineEnd(in data: Data, from start: Int) -> Int? {
        data.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress, start < bytes.count,
                let end = memchr(first + start, Int32(UInt8(ascii: "\n")), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(end) - first
        }
    }

    private struct Column: Encodable {
        var kata: String
        var maxPoints: Int
        var tests: [String]
    }

    /// The object of `check --json`, and whether there was a file at all.
    private struct GradedKata: Encodable {
        var report: CheckReport.KataReport
        var isHandedIn: Bool

        enum Key: String, CodingKey { case handedIn }

        func encode(to encoder: any Encoder) throws {
            try report.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(isHandedIn, forKey: .handedIn)
        }
    }

    /// When a learner handed in, and what of the points counts: where there is a deadline.
    private struct Time: Encodable {
        var handedIn: String?
        var lateBySeconds: Int?
        var deductionPercent: Int
        var pointsBefore: Int
        var points: Int

        init(_ report: LearnerReport) {
            handedIn = report.record.time?.seconds.map(DateText.text)
            lateBySeconds = report.lateness?.seconds
            deductionPercent = report.lateness?.percent ?? 0
            pointsBefore = report.pointsBefore
            points = report.points
        }

        enum Key: String, CodingKey { case handedIn, lateBySeconds, deductionPercent, pointsBefore, points }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(handedIn, forKey: .handedIn)
            try container.encode(lateBySeconds, forKey: .lateBySeconds)
            try container.encode(deductionPercent, forKey: .deductionPercent)
            try container.encode(pointsBefore, forKey: .pointsBefore)
            try container.encode(points, forKey: .points)
        }
    }

    private struct Entry: Encodable {
        var learner: String
        var sources: [String]
        var identity: PlatformIdentity?
        var isLate: Bool
        var time: Time?
        var problem: String?
        var adjustments: [String]
        var notes: [String]
        var look: [Look]
        var katas: [GradedKata]

        enum Key: String, CodingKey {
            case learner, sources, number, github, email, late, time, problem, adjustments, notes, look, katas
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(learner, forKey: .learner)
            try container.encode(sources, forKey: .sources)
            // Also written when they are empty, so that a reader sees which keys an entry can have.
            try container.encode(identity?.number, forKey: .number)
            try container.encode(identity?.github, forKey: .github)
            try container.encode(identity?.email, forKey: .email)
            try container.encode(isLate, forKey: .late)
            try container.encode(time, forKey: .time)
            try container.encode(problem, forKey: .problem)
            try container.encode(adjustments, forKey: .adjustments)
            try container.encode(notes, forKey: .notes)
            try container.encode(look, forKey: .look)
            try container.encode(katas, forKey: .katas)
        }
    }
}

/// What is true of the whole class, gathered while its learners go by.
public struct GradebookTotals: Sendable, Equatable {
    public struct Sums: Codable, Sendable, Equatable {
        /// Everyone who is in the class's folder, also those whose submission could not be graded.
        public var learners = 0
        /// Entries that were not graded, or not whole, or about which there is something else to know.
        public var problems = 0
        /// Learners whose submission a person should look at.
        public var toLookAt = 0
        /// Katas that were handed in with a change. Points and seconds are theirs.
        public var handedIn = 0
        public var points = 0
        public var maxPoints = 0
        public var seconds = 0.0
        /// How many katas that were handed in ended how.
        public var outcomes: [String: Int] = [:]
    }

    /// Learners who handed in the same bytes.
    public struct Identical: Codable, Sendable, Equatable {
        public var kata: String
        public var learners: [String]
    }

    /// Learners whose files have much in common, and how much any two of them: 0 to 1.
    public struct Similar: Encodable, Sendable, Equatable {
        public var kata: String
        public var learners: [String]
        public var least: Double
        public var most: Double
        /// Those that are listed, the most similar first.
        public var pairs: [SimilarPair] = []
        public var pairsLeftOut = 0
        /// What a page draws, at most `SimilarPair.mostLinks`: first the pairs that connect the learners, then others, without
        /// their lines. All learners are in the list.
        var links: [SimilarPair] = []

        enum CodingKeys: String, CodingKey { case kata, learners, least, most, pairs, pairsLeftOut }
    }

    /// Learners whose files have much in common with an answer that is in the workbook, and how much: 0 to 1.
    public struct Known: Encodable, Sendable, Equatable {
        public var kata: String
        /// In the workbook.
        public var answer: String
        public var learners: [String]
        public var least: Double
        public var most: Double
    }

    public struct LearnerLook: Sendable, Equatable {
        public var learner: String
        public var look: Look
    }

    public private(set) var sums = Sums()
    public private(set) var similar: [Similar] = []
    /// In the workbook's order, then by the answer's path.
    public private(set) var known: [Known] = []
    /// The first reasons to look at submissions.
    public private(set) var looks: [LearnerLook] = []
    /// What is shown of the files of pairs, by kata and digest.
    private(set) var similarCode: [String: [String: SimilarPair.Code]] = [:]
    private static let mostLooks = 20
    /// `nil` where the record is of a grader that compared files in another way.
    private var prints: [Owned: SourceFingerprints?] = [:]
    private var owners: [Owned: [String]] = [:]
    private var order: [String: Int]

    private struct Owned: Hashable {
        var kata: String
        var digest: String
    }

    init(_ katas: [Kata]) {
        order = Dictionary(katas.enumerated().map { ($1.kata, $0) }) { first, _ in first }
    }

    mutating func add(_ report: LearnerReport) {
        if !report.remark.isEmpty { sums.problems += 1 }
        if !report.look.isEmpty { sums.toLookAt += 1 }
        looks += report.look.prefix(max(0, Self.mostLooks - looks.count)).map {
            LearnerLook(learner: report.record.learner, look: $0)
        }
        sums.learners += 1
        guard report.katas.contains(where: { report.isHandedIn($0.kata) }) else { return }
        let handedIn = report.katas.filter { $0.outcome != .notStarted }
        sums.handedIn += handedIn.count
        // The class's figures are about the katas, and not about when they were handed in.
        sums.points += handedIn.reduce(0) { $0 + $1.points }
        sums.maxPoints += handedIn.reduce(0) { $0 + $1.maxPoints }
        // A sum of doubles depends on their order only if it is kept in doubles: it is kept in milliseconds.
        sums.seconds = ((sums.seconds + report.seconds) * 1000).rounded() / 1000
        for kata in report.record.katas where kata.verdict.isHandedIn {
            sums.outcomes[kata.verdict.outcome.rawValue, default: 0] += 1
            // Everyone who has not begun has the same file: that says nothing.
            guard let digest = kata.digest, kata.verdict.outcome != .notStarted else { continue }
            let owned = Owned(kata: kata.verdict.kata, digest: digest)
            owners[owned, default: []].append(report.record.learner)
            prints.updateValue(kata.fingerprints, forKey: owned)
        }
    }

    /// Compares all files of each kata, in the workbook's order.
    mutating func compare(_ code: ClassCode = ClassCode()) {
        let katas = order.sorted { $0.value < $1.value }.map(\.key)
        var discounted: [String: Set<UInt32>] = [:]
        for kata in katas {
            let files = prints.filter { $0.key.kata == kata }.compactMap { owned, prints in
                (prints ?? code.text(owned.digest).map { SourceFingerprints(of: $0.utf8) }).map {
                    (key: owned, value: $0)
                }
            }.sorted { $0.key.digest < $1.key.digest }
            guard !files.isEmpty else { continue }
            let sources = code.known(kata)
            let given = sources.discounted
            discounted[kata] = given
            let sides = files.map { SimilarPair.Side(learners: (owners[$0.key] ?? []).sorted(), digest: $0.key.digest) }
            known += Self.known(sources, kata, files.map(\.value), sides)
            let groups = SimilarSources(files.map { $0.value.without(given) }).groups
            similar += groups.map { Similar($0, kata, sides) }.sorted { $0.learners[0] < $1.learners[0] }
        }
        choosePairs(code, discounted)
    }

    private static func known(
        _ sources: KnownSources, _ kata: String, _ files: [SourceFingerprints], _ sides: [SimilarPair.Side]
    ) -> [Known] {
        var byAnswer: [String: Known] = [:]
        for (file, side) in zip(files, sides) {
            guard let (answer, similarity) = sources.nearest(to: file) else { continue }
            var known =
                byAnswer[answer.path] ?? Known(kata: kata, answer: answer.path, learners: [], least: 1, most: 0)
            known.learners = (known.learners + side.learners).sorted()
            known.least = min(known.least, (similarity * 100).rounded() / 100)
            known.most = max(known.most, (similarity * 100).rounded() / 100)
            byAnswer[answer.path] = known
        }
        return byAnswer.values.sorted { $0.answer < $1.answer }
    }

    /// Keeps the pairs that are most worth a look, of each group its first ones, and finds where they match.
    private mutating func choosePairs(_ code: ClassCode, _ discounted: [String: Set<UInt32>]) {
        let all = similar.indices.flatMap { group in
            similar[group].pairs.enumerated().map { (rank: $0.offset, group: group, pair: $0.element) }
        }.sorted { ($0.rank, $1.pair.similarity, $0.group) < ($1.rank, $0.pair.similarity, $1.group) }
        for group in similar.indices {
            similar[group].links = Array(similar[group].pairs.prefix(SimilarPair.mostLinks))
            similar[group].pairsLeftOut += similar[group].pairs.count
            similar[group].pairs = []
        }
        var bytes = 0
        for (_, group, pair) in all.prefix(SimilarPair.most) where bytes < SimilarPair.mostBytes {
            var pair = pair
            let kata = similar[group].kata
            let digests = [pair.first.digest, pair.second.digest]
            let files = digests.compactMap { code.text($0).map(SimilarPair.Code.init) }
            if files.count == 2 {
                pair.lines = MatchingLines(
                    files[0].text.utf8, files[1].text.utf8, discounting: discounted[kata] ?? [])
                for (digest, file) in zip(digests, files) where similarCode[kata]?[digest] == nil {
                    var shown = file
                    shown.text = code.shown(file.text, similar[group].learners)
                    similarCode[kata, default: [:]][digest] = shown
                    bytes += shown.text.utf8.count
                }
            }
            similar[group].pairs.append(pair)
            similar[group].pairsLeftOut -= 1
        }
        for group in similar.indices {
            similar[group].pairs.sort {
                ($1.similarity, $0.first.learners[0], $0.second.learners[0])
                    < ($0.similarity, $1.first.learners[0], $1.second.learners[0])
            }
        }
    }

    /// In the workbook's order, then by name.
    public var identical: [Identical] {
        owners.filter { $0.value.count > 1 }
            .map { Identical(kata: $0.key.kata, learners: $0.value.sorted()) }
            .sorted { (order[$0.kata] ?? 0, $0.learners[0]) < (order[$1.kata] ?? 0, $1.learners[0]) }
    }
}

extension GradebookTotals.Similar {
    fileprivate init(_ group: SimilarSources.Group, _ kata: String, _ sides: [SimilarPair.Side]) {
        self.init(
            kata: kata, learners: group.members.flatMap { sides[$0].learners }.sorted(),
            least: (group.least * 100).rounded() / 100, most: (group.most * 100).rounded() / 100,
            pairs: group.pairs.map { pair in
                let ends = [sides[pair.first], sides[pair.second]].sorted { $0.learners[0] < $1.learners[0] }
                return SimilarPair(
                    similarity: (pair.similarity * 100).rounded() / 100, first: ends[0], second: ends[1])
            }, pairsLeftOut: group.pairsLeftOut)
    }
}
