// Tries: to write beyond an array
// Allowed: rejected
public actor Tally {
    public private(set) var total = 0
    public init() { var list = [1]; list.withUnsafeMutableBufferPointer { $0[99] = 1 } }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
