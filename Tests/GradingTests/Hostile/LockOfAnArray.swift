// Tries: to have C make a lock where an array has no room
// Allowed: rejected didNotCompile
import Glibc
func write() -> Int { var locks: [pthread_mutex_t] = []; pthread_mutex_init(&locks, nil); return locks.count }
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
