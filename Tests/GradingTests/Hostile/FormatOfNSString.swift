// Tries: to read memory by a format that nothing checks
// Allowed: rejected
import Foundation
func read() -> Int { NSString(format: "%s", 1 << 20).length }
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
