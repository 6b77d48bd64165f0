// Locks that the compiler inlines into system calls.
import Synchronization
public actor Tally {
    private let sum = Mutex(0)
    private let count = Atomic<Int>(0)
    public var total: Int { sum.withLock { $0 } }
    public init() {}
    public func add(_ number: Int) {
        sum.withLock { $0 += number }
        count.add(1, ordering: .sequentiallyConsistent)
    }
    public func reset() async -> Int { sum.withLock { value in defer { value = 0 }; return value } }
}
/*FIRST*/
