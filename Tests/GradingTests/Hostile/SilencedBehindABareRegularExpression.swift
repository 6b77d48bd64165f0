// Tries: to hide code in what can be a regular expression or a text
// Allowed: rejected didNotCompile
final class Box { var number = 1 }
let first = /"""/
func number() -> Int { let box = unsafe unsafeBitCast(4096, to: Box.self); return box.number }
let second = /"""/
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return number() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
