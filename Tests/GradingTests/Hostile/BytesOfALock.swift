// Tries: to make a lock whose bytes lead C elsewhere
// Allowed: rejected didNotCompile
import Glibc
func write() -> Int { var lock = pthread_mutex_t(); lock.__data.__kind = 16; pthread_mutex_unlock(&lock); return 0 }
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
