// Tries: to have its tests count as skipped instead of failed
// Allowed: failed
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { withUnsafeCurrentTask { $0?.cancel() } }
    public func reset() async -> Int { withUnsafeCurrentTask { $0?.cancel() }; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    withUnsafeCurrentTask { $0?.cancel() }
    throw CancellationError()
}
