import Foundation
import Workbook

/// `overrides.json` in the report's folder: what the instructor decides for single learners.
///
///     { "Ana Lima": {"until": "2026-12-08", "reason": "was ill"},
///       "ben@example.org": {"points": {"FirstValue": 80}, "reason": "the hint was misleading"} }
///
/// A learner is named as in the report, or by number, address or account.
public struct Overrides: Sendable, Equatable {
    public static let fileName = "overrides.json"

    /// The report's own, and those of each part that was merged into it.
    private var sources: [[String: Override]] = [[:]]
    /// As they were written; the first one that says something of a learner.
    private var written: [String: JSONValue] = [:]
    /// The learners of whom no submission was seen.
    public private(set) var unused: Set<String> = []

    /// Several entries are about one learner, and do not say the same.
    public struct Contradiction: Error, Equatable {
        public let names: [String]
    }

    public init() {}

    /// - Parameter katas: the names that may have points.
    public init(_ json: JSONValue, katas: [String], timeZone: TimeZone = .current) throws(JSONMistake) {
        let learners = try json.object(at: "", example: "{\"ana\": {\"until\": \"2026-12-08\"}}")
        var entries: [String: Override] = [:]
        for (name, value) in learners.sorted(by: { $0.key < $1.key }) {
            entries[name] = try Override(value, at: name, katas: katas, timeZone: timeZone)
        }
        sources = [entries]
        written = learners
        unused = Set(entries.keys)
    }

    /// Adds those of a part of the class, for learners of whom the first ones say nothing.
    public mutating func add(_ part: Overrides) {
        sources += part.sources
        written.merge(part.written) { own, _ in own }
        unused.formUnion(part.unused)
    }

    /// What was decided for this learner. The report's own entries come before those of its parts.
    public mutating func found(for record: LearnerRecord) throws(Contradiction) -> Override? {
        let marks = Self.marks(of: record)
        func matches(_ entries: [String: Override]) -> [(name: String, value: Override)] {
            entries.filter { marks.contains(Self.mark($0.key)) }.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
        }
        let (own, parts) = (sources.prefix(1).flatMap(matches), sources.dropFirst().flatMap(matches))
        let counting = own.isEmpty ? parts : own
        unused.subtract((own + parts).map(\.name))
        guard let first = counting.first else { return nil }
        guard counting.allSatisfy({ $0.value == first.value }) else { throw Contradiction(names: counting.map(\.name)) }
        return first.value
    }

    /// What a learner is known by. People who handed in together have a number and an address each.
    private static func marks(of record: LearnerRecord) -> Set<String> {
        let identity = record.identity
        let known = [identity?.number, identity?.email, identity?.github].compactMap(\.self)
        return Set(([record.learner] + known.flatMap { $0.components(separatedBy: ", ") }).map(mark))
    }

    private static func mark(_ name: String) -> String { name.precomposedStringWithCanonicalMapping.lowercased() }

    /// The file.
    public var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(written), as: UTF8.self) + "\n"
        }
    }
}
