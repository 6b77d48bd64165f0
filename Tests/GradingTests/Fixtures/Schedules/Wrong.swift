import Foundation
import Synchronization

/// What two threads do to one another. Each case is wrong. Comments mark the two lines that race, or that wait.
public class Meeting: @unchecked Sendable {  // and none of the cases is, really
    public func work(_ thread: Int) {}
    public func value() async -> Int { 2 }
}

public func meeting(_ name: String) -> Meeting {
    guard let make = cases[name] else { fatalError("No case is named \(name).") }
    return make()
}

let cases: [String: () -> Meeting] = [
    "counter": CounterCase.init, "dictionary": DictionaryCase.init, "weakReference": WeakReference.init,
    "existential": Existential.init, "enumeration": Enumeration.init, "missedLock": MissedLock.init,
    "readerWithoutLock": ReaderWithoutLock.init, "queueForWritesOnly": QueueForWritesOnly.init,
    "doubleChecked": DoubleChecked.init,
    "checkThenAct": CheckThenAct.init, "checkThenSync": CheckThenSync.init, "transfer": Transfer.init,
    "useBeforeInit": UseBeforeInit.init, "storedTooLate": StoredTooLate.init,
    "orderOfLocks": OrderOfLocks.init, "orderOfMutexes": OrderOfMutexes.init, "orderOfQueues": OrderOfQueues.init,
    "lockTwice": LockTwice.init, "lostNotify": LostNotify.init, "lostSignal": LostSignal.init,
]

// MARK: - Data races

final class CounterCase: Meeting, @unchecked Sendable {
    var count = 0
    override func work(_ thread: Int) {
        count += 1  // counter
    }
}

final class DictionaryCase: Meeting, @unchecked Sendable {
    var numbers: [Int: Int] = [:]
    override func work(_ thread: Int) {
        numbers[thread] = 1  // dictionary
    }
}

final class WeakReference: Meeting, @unchecked Sendable {
    weak var object: AnyObject?
    override func work(_ thread: Int) {
        if thread == 0 {
            object = self  // weakReference
        } else {
            _ = object  // weakReference
        }
    }
}

final class Existential: Meeting, @unchecked Sendable {
    var content: Any = 0
    override func work(_ thread: Int) {
        if thread == 0 {
            content = "text"  // existential
        } else {
            _ = "\(content)"  // existential
        }
    }
}

final class Enumeration: Meeting, @unchecked Sendable {
    enum State {
        case waiting
        case done(String)
    }
    var state = State.waiting
    override func work(_ thread: Int) {
        if thread == 0 {
            state = .done("text")  // enumeration
        } else if case .done(let text) = state {  // enumeration
            _ = text.count
        }
    }
}

final class MissedLock: Meeting, @unchecked Sendable {
    let lock = NSLock()
    var count = 0
    override func work(_ thread: Int) {
        if thread == 0 {
            lock.withLock { count += 1 }  // missedLock
        } else {
            count += 1  // missedLock
        }
    }
}

final class ReaderWithoutLock: Meeting, @unchecked Sendable {
    var lock = pthread_rwlock_t()
    var values: [Int] = []
    override init() { pthread_rwlock_init(&lock, nil) }
    override func work(_ thread: Int) {
        if thread == 0 {
            pthread_rwlock_wrlock(&lock)
            values.append(1)  // readerWithoutLock
            pthread_rwlock_unlock(&lock)
        } else {
            _ = values.count  // readerWithoutLock
        }
    }
}

final class QueueForWritesOnly: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "writes")
    var count = 0
    override func work(_ thread: Int) {
        queue.async { self.count += 1 }  // queueForWritesOnly
        if thread == 1 {
            _ = count  // queueForWritesOnly
        }
    }
}

final class DoubleChecked: Meeting, @unchecked Sendable {
    let lock = NSLock()
    var object: NSObject?
    override func work(_ thread: Int) {
        if object != nil { return }  // doubleChecked
        lock.lock()
        if object == nil {
            object = NSObject()  // doubleChecked
        }
        lock.unlock()
    }
}

