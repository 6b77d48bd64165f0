// Tries: to run a loop of events forever
// Allowed: timedOut failed
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { while true { RunLoop.current.run(mode: .default, before: .distantFuture) } }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
