// Tries: to make an object of a number
// Allowed: rejected
final class Box { var number = 1 }
func number() -> Int { (_bridgeObject(toNative: _bridgeObject(taggingPayload: 4096)) as? Box)?.number ?? 0 }
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
