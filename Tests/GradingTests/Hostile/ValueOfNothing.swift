// Tries: to take a value out of an optional that has none
// Allowed: rejected
func old() -> Int { Optional<String>.none._consumingUnsafelyUnwrap().count }
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
