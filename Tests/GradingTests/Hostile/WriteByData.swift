// Tries: to leave a file in the home folder
// Allowed: rejected
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() { try? Data("x".utf8).write(to: URL(fileURLWithPath: "/root/hostile-was-here")) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
