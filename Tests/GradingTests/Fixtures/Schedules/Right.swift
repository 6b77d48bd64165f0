import Combine
import Foundation
import Synchronization

/// What two threads do to one another. Each case is right: no order of its steps may be called wrong.
public class Meeting: @unchecked Sendable {  // each case keeps its threads apart in its own way
    var count = 0
    public func work(_ thread: Int) {}
    public func value() async -> Int { count }
}

public func meeting(_ name: String) -> Meeting {
    guard let make = cases[name] else { fatalError("No case is named \(name).") }
    return make()
}

let cases: [String: () -> Meeting] = [
    "mutex": MutexCase.init, "mutexBeside": MutexBeside.init, "spinLock": SpinLock.init, "publishing": Publishing.init,
    "nsLock": { Locked(NSLock()) }, "recursiveLock": { Locked(NSRecursiveLock()) },
    "condition": ConditionCase.init, "conditionUntil": ConditionUntil.init,
    "conditionLock": ConditionLock.init, "publishedProperty": PublishedProperty.init,
    "pthreadMutex": PthreadMutex.init, "readWriteLock": ReadWriteLock.init,
    "serialSync": SerialSync.init, "serialAsync": SerialAsync.init, "asyncThenSync": AsyncThenSync.init,
    "barrierThenSync": BarrierThenSync.init, "inactiveQueue": InactiveQueue.init,
    "suspendedQueue": SuspendedQueue.init, "targetQueue": TargetQueue.init,
    "barrierAsync": BarrierAsync.init, "barrierSync": BarrierSync.init, "syncThatWaits": SyncThatWaits.init,
    "groupWait": GroupWait.init, "groupNotify": GroupNotify.init, "groupTimeout": GroupTimeout.init,
    "semaphoreLock": SemaphoreLock.init, "semaphoreSignal": SemaphoreSignal.init,
    "semaphoreTimeout": SemaphoreTimeout.init,
    "workItem": WorkItem.init, "workItemNotify": WorkItemNotify.init,
    "operations": OperationsCase.init, "operationBarrier": OperationBarrier.init,
    "mainOperations": MainOperations.init,
    "mainQueue": MainQueue.init, "mainSync": MainSync.init, "mainActor": MainActorCase.init, "actor": ActorCase.init,
    "taskValue": TaskValue.init, "continuation": ContinuationCase.init, "taskGroup": TaskGroupCase.init,
    "asyncLet": AsyncLet.init, "stream": StreamCase.init, "sleepAsTimeout": SleepAsTimeout.init,
    "subject": SubjectCase.init, "receiveOn": ReceiveOn.init, "flatMap": FlatMapCase.init, "future": FutureCase.init,
    "thread": ThreadCase.init,
    "asyncAfter": AsyncAfter.init, "concurrentPerform": ConcurrentPerform.init, "lazyGlobal": LazyGlobal.init,
]

// MARK: - Locks and atomics

final class MutexCase: Meeting, @unchecked Sendable {
    let counted = Mutex(0)
    override func work(_ thread: Int) { counted.withLock { $0 += 1 } }
    override func value() async -> Int { counted.withLock { $0 } }
}

final class MutexBeside: Meeting, @unchecked Sendable {
    let lock = Mutex(())
    override func work(_ thread: Int) { lock.withLock { _ in count += 1 } }
}

final class SpinLock: Meeting, @unchecked Sendable {
    let isTaken = Atomic(false)
    override func work(_ thread: Int) {
        while !isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {}
        count += 1
        isTaken.store(false, ordering: .releasing)
    }
}

final class Publishing: Meeting, @unchecked Sendable {
    let isReady = Atomic(false)
    override func work(_ thread: Int) {
        if thread == 0 {
            count = 2
            isReady.store(true, ordering: .releasing)
        } else if isReady.load(ordering: .acquiring), count != 2 {
            fatalError("It is ready.")
        }
    }
}

final class Locked<Lock: NSLocking>: Meeting, @unchecked Sendable {
    let lock: Lock
    init(_ lock: Lock) { self.lock = lock }
    override func work(_ thread: Int) { lock.withLock { count += 1 } }
}

final class ConditionCase: Meeting, @unchecked Sendable {
    let condition = NSCondition()
    var isReady = false
    override func work(_ thread: Int) {
        condition.lock()
        if thread == 0 {
            isReady = true
            condition.signal()
        } else {
            while !isReady { condition.wait() }
            count = 2
        }
        condition.unlock()
    }
}

