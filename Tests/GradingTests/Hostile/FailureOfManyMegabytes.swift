// Tries: to fill the report
// Allowed: failed
struct Long: Error, CustomStringConvertible { var description: String { String(repeating: "long ", count: 1 << 20) } }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw Long()
}
