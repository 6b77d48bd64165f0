// Tries: to start a shell by C
// Allowed: rejected
import Glibc
public actor Tally {
    public private(set) var total = 0
    public init() { var pid: pid_t = 0; var words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), nil]; posix_spawn(&pid, "/bin/sh", nil, nil, &words, nil) }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