/// A deadline that is far away does not pass while others can go on.
final class ConditionUntil: Meeting, @unchecked Sendable {
    let condition = NSCondition()
    override func work(_ thread: Int) {
        condition.lock()
        defer { condition.unlock() }
        guard thread == 1 else {
            count = 1
            return condition.signal()
        }
        let end = Date(timeIntervalSinceNow: 10)
        while count == 0 { if !condition.wait(until: end) { return } }
        count = 2
    }
}

final class ConditionLock: Meeting, @unchecked Sendable {
    let lock = NSConditionLock(condition: 0)
    override func work(_ thread: Int) {
        // Without a time, Foundation's own lock crashes on Linux where it has to wait.
        guard lock.lock(whenCondition: thread, before: Date(timeIntervalSinceNow: 60)) else { return }
        count += 1
        lock.unlock(withCondition: thread + 1)
    }
}

final class PublishedProperty: Meeting, @unchecked Sendable {
    final class Model { @Published var total = 0 }
    let model = Model()
    let lock = NSLock()
    override func work(_ thread: Int) { lock.withLock { model.total += 1 } }
    override func value() async -> Int { model.total }
}

final class PthreadMutex: Meeting, @unchecked Sendable {
    var mutex = pthread_mutex_t()
    override init() { pthread_mutex_init(&mutex, nil) }
    override func work(_ thread: Int) {
        pthread_mutex_lock(&mutex)
        count += 1
        pthread_mutex_unlock(&mutex)
    }
}

final class ReadWriteLock: Meeting, @unchecked Sendable {
    var lock = pthread_rwlock_t()
    override init() { pthread_rwlock_init(&lock, nil) }
    override func work(_ thread: Int) {
        pthread_rwlock_rdlock(&lock)
        let isFirst = count == 0
        pthread_rwlock_unlock(&lock)
        pthread_rwlock_wrlock(&lock)
        count += isFirst || thread < 2 ? 1 : 0
        pthread_rwlock_unlock(&lock)
    }
}

// MARK: - Queues

final class SerialSync: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "sync")
    override func work(_ thread: Int) { queue.sync { count += 1 } }
}

final class SerialAsync: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "async")
    override func work(_ thread: Int) { queue.async { self.count += 1 } }
}

/// What was given to a queue before comes first.
final class AsyncThenSync: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "then")
    override func work(_ thread: Int) {
        var isDone = false
        queue.async {
            self.count += 1
            isDone = true
        }
        precondition(queue.sync { isDone })
    }
}

final class BarrierThenSync: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "then", attributes: .concurrent)
    override func work(_ thread: Int) {
        var isDone = false
        queue.async(flags: .barrier) {
            self.count += 1
            isDone = true
        }
        precondition(queue.sync { isDone })
    }
}

final class InactiveQueue: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
    override func work(_ thread: Int) {
        queue.async { self.count += thread + 1 }
        if thread == 1 { queue.activate() }
    }
    override func value() async -> Int { count - 1 }
}

final class SuspendedQueue: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "suspended")
    override func work(_ thread: Int) {
        queue.suspend()
        queue.async { self.count += 1 }
        queue.resume()
    }
}

final class TargetQueue: Meeting, @unchecked Sendable {
    let queues: [DispatchQueue]
    override init() {
        let target = DispatchQueue(label: "target")
        queues = (0..<2).map { DispatchQueue(label: "\($0)", target: target) }
    }
    override func work(_ thread: Int) { queues[thread].async { self.count += 1 } }
}

final class BarrierAsync: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "barrier", attributes: .concurrent)
    override func work(_ thread: Int) {
        queue.async(flags: .barrier) { self.count += 1 }
        queue.async { precondition(self.count > 0) }
    }
}

final class BarrierSync: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "barrier", attributes: .concurrent)
    override func work(_ thread: Int) {
        queue.sync(flags: .barrier) { count += 1 }
        precondition(queue.sync { count } > 0)
    }
}

final class SyncThatWaits: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "waits")
    let semaphore = DispatchSemaphore(value: 0)
    override func work(_ thread: Int) {
        if thread == 0 {
            queue.sync {
                semaphore.wait()
                count += 1
            }
        } else {
            semaphore.signal()
            queue.sync { count += 1 }
        }
    }
}

final class GroupWait: Meeting, @unchecked Sendable {
    let group = DispatchGroup()
    override init() {
        super.init()
        group.enter()
    }
    override func work(_ thread: Int) {
        if thread == 0 {
            count = 1
            group.leave()
        } else {
            group.wait()
            count += 1
        }
    }
}

