// Tries: to start a program
// Allowed: rejected
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() { _ = try? Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", "touch /tmp/hostile-was-here"]) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
