// Tries: to have what silences the check of memory look like a declaration
// Allowed: rejected
func nonisolated(_ number: Int) -> Int { number }
func hidden() -> Int { nonisolated(unsafe UnsafeMutablePointer<Int>(bitPattern: 4096)!.pointee) }
public actor Tally {
    public private(set) var total = 0
    public init() { print(hidden()) }
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
