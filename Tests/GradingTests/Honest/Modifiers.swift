// Availability, conditions of compilation, imports of every form, sendability said in every way, deprecations and warnings.
@preconcurrency import Foundation
import struct Foundation.Date
import class Foundation.NSLock
internal import Dispatch
#if DEBUG
let mode = "debug"
#elseif compiler(>=6) && hasFeature(StrictConcurrency)
let mode = "strict"
#else
let mode = "other"
#endif
#if !os(Linux) || arch(wasm32)
import NoSuchModule
#endif
@available(*, deprecated, message: "use \"new\"") @discardableResult func old() -> Int { 1 }
@available(swift 5.9) @inline(never) func new(_ x: @autoclosure () -> Int, then: @escaping @Sendable () -> Void = {}) -> Int { x() }
#warning("clean this up")
struct S: @unchecked Sendable { nonisolated(unsafe) static var shared = S(); let unsafe = 1; var f: @Sendable @MainActor () async -> Void = {} ; @available(*, unavailable) init(x: Int) { fatalError() } ; init() {} }
typealias Handler<T> = @Sendable (Result<T, any Error>) -> Void
fileprivate extension Int { nonmutating func twice() -> Int { self * 2 } }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { old(); _ = new(number); total &+= number.twice() / 2; let s = S(); _ = s.unsafe; if #available(macOS 99, *) {} else { _ = mode } ; #if DEBUG
        total += 1
        #endif
    }
    public func reset() async -> Int { defer { total = 0 }; return total }
    isolated deinit { total = 0 }
}
/*FIRST*/
