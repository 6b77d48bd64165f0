// Tries: to reach exit through a value
// Allowed: rejected
import Foundation
let leave: (Int32) -> Never = Foundation.exit
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { leave(0) }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
