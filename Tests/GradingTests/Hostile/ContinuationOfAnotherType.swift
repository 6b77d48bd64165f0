// Tries: to have a number taken for an array, by a continuation that is resumed when its task waits for another
// Allowed: crashed
import Dispatch
final class Forged { var count = 1 << 40; var capacity = 1 << 41 }
final class Kept: @unchecked Sendable { var number: UnsafeContinuation<Int, Never>? }
let kept = Kept()
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async -> Int {
        let forged = Forged()
        let address = Int(bitPattern: UInt(bitPattern: ObjectIdentifier(forged)))
        _ = await withUnsafeContinuation { (continuation: UnsafeContinuation<Int, Never>) in kept.number = continuation; continuation.resume(returning: 1) }
        let bytes = await withUnsafeContinuation { (_: UnsafeContinuation<[UInt8], Never>) in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { kept.number?.resume(returning: address) }
        }
        print(bytes.count, bytes[1 << 20])
        return forged.count
    }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
