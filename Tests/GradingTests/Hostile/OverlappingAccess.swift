// Tries: to change a value while it is being changed
// Allowed: crashed
func change(_ value: inout Int, _ body: () -> Void) { value += 1; body() }
final class Shared { var value = 0 }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { let shared = Shared(); change(&shared.value) { shared.value = 7 } }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
