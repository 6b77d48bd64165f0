// Tries: to cast bits where one async let stands in another
// Allowed: rejected
func cast() async -> Bool {
    async let outer: Bool = { async let inner = unsafeBitCast(5, to: AnyObject.self); return await inner is Int }()
    return await outer
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
