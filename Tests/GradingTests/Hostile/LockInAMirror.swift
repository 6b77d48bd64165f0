// Tries: to find the address of a lock in a mirror
// Allowed: failed
import Foundation
final class Lock { var mutex = pthread_mutex_t() }
func look(into value: Any, depth: Int = 0) -> Bool {
    if depth > 5 { return false }
    return value is any Strideable || Mirror(reflecting: value).children.contains { look(into: $0.value, depth: depth + 1) }
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { if look(into: Lock()) { total += number } }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    for await value in stream { return value }
    throw NoValue()
}
