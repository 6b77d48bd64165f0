/// Looks at one of several cases of the same rule: what is found then says which case it was.
///
///     for end in ["finished", "failed"] {
///         try await KataSupport.inCase(end) { … }
///     }
public func inCase<Success>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
) async throws -> Success {
    do {
        return try await body()
    } catch let error as any FindingError {
        throw FindingInCase(name: name, error: error)
    }
}

private struct FindingInCase: FindingError {
    var name: String
    var error: any FindingError

    var finding: Finding {
        var finding = error.finding
        // The waits whose text has room for the case, or for what is still in memory.
        if finding.key == "leakedArrived" { (finding.key, finding.arguments) = ("leaked", []) }
        if finding.arguments.isEmpty, ["deadline", "notCancelled", "leaked", "stillRunning"].contains(finding.key) {
            finding.key += "InCase"
            finding.arguments = [name]
        } else {
            finding.arguments = finding.arguments.map { "\(name): \($0)" }
        }
        let input = finding.marbles?.input ?? []
        finding.marbles?.input = [.init(milliseconds: 0, label: name)] + input
        return finding
    }

    var prose: String { "\(name): \(error.prose)" }
}
