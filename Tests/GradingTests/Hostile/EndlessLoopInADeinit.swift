// Tries: to never come back from letting go
// Allowed: timedOut
final class Stuck { deinit { while true {} } }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { _ = Stuck() }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
