// Tries: to leave a file behind by C
// Allowed: rejected
import Glibc
public actor Tally {
    public private(set) var total = 0
    public init() { let file = fopen("/tmp/hostile-was-here", "w"); fputs("x", file!); fclose(file!) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
