// Tries: to write to the descriptor of the events
// Allowed: rejected
import Glibc
public actor Tally {
    public private(set) var total = 0
    public init() { let line = "{}\n"; _ = line.utf8.withContiguousStorageIfAvailable { write(4, $0.baseAddress, $0.count) } }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
