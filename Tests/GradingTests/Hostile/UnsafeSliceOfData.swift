// Tries: to reach bytes through Foundation
// Allowed: rejected
import Foundation
public actor Tally {
    public private(set) var total = 0
    public init() { var data = Data(count: 8); data.withUnsafeMutableBytes { $0.storeBytes(of: 1, toByteOffset: 0, as: Int.self) } }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
