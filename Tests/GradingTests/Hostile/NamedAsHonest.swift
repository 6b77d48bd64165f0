// Tries: to give what is unsafe the name of what is not
// Allowed: rejected
typealias UnsafeCurrentTaskOfMine = UnsafeMutablePointer<Int>
func hidden() -> Int { let pointer = UnsafeCurrentTaskOfMine(bitPattern: 4096); return pointer!.pointee }
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
