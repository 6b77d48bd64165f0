import Workbook

/// Who has the same number, account or address as another learner: points that are imported by it would go to one of them.
public struct SharedIdentities: Sendable {
    private enum Key: String, CaseIterable { case number, github, email }

    private struct Identity: Hashable {
        var key: Key
        var value: String
    }
    private var owners: [Identity: [String]] = [:]

    public init() {}

    public mutating func add(_ record: LearnerRecord) {
        for identity in Set(Key.allCases.flatMap { Self.identities($0, of: record) }) {
            owners[identity, default: []].append(record.learner)
        }
    }

    /// What to say on a learner, of whom all were added.
    ///
    /// - Parameter name: how a learner is called in the report.
    public func notes(on record: LearnerRecord, calling name: (String) -> String = { $0 }) -> [LocalizableMessage] {
        Key.allCases.compactMap { key in
            let all = Set(Self.identities(key, of: record).flatMap { owners[$0] ?? [] })
            let others = all.subtracting([record.learner]).map(name).sorted()
            guard !others.isEmpty else { return nil }
            return LocalizableMessage(.identityShared, key.rawValue, others.joined(separator: ", "))
        }
    }

    /// Several people may have handed in together.
    private static func identities(_ key: Key, of record: LearnerRecord) -> [Identity] {
        let text =
            switch key {
            case .number: record.identity?.number
            case .github: record.identity?.github?.lowercased()
            case .email: record.identity?.email?.lowercased()
            }
        return (text ?? "").components(separatedBy: ", ").filter { !$0.isEmpty }.map { Identity(key: key, value: $0) }
    }
}
