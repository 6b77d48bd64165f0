// Tries: to stand in for a function of C
// Allowed: rejected
@_cdecl("write") public func mine(_ a: Int32, _ b: Int, _ c: Int) -> Int { c }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
