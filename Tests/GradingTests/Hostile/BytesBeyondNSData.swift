// Tries: to read beyond an object that holds bytes
// Allowed: rejected
import Foundation
func read() -> Int { NSData(data: Data([1, 2])).subdata(with: NSRange(location: 4096, length: 16)).count }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return read() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
