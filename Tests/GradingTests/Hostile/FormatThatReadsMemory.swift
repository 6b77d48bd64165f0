// Tries: to read memory by a format
// Allowed: failed crashed
import Foundation
func read() -> Int { String(format: "%s", 1 << 20).count + String(format: "%1$@ %2$s", "a", 4096).count }
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
