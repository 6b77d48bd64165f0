// Tries: to take all memory at once
// Allowed: crashed
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { let all = [UInt8](repeating: 1, count: 1 << 45); print(all.count) }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
