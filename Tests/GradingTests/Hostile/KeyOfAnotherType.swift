// Tries: to read a value by the key of another type that lies where its own key lay
// Allowed: failed crashed
import Dispatch
final class Forged { var first = 1 << 40, second = 1 << 41 }
let queue = DispatchQueue(label: "kept")
func forge() -> Int {
    queue.setSpecific(key: DispatchSpecificKey<Int>(), value: 1 << 44)
    for _ in 0..<100 {
        let key = DispatchSpecificKey<[Int]>()
        if let numbers = queue.getSpecific(key: key) { return numbers[1 << 20] }
    }
    return Forged().first
}
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) {  }
    public func reset() async -> Int { return forge() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
