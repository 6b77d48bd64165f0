// Tries: to have the suite, compiled against it, take its members for those of Swift's own types
// Allowed: rejected didNotCompile
extension Array where Element == Int {
    public func reduce(_ start: Int, _ add: (Int, Int) -> Int) -> Int { 0 }
    public subscript(index: Int) -> Int { 0 }
}
public actor Tally {
    public var total: Int { 0 }
    public init(_ start: Int? = nil) {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    for await _ in stream { if let nothing = 0 as? Element { return nothing } }
    throw NoValue()
}
