// Tries: to look for the secret among its own descriptors and memory
// Allowed: rejected
import Glibc
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { var bytes = [UInt8](repeating: 0, count: 4096); let file = open("/proc/self/mem", O_RDWR); print(read(file, &bytes, 4096)); for d in Int32(3)..<9 { print(read(d, &bytes, 4096)) } }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
