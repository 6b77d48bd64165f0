// Classes that promise to be sendable, unowned and weak references, nonisolated(unsafe) state under a lock.
import Foundation
final class Store: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0
    nonisolated(unsafe) static var instances = 0
    weak var other: Store?
    unowned let root: Root
    init(_ root: Root) { self.root = root; Store.instances += 1 }
    func change(_ body: (inout Int) -> Void) { lock.withLock { body(&value) } }
    var now: Int { lock.withLock { value } }
}
final class Root: @unchecked Sendable { lazy var store = Store(self) }
public actor Tally {
    private let root = Root()
    public var total: Int { root.store.now }
    public init() {}
    public func add(_ number: Int) { root.store.change { $0 += number } }
    public func reset() async -> Int { let value = root.store.now; root.store.change { $0 = 0 }; return value }
}
/*FIRST*/
