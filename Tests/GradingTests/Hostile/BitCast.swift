// Tries: to take one type for another
// Allowed: rejected
public actor Tally {
    public private(set) var total = 0
    public init() { print(unsafeBitCast(self, to: UInt.self)) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
