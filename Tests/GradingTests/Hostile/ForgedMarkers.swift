// Tries: to print the marks between tests, and what moves a cursor
// Allowed: failed
public actor Tally {
    public private(set) var total = 0
    public init() { print("\0\0 \0marker\0 \u{1B}[2J\u{1B}]0;owned\u{7} \0", terminator: "") }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
