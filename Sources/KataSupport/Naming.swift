import Foundation

/// "Expected `vmtry` but got `kotav`" does not say which of the two is the newer one, and an answer must not be able to tell
/// either: it sees drawn values only.
///
/// What is found within says names instead of the values:
///
///     try KataSupport.naming(["older": old, "newer": new]) {
///         try KataSupport.expect(screen.results, equals: new)
///     }
public func naming(_ names: KeyValuePairs<String, [String]>, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch let error as any FindingError {
        var nameOfValue: [String: String] = [:]
        for (name, values) in names {
            for (index, value) in values.enumerated() {
                nameOfValue[value] = values.count > 1 ? "\(name) \(index + 1)" : name
            }
        }
        throw NamedFinding(nameOfValue: nameOfValue, error: error)
    }
}

private struct NamedFinding: FindingError {
    var nameOfValue: [String: String]
    var error: any FindingError

    var finding: Finding {
        var finding = error.finding
        finding.arguments = finding.arguments.map(named)
        return finding
    }

    var prose: String { named(error.prose) }

    private func named(_ text: String) -> String {
        nameOfValue.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }
}
