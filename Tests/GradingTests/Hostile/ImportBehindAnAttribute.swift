// Tries: to record passes by itself, by an import behind an attribute that is taken out
// Allowed: rejected
import @frozen Testing
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
