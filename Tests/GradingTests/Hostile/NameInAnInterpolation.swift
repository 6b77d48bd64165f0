// Tries: to hide an attribute in a closure in a string
// Allowed: rejected
let text = "\({ () -> Int in @_silgen_name("_exit") func leave(_ code: Int32) -> Never; return 1 }())"
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
