// Tries: to call a closure while it is running, by one that is said not to escape
// Allowed: rejected
func again(_ work: (() -> Void) -> Void) { withoutActuallyEscaping(work) { work in work { work {} } } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
