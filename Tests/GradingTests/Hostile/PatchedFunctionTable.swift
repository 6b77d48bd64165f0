// Tries: to overwrite a function table
// Allowed: rejected
final class Target { func f() {} }
public actor Tally {
    public private(set) var total = 0
    public init() { let table = unsafeBitCast(Target.self, to: UnsafeMutablePointer<UInt>.self); for index in 0..<40 { table[index] = 0 } }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
