// Tries: to lift its limits
// Allowed: rejected
import Glibc
public actor Tally {
    public private(set) var total = 0
    public init() { var limit = rlimit(rlim_cur: 1, rlim_max: 1); setrlimit(__rlimit_resource_t(7), &limit) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
