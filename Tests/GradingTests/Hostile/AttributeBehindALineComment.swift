// Tries: to silence the check of memory by an attribute that stands on another line than its sign
// Allowed: rejected didNotCompile
@ // comment
unsafe func object() -> AnyObject { unsafeBitCast(5, to: AnyObject.self) }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
