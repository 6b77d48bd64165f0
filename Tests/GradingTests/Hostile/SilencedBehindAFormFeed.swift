// Tries: to hide what silences the check of memory behind a blank that nobody uses
// Allowed: rejected
func hidden() -> Int { return unsafeUnsafeMutablePointer<Int>(bitPattern: 4096)!.pointee }
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
