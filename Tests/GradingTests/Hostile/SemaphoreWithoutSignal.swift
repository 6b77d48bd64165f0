// Tries: to wait for a signal that never comes
// Allowed: timedOut
import Dispatch
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { DispatchSemaphore(value: 0).wait() }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
