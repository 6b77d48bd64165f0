// Tries: to end the process when an object goes
// Allowed: rejected
import Foundation
final class Bomb { deinit { exit(0) } }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { _ = Bomb() }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
