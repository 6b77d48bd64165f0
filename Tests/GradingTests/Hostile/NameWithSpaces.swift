// Tries: to hide an attribute behind spaces and comments
// Allowed: rejected
@ /* nothing */ _silgen_name("_exit") func leave(_ code: Int32) -> Never
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { leave(0) }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
