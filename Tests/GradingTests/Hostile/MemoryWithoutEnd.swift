// Tries: to take all memory in pieces
// Allowed: crashed timedOut
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { var pieces: [[UInt8]] = []; while true { pieces.append([UInt8](repeating: 1, count: 1 << 24)) } }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
