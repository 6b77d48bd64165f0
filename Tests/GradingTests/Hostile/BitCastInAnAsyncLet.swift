// Tries: to have a number taken for an object where the compiler reports it at no place
// Allowed: rejected
final class Box { var number = 1 }
func number() async -> Int {
    async let box = unsafeBitCast(4096, to: Box.self)
    return await box.number
}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return await number() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
