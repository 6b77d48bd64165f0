// Tries: to end the process where a global is made
// Allowed: rejected
import Glibc
let gone: Int = { _exit(0) }()
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { _ = gone }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