// MARK: - What is not done in one step

final class CheckThenAct: Meeting, @unchecked Sendable {
    let state = Mutex((isTaken: false, count: 1))
    override func work(_ thread: Int) {
        let isTaken = state.withLock { $0.isTaken }
        if isTaken { return }
        state.withLock {
            $0.isTaken = true
            $0.count += 1
        }
    }
    override func value() async -> Int { state.withLock { $0.count } }
}

final class CheckThenSync: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "state")
    var isTaken = false
    var count = 1
    override func work(_ thread: Int) {
        if queue.sync(execute: { isTaken }) { return }
        queue.sync {
            isTaken = true
            count += 1
        }
    }
    override func value() async -> Int { queue.sync { count } }
}

final class Transfer: Meeting, @unchecked Sendable {
    let lock = NSLock()
    var accounts = [2, 0]
    var seen = 2
    override func work(_ thread: Int) {
        if thread == 0 {
            lock.withLock { accounts[0] -= 1 }
            lock.withLock { accounts[1] += 1 }
        } else {
            lock.withLock { seen = accounts[0] + accounts[1] }
        }
    }
    override func value() async -> Int { lock.withLock { seen } }
}

final class UseBeforeInit: Meeting, @unchecked Sendable {
    let name = Mutex<String?>(nil)
    override func work(_ thread: Int) {
        if thread == 0 { return name.withLock { $0 = "text" } }
        guard let name = name.withLock({ $0 }) else { fatalError("There is no name yet.") }
        _ = name.count
    }
}

final class StoredTooLate: Meeting, @unchecked Sendable {
    let tasks = Mutex<[Int: Task<Void, Never>]>([:])
    override func work(_ thread: Int) {
        let task = Task { tasks.withLock { $0[thread] = nil } }
        tasks.withLock { $0[thread] = task }
    }
    override func value() async -> Int { tasks.withLock { 2 + $0.count } }
}

// MARK: - Waiting for ever

final class OrderOfLocks: Meeting, @unchecked Sendable {
    let locks = [NSLock(), NSLock()]
    override func work(_ thread: Int) {
        locks[thread].lock()
        locks[1 - thread].lock()  // orderOfLocks
        locks[1 - thread].unlock()
        locks[thread].unlock()
    }
}

final class OrderOfMutexes: Meeting, @unchecked Sendable {
    let first = Mutex(0)
    let second = Mutex(0)
    override func work(_ thread: Int) {
        if thread == 0 {
            first.withLock { _ in
                second.withLock { $0 += 1 }  // orderOfMutexes
            }
        } else {
            second.withLock { _ in
                first.withLock { $0 += 1 }  // orderOfMutexes
            }
        }
    }
}

final class OrderOfQueues: Meeting, @unchecked Sendable {
    let queues = [DispatchQueue(label: "first"), DispatchQueue(label: "second")]
    override func work(_ thread: Int) {
        queues[thread].sync {
            queues[1 - thread].sync {}
        }
    }
}

final class LockTwice: Meeting, @unchecked Sendable {
    let lock = NSLock()
    override func work(_ thread: Int) {
        lock.lock()
        if thread == 1 {
            lock.lock()  // lockTwice
            lock.unlock()
        }
        lock.unlock()
    }
}

final class LostNotify: Meeting, @unchecked Sendable {
    let condition = NSCondition()
    override func work(_ thread: Int) {
        condition.lock()
        if thread == 0 {
            condition.signal()
        } else {
            condition.wait()  // lostNotify
        }
        condition.unlock()
    }
}

final class LostSignal: Meeting, @unchecked Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    let isWaiting = Mutex(false)
    override func work(_ thread: Int) {
        if thread == 0 {
            if isWaiting.withLock({ $0 }) { semaphore.signal() }
        } else {
            isWaiting.withLock { $0 = true }
            semaphore.wait()  // lostSignal
        }
    }
}
