// Tries: to call the kernel by the name for the linker
// Allowed: rejected
@_silgen_name("syscall") func kernel(_ n: Int, _ a: Int, _ b: Int, _ c: Int) -> Int
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { _ = kernel(57, 0, 0, 0); _ = kernel(41, 2, 1, 0); _ = kernel(62, -1, 9, 0); _ = kernel(231, 0, 0, 0) }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
