import Foundation
import Workbook

/// `roster.csv`: everyone who is in the class, also those who handed in nothing.
///
/// GitHub Classroom's roster (`identifier`, `github_username`, `name`), and the tables of Moodle and Canvas, can be used as
/// they are.
public struct Roster: Sendable {
    public static let fileName = "roster.csv"

    private struct Entry: Sendable {
        var name: String
        var number: String?
        var github: String?
        var email: String?
        var isPresent = false
    }
    private var entries: [Entry] = []
    private var places: [LearnerMark: [Int]] = [:]
    private var learners: Set<String> = []

    public init(_ table: PlatformTable) throws(ClassTables.Mistake) {
        let name = table.column("name", "full name", "learner", "student", "student name")
        let number = table.column("number", "id", "identifier")
        let github = table.column("github", "github_username", "github username")
        let email = table.column("email", "email address")
        guard name != nil || number != nil || github != nil || email != nil else {
            throw .rosterColumns(found: table.columns)
        }
        var seen: Set<String> = []
        for row in table.body {
            func text(_ column: Int?) -> String? {
                let text = table.text(row, column).trimmingCharacters(in: .whitespacesAndNewlines)
                return text.isEmpty ? nil : text
            }
            let number = text(number).map(Self.number)
            guard let shown = text(name) ?? text(github) ?? text(email) ?? number,
                // Canvas has the points of its assignments between the learners.
                shown != "Points Possible"
            else { continue }
            let key = "\(LearnerName.key(shown))\u{0}\(number ?? "")\u{0}\(text(email) ?? "")\u{0}\(text(github) ?? "")"
            guard seen.insert(key).inserted else { throw .rosterTwice(shown) }
            let marks = LearnerMark.all(number: number, github: text(github), email: text(email))
            for mark in marks + [LearnerMark(kind: .name, text: LearnerName.key(shown))] {
                places[mark, default: []].append(entries.count)
            }
            entries.append(Entry(name: shown, number: number, github: text(github), email: text(email)))
        }
    }

    /// Moodle writes `Participant 12` for the learner whose folder has the number 12.
    static func number(_ text: String) -> String { text.firstMatch(of: /^\D+\s(\d+)$/).map { String($0.1) } ?? text }

    /// Notes who handed in, and gives back what the roster knows of them in addition; `nil` where they are not in it.
    public mutating func found(_ record: LearnerRecord) -> LearnerRecord? {
        learners.insert(record.learner)
        let matches = entries(of: record)
        for index in matches { entries[index].isPresent = true }
        guard let match = matches.first else { return nil }
        // Several people handed in together: what is known of one of them is not said of all.
        guard matches.count == 1 else { return record }
        var result = record
        let (entry, known) = (entries[match], record.identity)
        result.identity = PlatformIdentity(
            number: known?.number ?? entry.number, github: known?.github ?? entry.github,
            email: known?.email ?? entry.email, isLate: known?.isLate ?? false)
        return result
    }

    private func entries(of record: LearnerRecord) -> [Int] {
        let known = record.identity
        let marks = LearnerMark.all(number: known?.number, github: known?.github, email: known?.email)
        let byMark = Set(marks.flatMap { places[$0] ?? [] })
        if !byMark.isEmpty { return byMark.sorted() }
        let keys = LearnerName.keys(of: record.learner) { places[LearnerMark(kind: .name, text: $0)] != nil }
        return keys.compactMap { key in
            guard !key.isEmpty, let found = places[LearnerMark(kind: .name, text: key)], found.count == 1 else {
                return nil
            }
            let entry = entries[found[0]]
            // Who has another number, address or account is another person of the same name.
            let isOther =
                entry.number != nil && known?.number != nil || entry.email != nil && known?.email != nil
                || entry.github != nil && known?.github != nil
            return isOther ? nil : found[0]
        }.sorted()
    }

    /// Who handed in nothing, in the order of their names. All records were shown before.
    public func absent(_ katas: [Kata]) -> [LearnerRecord] {
        var names = learners
        return entries.filter { !$0.isPresent }.map { entry in
            let mark = entry.number ?? entry.github ?? entry.email ?? Self.fileName
            let places =
                [entry.name, "\(entry.name) (\(mark))"]
                + (2...).lazy.prefix(entries.count).map { "\(entry.name) (\($0))" }
            let name = places.first { !names.contains($0) } ?? entry.name
            names.insert(name)
            return LearnerRecord(
                learner: name, sources: [],
                identity: PlatformIdentity(number: entry.number, github: entry.github, email: entry.email),
                katas: katas.map {
                    KataRecord(
                        verdict: .notRun($0, .notStarted, LocalizableMessage(.kataNotSubmitted, "\($0.kata).swift")))
                })
        }.sorted { $0.learner < $1.learner }
    }
}

/// What a learner is found by.
struct LearnerMark: Hashable {
    enum Kind { case number, github, email, name }
    var kind: Kind
    var text: String

    /// Several people may have handed in together.
    static func all(number: String?, github: String?, email: String?) -> [LearnerMark] {
        [(Kind.number, number), (.github, github), (.email, email)].flatMap { kind, list in
            (list ?? "").lowercased().components(separatedBy: ", ").filter { !$0.isEmpty }.map {
                LearnerMark(kind: kind, text: $0)
            }
        }
    }
}

/// What two ways to write one name have in common: Canvas makes `doejane` of `Doe, Jane`.
enum LearnerName {
    static func key(_ name: String) -> String {
        String(name.precomposedStringWithCanonicalMapping.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// Of one learner; or of each of several who handed in together, where all of them are known by their names. `Doe, Jane` is
    /// one, and not the `Jane` who is in the class as well.
    static func keys(of learner: String, among isKnown: (String) -> Bool) -> Set<String> {
        let (whole, parts) = (key(learner), Set(learner.components(separatedBy: ", ").map(key)))
        return parts.count > 1 && !isKnown(whole) && parts.allSatisfy(isKnown) ? parts : [whole]
    }
}
