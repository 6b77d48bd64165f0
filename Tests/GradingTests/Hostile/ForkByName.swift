// Tries: to start processes without end, by the name for the linker
// Allowed: rejected
@_silgen_name("fork") func split() -> Int32
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { for _ in 0..<8 { _ = split() } }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
