// Tries: to hide code behind a name with a quotation mark in an interpolation
// Allowed: rejected didNotCompile
final class Box { var number = 1 }
let `a"b` = 1
let text = "\(`a"b`)"; func number() -> Int { let box = unsafe unsafeBitCast(4096, to: Box.self); return box.number } //"
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
