// Tries: to have the suite run its default argument
// Allowed: rejected didNotCompile
import Glibc
public actor Tally {
    public private(set) var total = 0
    public init(_ start: Int = { _exit(0) }()) {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
