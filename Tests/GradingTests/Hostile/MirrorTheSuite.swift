// Tries: to look through whatever it is given
// Allowed: failed
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
func walk(_ value: Any, _ depth: Int) { for child in Mirror(reflecting: value).children where depth < 9 { print(child.label ?? "", type(of: child.value)); walk(child.value, depth + 1) } }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    walk(stream, 0)
    throw NoValue()
}
