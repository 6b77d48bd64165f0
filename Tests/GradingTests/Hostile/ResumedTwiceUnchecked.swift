// Tries: to resume an unchecked continuation twice
// Allowed: crashed failed timedOut
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { await withUnsafeContinuation { (c: UnsafeContinuation<Void, Never>) in c.resume(); c.resume() }; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