final class GroupNotify: Meeting, @unchecked Sendable {
    let totals = Mutex(0)
    override func work(_ thread: Int) {
        let group = DispatchGroup()
        var part = 0
        let lock = NSLock()
        for _ in 0..<2 { DispatchQueue.global().async(group: group) { lock.withLock { part += 1 } } }
        group.notify(queue: .global()) { self.totals.withLock { $0 += part / 2 } }
    }
    override func value() async -> Int { totals.withLock { $0 } }
}

final class GroupTimeout: Meeting, @unchecked Sendable {
    let group = DispatchGroup()
    override init() {
        super.init()
        group.enter()
    }
    override func work(_ thread: Int) {
        if thread == 0 {
            count = 1
            group.leave()
        } else if group.wait(timeout: .now() + 10) == .success {
            count += 1
        }
    }
}

final class SemaphoreLock: Meeting, @unchecked Sendable {
    let semaphore = DispatchSemaphore(value: 1)
    override func work(_ thread: Int) {
        semaphore.wait()
        count += 1
        semaphore.signal()
    }
}

final class SemaphoreSignal: Meeting, @unchecked Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    override func work(_ thread: Int) {
        if thread == 0 {
            count = 1
            semaphore.signal()
        } else {
            semaphore.wait()
            count += 1
        }
    }
}

final class SemaphoreTimeout: Meeting, @unchecked Sendable {
    let semaphore = DispatchSemaphore(value: 0)
    override func work(_ thread: Int) {
        if thread == 0 {
            count = 1
            semaphore.signal()
        } else if semaphore.wait(timeout: .now() + 10) == .success {
            count += 1
        }
    }
}

final class WorkItem: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "item")
    override func work(_ thread: Int) {
        let item = DispatchWorkItem { self.count += 1 }
        queue.async(execute: item)
        item.wait()
    }
}

final class WorkItemNotify: Meeting, @unchecked Sendable {
    let totals = Mutex(0)
    override func work(_ thread: Int) {
        var part = 0
        let item = DispatchWorkItem { part = 1 }
        item.notify(queue: .global()) { self.totals.withLock { $0 += part } }
        DispatchQueue.global().async(execute: item)
    }
    override func value() async -> Int { totals.withLock { $0 } }
}

final class OperationsCase: Meeting, @unchecked Sendable {
    let queue = OperationQueue()
    override init() { queue.maxConcurrentOperationCount = 1 }
    override func work(_ thread: Int) { queue.addOperation { self.count += 1 } }
}

final class OperationBarrier: Meeting, @unchecked Sendable {
    let queue = OperationQueue()
    override func work(_ thread: Int) {
        queue.addBarrierBlock { self.count += 1 }
        queue.waitUntilAllOperationsAreFinished()
    }
}

final class MainOperations: Meeting, @unchecked Sendable {
    override func work(_ thread: Int) { OperationQueue.main.addOperation { self.count += 1 } }
}

final class MainQueue: Meeting, @unchecked Sendable {
    override func work(_ thread: Int) { DispatchQueue.main.async { self.count += 1 } }
}

final class MainSync: Meeting, @unchecked Sendable {
    override func work(_ thread: Int) { DispatchQueue.main.sync { count += 1 } }
}

final class AsyncAfter: Meeting, @unchecked Sendable {
    let queue = DispatchQueue(label: "after")
    override func work(_ thread: Int) { queue.asyncAfter(deadline: .now() + 1) { self.count += 1 } }
    override func value() async -> Int {
        try? await Task.sleep(for: .seconds(2))
        return queue.sync { count }
    }
}

final class ConcurrentPerform: Meeting, @unchecked Sendable {
    let lock = NSLock()
    override func work(_ thread: Int) {
        DispatchQueue.concurrentPerform(iterations: 2) { _ in lock.withLock { count += 1 } }
    }
    override func value() async -> Int { count / 2 }
}

// MARK: - Swift's concurrency

@MainActor final class OnMain { var count = 0 }

final class MainActorCase: Meeting, @unchecked Sendable {
    let counted = Task { await OnMain() }
    override func work(_ thread: Int) {
        Task { @MainActor in await counted.value.count += 1 }
    }
    override func value() async -> Int { await counted.value.count }
}

actor Counter {
    var count = 0
    func add() { count += 1 }
}

final class ActorCase: Meeting, @unchecked Sendable {
    let counter = Counter()
    override func work(_ thread: Int) { Task { await counter.add() } }
    override func value() async -> Int { await counter.count }
}

final class TaskValue: Meeting, @unchecked Sendable {
    let totals = Mutex(0)
    override func work(_ thread: Int) {
        var part = 0
        let task = Task { part = 1 }
        Task {
            await task.value
            totals.withLock { $0 += part }
        }
    }
    override func value() async -> Int { totals.withLock { $0 } }
}

