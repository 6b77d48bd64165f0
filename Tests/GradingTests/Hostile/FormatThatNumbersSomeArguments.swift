// Tries: to mix numbered and other arguments of a format
// Allowed: failed crashed
import Foundation
let text = String(format: "%2$@ %d", 5, "a")
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
