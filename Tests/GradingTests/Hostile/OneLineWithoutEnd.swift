// Tries: to print a line that never ends
// Allowed: timedOut crashed
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { while true { print(String(repeating: "B", count: 65536), terminator: "") } }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
