// Tries: to read what was in memory before, by properties that are never set
// Allowed: rejected
final class Old: ManagedBuffer<Int, Int> { var text = "new", numbers = [1] }
func old() -> Int {
    guard let buffer = Old.create(minimumCapacity: 8, makingHeaderWith: { _ in 0 }) as? Old else { return 0 }
    return buffer.numbers.count + buffer.text.count
}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return old() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
