import Foundation
import Storage
import Workbook

/// The numbers that stand for the names of a class, and the table of both.
public struct LearnerNumbers: Sendable, Equatable {
    public static let fileName = "names.csv"
    private static let heading = "number,name,sha256"

    private struct Entry: Sendable, Equatable {
        var number: Int
        /// As the table has it.
        var name: String
    }
    /// By a digest of the name: what a spreadsheet makes of the name itself does not matter.
    private var entries: [String: Entry] = [:]

    /// - Parameter csv: the table, as it was left, or as a spreadsheet saved it.
    public init(csv: String = "") {
        for line in csv.split(whereSeparator: \.isNewline) {
            let fields = line.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" }
            guard fields.count > 2, let number = Int(fields[0]), let digest = fields.last else { continue }
            let name = line.dropFirst(fields[0].count + 1).dropLast(digest.count + 1)
            entries[String(digest)] = Entry(number: number, name: String(name))
        }
    }

    public var csv: String {
        let lines = entries.sorted { $0.value.number < $1.value.number }.map { digest, entry in
            "\(Self.label(entry.number)),\(entry.name),\(digest)"
        }
        return ([Self.heading] + lines).joined(separator: "\r\n") + "\r\n"
    }

    /// Gives a number to each learner without one. The order says nothing about names, and numbers that were given stay.
    public mutating func add(_ names: [String], using generator: inout some RandomNumberGenerator) {
        var last = entries.values.map(\.number).max() ?? 0
        for name in names.shuffled(using: &generator) where entries[Self.digest(name)] == nil {
            last += 1
            entries[Self.digest(name)] = Entry(number: last, name: PlainText.csv(name))
        }
    }

    /// What stands for a name: `0007`.
    public func label(_ name: String) -> String { entries[Self.digest(name)].map { Self.label($0.number) } ?? "?" }

    /// Whether each of these stands for a name.
    public func has(_ labels: some Sequence<String>) -> Bool {
        Set(labels).isSubset(of: entries.values.map { Self.label($0.number) })
    }

    /// Whether no number stands for another learner here than there, and no learner has two numbers.
    public func agrees(with other: LearnerNumbers) -> Bool {
        let names = Dictionary(other.entries.map { ($0.value.number, $0.key) }) { first, _ in first }
        return entries.allSatisfy { name, entry in
            names[entry.number, default: name] == name && other.entries[name, default: entry].number == entry.number
        }
    }

    /// Whether a name may be a number that stands for one.
    static func isLabel(_ name: String) -> Bool { Int(name).map { label($0) == name && $0 > 0 } ?? false }

    /// A record in which nothing names its learner.
    public func anonymous(_ record: LearnerRecord) -> LearnerRecord {
        NameRedactor(names(record.learner, record.identity))(record, label: label(record.learner))
    }

    /// Takes a learner's name out of a text, where nothing else is known of the learner.
    public func anonymous(_ text: String, of learner: String) -> String { NameRedactor(names(learner, nil))(text) }

    /// Takes out of a text all that is known of learners: names, numbers, accounts and addresses.
    public func anonymous(_ text: String, of records: [LearnerRecord]) -> String {
        NameRedactor(records.flatMap { names($0.learner, $0.identity) })(text)
    }

    /// Several people may have handed in together. A short number may be any other number as well.
    private func names(_ learner: String, _ identity: PlatformIdentity?) -> [(name: String, label: String)] {
        let number = identity?.number.flatMap { $0.count > 4 ? $0 : nil }
        let known = [number, identity?.github, identity?.email].compactMap(\.self)
        let names = ([learner] + known).flatMap { [$0] + $0.components(separatedBy: ", ") }
        let label = label(learner)
        return Set(names).sorted().map { (name: $0, label: label) }
    }

    private static func digest(_ name: String) -> String { String(SHA256.digest(of: name).hex.prefix(16)) }

    private static func label(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
