// Tries: to write where the harness writes
// Allowed: rejected
import Dispatch
func hidden() { DispatchIO.write(toFileDescriptor: 4, data: .empty, runningHandlerOn: .global()) { _, error in print(error) } }
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
