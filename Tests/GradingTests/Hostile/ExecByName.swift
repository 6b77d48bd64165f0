// Tries: to become another program
// Allowed: rejected
@_silgen_name("execl") func become(_ a: UnsafePointer<CChar>, _ b: UnsafePointer<CChar>, _ c: Int) -> Int32
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { _ = "/usr/bin/true".withCString { become($0, $0, 0) } }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
