// Tries: to shadow XCTest where the suite is compiled against it
// Allowed: failed rejected didNotCompile
public func XCTAssertEqual(_ a: Int, _ b: Int) {}
public func withDeadline<T>(_ body: () async throws -> T) async throws -> Int { 1 }
public actor Tally {
    public var total: Int { get async { 0 } }
    public init() {}
    public func add(_ number: Int, more: Int = 0) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
