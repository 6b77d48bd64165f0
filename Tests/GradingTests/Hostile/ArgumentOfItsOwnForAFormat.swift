// Tries: to hand a format words that are no argument
// Allowed: rejected
import Foundation
struct Address: CVarArg { var _cVarArgEncoding: [Int] { [1 << 20] } }
func read() -> Int { String(format: "%@", Address()).count }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return read() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