final class ContinuationCase: Meeting, @unchecked Sendable {
    let totals = Mutex(0)
    override func work(_ thread: Int) {
        var part = 0
        Task {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    part = 1
                    continuation.resume()
                }
            }
            totals.withLock { $0 += part }
        }
    }
    override func value() async -> Int { totals.withLock { $0 } }
}

final class TaskGroupCase: Meeting, @unchecked Sendable {
    let totals = Mutex(0)
    override func work(_ thread: Int) {
        Task {
            await withTaskGroup(of: Int.self) { group in
                group.addTask { 0 }
                group.addTask { 1 }
                for await part in group { totals.withLock { $0 += part } }
            }
        }
    }
    override func value() async -> Int { totals.withLock { $0 } }
}

final class AsyncLet: Meeting, @unchecked Sendable {
    let totals = Mutex(0)
    override func work(_ thread: Int) {
        Task {
            async let nothing = 0
            async let one = 1
            let part = await nothing + one
            totals.withLock { $0 += part }
        }
    }
    override func value() async -> Int { totals.withLock { $0 } }
}

final class StreamCase: Meeting, @unchecked Sendable {
    final class Box { var value = 0 }
    let (stream, continuation) = AsyncStream<Box>.makeStream()
    override func work(_ thread: Int) {
        let box = Box()
        box.value = 1
        continuation.yield(box)
    }
    override func value() async -> Int {
        var boxes = stream.makeAsyncIterator()
        var total = 0
        while total < 2, let box = await boxes.next() { total += box.value }
        return total
    }
}

/// A timeout that is far away does not come before what can go on.
final class SleepAsTimeout: Meeting, @unchecked Sendable {
    let counter = Counter()
    override func work(_ thread: Int) {
        Task {
            let isInTime = await withTaskGroup(of: Bool.self) { group in
                group.addTask { (try? await Task.sleep(for: .seconds(30))) == nil }
                group.addTask {
                    for _ in 0..<5 { await Task.yield() }
                    return true
                }
                defer { group.cancelAll() }
                return await group.next() == true
            }
            if isInTime { await counter.add() }
        }
    }
    override func value() async -> Int { await counter.count }
}

// MARK: - Combine

final class SubjectCase: Meeting, @unchecked Sendable {
    let subject = PassthroughSubject<Int, Never>()
    let lock = NSLock()
    var subscription: AnyCancellable?
    override init() {
        super.init()
        subscription = subject.sink { [unowned self] value in lock.withLock { count += value } }
    }
    override func work(_ thread: Int) { subject.send(1) }
}

final class ReceiveOn: Meeting, @unchecked Sendable {
    let subject = PassthroughSubject<Int, Never>()
    var subscription: AnyCancellable?
    override init() {
        super.init()
        subscription = subject.receive(on: DispatchQueue(label: "on")).sink { [unowned self] in count += $0 }
    }
    override func work(_ thread: Int) { subject.send(1) }
}

final class FlatMapCase: Meeting, @unchecked Sendable {
    let subject = PassthroughSubject<Int, Never>()
    let lock = NSLock()
    var subscription: AnyCancellable?
    override init() {
        super.init()
        subscription = subject.flatMap { Just($0) }.sink { [unowned self] value in lock.withLock { count += value } }
    }
    override func work(_ thread: Int) { subject.send(1) }
}

final class FutureCase: Meeting, @unchecked Sendable {
    let lock = NSLock()
    var subscriptions: [AnyCancellable] = []
    override func work(_ thread: Int) {
        let future = Future<Int, Never> { promise in Task { promise(.success(1)) } }
        let subscription = future.sink { value in self.lock.withLock { self.count += value } }
        lock.withLock { subscriptions.append(subscription) }
    }
}

// MARK: - Threads

final class ThreadCase: Meeting, @unchecked Sendable {
    let condition = NSCondition()
    override func work(_ thread: Int) {
        var hasEnded = false
        Thread.detachNewThread { [self] in
            condition.lock()
            count += 1
            hasEnded = true
            condition.broadcast()
            condition.unlock()
        }
        condition.lock()
        while !hasEnded { condition.wait() }
        condition.unlock()
    }
}

let global: Mutex<Int> = {
    var total = 0
    for number in 0..<3 { total += number }
    return Mutex(total)
}()

final class LazyGlobal: Meeting, @unchecked Sendable {
    let lock = NSLock()
    override func work(_ thread: Int) {
        let part = global.withLock { $0 } / 3
        lock.withLock { count += part }
    }
}
