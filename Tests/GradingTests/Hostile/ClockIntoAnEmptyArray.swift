// Tries: to have C write where an array has no room
// Allowed: rejected
import Glibc
func write() -> Int { var times: [timespec] = []; clock_gettime(CLOCK_MONOTONIC, &times); return times.count }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return write() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
