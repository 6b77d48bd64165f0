// Tries: to make an array of what was in memory before
// Allowed: rejected
func old() -> Int { (_allocateUninitializedArray(10._builtinWordValue) as ([String], _)).0[3].count }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return old() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
