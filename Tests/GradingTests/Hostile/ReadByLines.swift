// Tries: to read a file through an async sequence
// Allowed: rejected didNotCompile
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() { Task { for try await line in URL(fileURLWithPath: "/etc/passwd").resourceBytes.lines { print(line) } } }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
