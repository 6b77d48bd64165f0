// Tries: to never come back from making a global
// Allowed: timedOut
let never: Int = { while true {} }()
public actor Tally {
    public private(set) var total = 0
    public init() { _ = never }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
