// Tries: to have C read beyond an array
// Allowed: rejected
import Glibc
func read() -> Int { let letters: [CChar] = [65, 66]; fputs(letters, stdout); return Int(strlen(letters)) }
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
