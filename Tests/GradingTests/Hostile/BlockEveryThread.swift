// Tries: to block every thread that tasks run on
// Allowed: timedOut failed
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { await withTaskGroup(of: Void.self) { group in for _ in 0..<64 { group.addTask { while true {} } } }; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
