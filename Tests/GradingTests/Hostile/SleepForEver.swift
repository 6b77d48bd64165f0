// Tries: to sleep for years
// Allowed: timedOut
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { Thread.sleep(forTimeInterval: 1_000_000_000) }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
