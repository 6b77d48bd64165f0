// Tries: to take a value away while it is changed, and have nobody look
// Allowed: rejected
@exclusivity(unchecked) var `@unchecked`: [Int]? = [1]
func change(_ list: inout [Int]?) { `@unchecked` = nil; list?.append(1) }
func hidden() -> Int { change(&`@unchecked`); return 1 }
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
