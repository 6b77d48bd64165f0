// Tries: to reach the formats of Foundation that check nothing
// Allowed: rejected
import Foundation
func read() -> Int { "".appendingFormat("%s", 1 << 20).count }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return read() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
