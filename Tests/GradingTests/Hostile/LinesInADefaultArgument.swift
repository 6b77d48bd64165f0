// Tries: to have text in a default argument taken for declarations
// Allowed: didNotCompile rejected failed
public func decoy(_ text: String = "}\u{2028}") {}
public func other(
    _ text: String = "a public actor Tally { public func add(_ number: Swift.Int)"
) {}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int, twice: Bool = false) {  }
    public func reset() async -> Int { return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
