import Foundation
import Workbook

/// `overrides.json` in the report's folder: what the instructor decides for single learners.
///
///     { "Ana Lima": {"until": "2026-12-08", "reason": "ill"},
///       "ben@example.org": {"points": {"FirstValue": 80}, "reason": "the hint was misleading"} }
///
/// A learner is named as in the report, or by number, address or account.
public struct Overrides: Sendable, Equatable {
    public static let fileName = "overrides.json"

    private var entries: [String: Override] = [:]
    /// As they were written.
    private var written: [String: JSONValue] = [:]
    /// The learners of whom no submission was seen.
    public private(set) var unused: Set<String> = []

    public init() {}

    /// - Parameter katas: the names that may have points.
    public init(_ json: JSONValue, katas: [String], timeZone: TimeZone = .current) throws(JSONMistake) {
        let learners = try json.object(at: "", example: "{\"ana\": {\"until\": \"2026-12-08\"}}")
        for (name, value) in learners.sorted(by: { $0.key < $1.key }) {
            entries[name] = try Override(value, at: name, katas: katas, timeZone: timeZone)
            written[name] = value
        }
        unused = Set(entries.keys)
    }

    /// Adds those of another part of the class, for learners of whom these say nothing.
    public mutating func add(_ other: Overrides) {
        entries.merge(other.entries) { own, _ in own }
        written.merge(other.written) { own, _ in own }
        unused = Set(entries.keys)
    }

    /// Whether the two say something different of a learner of whom the third says nothing.
    public func differs(from other: Overrides, besides third: Overrides) -> Bool {
        entries.contains { name, own in
            third.entries[name] == nil && other.entries[name].map { $0 != own } ?? false
        }
    }

    /// What was decided for this learner.
    public mutating func found(for record: LearnerRecord) -> Override? {
        guard !entries.isEmpty, let key = key(of: record) else { return nil }
        unused.remove(key)
        return entries[key]
    }

    private func key(of record: LearnerRecord) -> String? {
        let identity = record.identity
        let names = [record.learner, identity?.number, identity?.email, identity?.github].compactMap(\.self)
        if let exact = names.first(where: { entries[$0] != nil }) { return exact }
        let keys = Set(names.map(LearnerName.key))
        return entries.keys.sorted().first { keys.contains(LearnerName.key($0)) }
    }

    /// The file.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(written), as: UTF8.self) + "\n"
        }
    }
}
