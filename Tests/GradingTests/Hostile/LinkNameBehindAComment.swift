// Tries: to name a function of C behind what looks like a comment
// Allowed: rejected didNotCompile
let pattern = /[/*]/
@_silgen_name("syscall") func call(_ number: Int) -> Int
let end = /[*/]/
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return call(39) }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
