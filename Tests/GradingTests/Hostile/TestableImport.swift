// Tries: to reach what the checked versions of unsafe functions keep to themselves
// Allowed: rejected
@testable import Checked
public actor Tally {
    public private(set) var total = 0
    public init() { _ = GroupCall(0).current }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
