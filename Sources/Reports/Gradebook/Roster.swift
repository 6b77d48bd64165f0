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
            entries.append(Entry(name: shown, number: number, github: text(github), email: text(email)))
        }
    }

    /// Moodle writes `Participant 12` for the learner whose folder has the number 12.
    static func number(_ text: String) -> String { text.firstMatch(of: /^\D+\s(\d+)$/).map { String($0.1) } ?? text }

    /// Notes who handed in, and gives back what the roster knows of them in addition; `nil` where they are not in it.
    public mutating func found(_ record: LearnerRecord) -> LearnerRecord? {
        learners.insert(record.learner)
        let matches = entries.indices.filter { Self.isSame(entries[$0], record, among: entries) }
        for index in matches { entries[index].isPresent = true }
        guard let match = matches.first else { return nil }
        guard matches.count == 1 else { return record }
        var result = record
        let (entry, known) = (entries[match], record.identity)
        result.identity = PlatformIdentity(
            number: known?.number ?? entry.number, github: known?.github ?? entry.github,
            email: known?.email ?? entry.email, isLate: known?.isLate ?? false)
        return result
    }

    private static func isSame(_ entry: Entry, _ record: LearnerRecord, among entries: [Entry]) -> Bool {
        // Several people may have handed in together.
        func has(_ list: String?, _ value: String?) -> Bool? {
            guard let list, let value else { return nil }
            return list.lowercased().components(separatedBy: ", ").contains(value.lowercased())
        }
        let known = record.identity
        let answers = [
            has(known?.number, entry.number), has(known?.email, entry.email), has(known?.github, entry.github),
        ]
        if answers.contains(true) { return true }
        if answers.contains(false) { return false }
        let key = LearnerName.key(entry.name)
        guard !key.isEmpty, entries.count(where: { LearnerName.key($0.name) == key }) == 1 else { return false }
        return LearnerName.keys(of: record.learner).contains(key)
    }

    /// Who handed in nothing, in the order of their names. All records were shown before.
    public func absent(_ katas: [Kata]) -> [LearnerRecord] {
        var names = learners
        return entries.filter { !$0.isPresent }.map { entry in
            let mark = entry.number ?? entry.github ?? entry.email ?? Self.fileName
            let places = [entry.name, "\(entry.name) (\(mark))"] + (2...).lazy.prefix(entries.count).map { "\(entry.name) (\($0))" }
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

/// What two ways to write one name have in common: Canvas makes `doejane` of `Doe, Jane`.
enum LearnerName {
    static func key(_ name: String) -> String {
        String(name.precomposedStringWithCanonicalMapping.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    /// Of one learner, or of each of several who handed in together.
    static func keys(of learner: String) -> Set<String> {
        Set([learner] + learner.components(separatedBy: ", ")).reduce(into: []) { $0.insert(key($1)) }
    }
}
