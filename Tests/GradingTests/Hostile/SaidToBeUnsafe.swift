// Tries: to silence the check of memory
// Allowed: rejected
public actor Tally {
    public private(set) var total = 0
    public init() { unsafe UnsafeMutablePointer<Int>(bitPattern: 0x1000)?.pointee = 1 }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
