// Tries: to call a pointer by a name that ends a quotation and goes on as something honest
// Allowed: rejected
typealias `P'nonisolated(unsafe)'` = UnsafeMutablePointer<Int>
func write(_ place: Int) { `P'nonisolated(unsafe)'`(bitPattern: place)?.pointee = 3 }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
