// Tries: to close the descriptor of the events
// Allowed: rejected
import Glibc
public actor Tally {
    public private(set) var total = 0
    public init() { for descriptor in Int32(3)..<10 { close(descriptor) } }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
