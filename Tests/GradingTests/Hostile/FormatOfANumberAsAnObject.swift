// Tries: to have a number read as an object
// Allowed: failed crashed
import Foundation
func read() -> Int { String(format: "%@", 0x4141_4141).count }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return read() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
