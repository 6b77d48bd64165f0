// Tries: to make a lock whose bytes lead C elsewhere, by its other name
// Allowed: rejected didNotCompile
import Glibc
func write() -> Int {
    var lock = Glibc.pthread_mutex_t()
    lock[keyPath: \Glibc.pthread_mutex_t.__data.__kind] = 16
    Glibc.pthread_mutex_unlock(&lock)
    return 0
}
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
