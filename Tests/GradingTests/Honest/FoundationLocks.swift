// Every lock of Foundation.
import Foundation
public actor Tally {
    private let lock = NSLock()
    private let again = NSRecursiveLock()
    private let condition = NSCondition()
    private let conditionLock = NSConditionLock(condition: 0)
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        lock.lock(); defer { lock.unlock() }
        again.withLock { again.withLock { total += number } }
        condition.lock(); condition.broadcast(); condition.unlock()
        conditionLock.lock(whenCondition: 0); conditionLock.unlock(withCondition: 0)
    }
    public func reset() async -> Int { lock.withLock { defer { total = 0 }; return total } }
}
/*FIRST*/
