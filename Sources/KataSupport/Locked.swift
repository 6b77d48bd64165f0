import Foundation

/// Suites and learners' code meet on several threads, so whatever both touch stands behind a lock.
///
/// A lock that ThreadSanitizer sees on every platform, which `Synchronization.Mutex` is not.
final class Locked<Value>: @unchecked Sendable {  // `value` is only reached with the lock held
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        // No place at which another thread goes on: threads that are explored meet in an answer.
        let schedules = Schedules.current
        schedules?.keepTurn(true)
        lock.lock()
        defer {
            lock.unlock()
            schedules?.keepTurn(false)
        }
        return try body(&value)
    }
}

/// An answer receives objects that the suite observes, and could inspect them with a mirror: at the waits for something to
/// happen, so as to wake them without it. All that suites keep stands behind this lock.
extension Locked: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: []) }
}
