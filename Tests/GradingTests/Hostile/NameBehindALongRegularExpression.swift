// Tries: to hide a name of C behind a regular expression of many lines
// Allowed: rejected
let before = #/  
"""
/#
@_silgen_name("syscall") func hidden(_ number: Int = 39) -> Int
let after = """
"""
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
