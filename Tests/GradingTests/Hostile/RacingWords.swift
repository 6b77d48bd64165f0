// Tries: to read a value torn between two types, again and again
// Allowed: failed crashed timedOut
import Foundation
protocol Speaks: AnyObject { func word() -> Int }
final class Cat: Speaks { let a = 1; func word() -> Int { a } }
final class Dog: Speaks { let a = "woof", b = [1, 2]; func word() -> Int { b.count + a.count } }
final class Torn: @unchecked Sendable { nonisolated(unsafe) var any: any Speaks = Cat() }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { 
        let torn = Torn()
        DispatchQueue.concurrentPerform(iterations: 4) { index in
            for _ in 0..<3_000 { if index % 2 == 0 { torn.any = index == 0 ? Cat() : Dog() } else { _ = torn.any.word() } }
        }
 }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
