// Tries: to write to the events through Foundation
// Allowed: rejected
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() { FileHandle(fileDescriptor: 4).write(Data("{}\n".utf8)) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
