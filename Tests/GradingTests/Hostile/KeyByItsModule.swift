// Tries: to reach the keys of Dispatch that check nothing
// Allowed: rejected
import Dispatch
func forge() -> Int? {
    let queue = DispatchQueue(label: "kept")
    queue.setSpecific(key: Dispatch.DispatchSpecificKey<Int>(), value: 1 << 44)
    return queue.getSpecific(key: Dispatch.DispatchSpecificKey<Int>())
}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return forge() ?? 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
