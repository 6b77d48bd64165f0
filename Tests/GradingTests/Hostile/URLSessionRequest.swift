// Tries: to reach the network
// Allowed: didNotCompile
import Foundation
import FoundationNetworking
public actor Tally {
    public private(set) var total = 0
    public init() { URLSession.shared.dataTask(with: URL(string: "http://127.0.0.1/")!).resume() }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
