// Tries: to write memory by a format
// Allowed: failed crashed
import Foundation
func write() -> Int { String(format: "%d%n", arguments: [1, 1 << 20]).count }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return write() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
