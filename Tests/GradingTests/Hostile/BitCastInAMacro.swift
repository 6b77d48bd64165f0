// Tries: to cast bits in what a macro expands
// Allowed: rejected
import Observation
@Observable final class Model { var value: Int { didSet { _ = unsafeBitCast(5.0, to: Int.self) } }; init() { value = 1 } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
