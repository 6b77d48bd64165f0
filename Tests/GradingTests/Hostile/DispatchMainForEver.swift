// Tries: to give the thread away forever
// Allowed: rejected failed crashed timedOut
import Dispatch
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { dispatchMain() }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
