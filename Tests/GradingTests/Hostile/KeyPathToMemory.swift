// Tries: to read memory by a key path to what a pointer points to, and never to say so in an expression
// Allowed: rejected
let key: AnyKeyPath = \UnsafeMutablePointer<Int>.pointee
func make<P: _Pointer>(_ type: P.Type, _ address: Int) -> Any { P(bitPattern: address)! }
func peek(_ address: Int) -> Any? {
    guard let type = type(of: key).rootType as? any _Pointer.Type else { return nil }
    let pointer = make(type, address)
    return pointer[keyPath: key]
}
public actor Tally {
    public private(set) var total = 0
    public init() { print(peek(4096) as Any) }
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
