// Tries: to have the compiler make types without end
// Allowed: rejected didNotCompile failed crashed timedOut
struct Grow<T> { var next: Any { Grow<(T, T)>().next } }
public actor Tally {
    public private(set) var total = 0
    public init() { print(Grow<Int>().next) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
