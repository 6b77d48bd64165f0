// Compiled twice: with Swift's own functions and types, and with those that every submission is compiled with. It prints the
// same both times.
import Dispatch
import Foundation

struct Wrong: Error {}

final class Plain {
    var number = 3
}

func show(_ values: Any..., line: Int = #line) {
    print(line, values)
}

@main struct Program {
    static func main() async throws {
        try await currentTasks()
        try await groups()
        try await groupsThatFail()
        try await continuations()
        keys()
        formats()
        locks()
        functionsOfC()
    }
}

// MARK: The current task

func currentTasks() async throws {
    let task = Task {
        var hasher = Hasher()
        withUnsafeCurrentTask { $0?.hash(into: &hasher) }
        return (withUnsafeCurrentTask { $0?.hashValue }, hasher.finalize())
    }
    var hasher = Hasher()
    task.hash(into: &hasher)
    show(await task.value == (task.hashValue, hasher.finalize()))

    let kept = withUnsafeCurrentTask { $0 }
    show(withUnsafeCurrentTask { $0 == kept && $0?.hashValue == kept?.hashValue })
    show(await Task { withUnsafeCurrentTask { $0 == kept } }.value)
    show(withUnsafeCurrentTask { task in Set([task, kept]).count })
    show(withUnsafeCurrentTask { $0?.priority == Task.currentPriority && $0?.basePriority == Task.basePriority })

    do {
        try withUnsafeCurrentTask { _ in throw Wrong() }
    } catch { show("\(error)") }
    let cancelled = Task {
        await withUnsafeCurrentTask { task in
            await Task.yield()
            task?.cancel()
            return Task.isCancelled && task?.isCancelled == true
        }
    }
    show(await cancelled.value)
    let escalated = Task(priority: .low) {
        withUnsafeCurrentTask(body: { task in
            task?.escalatePriority(to: .high)
            return task?.priority
        })
    }
    show(await escalated.value as Any)
}

// MARK: Task groups

actor Counter {
    private var number = 0

    func bump() -> Int {
        number += 10
        return 1
    }

    func isolated() async -> Int {
        await withTaskGroup { group in
            number += 1
            group.addTask { 1 }
            group.addTask { await self.bump() }
            for await one in group { number += one }
            return number
        }
    }

    func names() async throws -> [String] {
        try await withThrowingTaskGroup(of: String.self, returning: [String].self, isolation: self) { group in
            number += 1
            group.addTask(name: "one", priority: .high) { Task.name ?? "-" }
            group.addTask(name: nil) { Task.name ?? "-" }
            group.addTask(priority: .low) { "\(Task.basePriority == .low)" }
            return try await group.all().sorted()
        }
    }
}

extension TaskGroup {
    mutating func addBoth(
        _ first: sending @escaping () async -> ChildTaskResult, _ second: sending @escaping () async -> ChildTaskResult
    ) {
        addTask(operation: first)
        addTask(operation: second)
    }
}

extension ThrowingTaskGroup where Failure == any Error {
    mutating func all() async throws -> [ChildTaskResult] {
        var all: [ChildTaskResult] = []
        for try await one in self { all.append(one) }
        return all
    }
}

func add<Value: Sendable>(_ value: Value, to group: inout TaskGroup<Value>) {
    group.addTask { value }
}

func types<Values: AsyncSequence>(_ values: Values) -> String { "\(Values.Element.self) \(Values.Failure.self)" }

@MainActor func onMainActor() async -> Int {
    var sum = 0
    await withTaskGroup(of: Int.self) { group in
        group.addTask { @MainActor in
            MainActor.assertIsolated()
            return 1
        }
        group.addImmediateTask {
            MainActor.assertIsolated()
            sum += 1
            return 2
        }
        while let number = await group.next() { sum += number }
    }
    return sum
}

func groups() async throws {
    let counter = Counter()
    show(await counter.isolated(), try await counter.names(), await onMainActor())
    let sum = await withTaskGroup(of: Int.self) { group in
        group.addBoth({ 1 }, { 2 })
        add(3, to: &group)
        return await group.reduce(0, +)
    }
    show(sum)
    show(await withTaskGroup(of: Int.self) { types($0) })
    show(await withThrowingTaskGroup(of: Int.self) { types($0) })
    let iterated = await withTaskGroup(of: Int.self) { group in
        group.addTask { 5 }
        var iterator = group.makeAsyncIterator()
        return [await iterator.next(), await iterator.next()]
    }
    show(iterated)
    let cancelled = await withTaskGroup(of: Bool.self) { group in
        group.cancelAll()
        let isAdded = group.addTaskUnlessCancelled { true }
        group.addTask { Task.isCancelled }
        return [isAdded, group.isCancelled, group.isEmpty, await group.next()]
    }
    show(cancelled)
    let isAdded = await withTaskGroup(of: Int.self) { group in
        [group.addTaskUnlessCancelled(name: "n") { 1 }, group.addImmediateTaskUnlessCancelled { 2 }]
    }
    show(isAdded)
    let plain = await withTaskGroup(of: Void.self) { group in
        group.addTask {}
        await group.waitForAll()
        return Plain()
    }
    show(plain.number)
    let outer = Task {
        await withTaskGroup(of: Int.self) { group in
            group.addTask {
                await withTaskGroup(of: Int.self) { inner in
                    inner.addTask {
                        while !Task.isCancelled { await Task.yield() }
                        return 2
                    }
                    return await inner.reduce(3, +)
                }
            }
            return await group.reduce(0, +)
        }
    }
    outer.cancel()
    show(await outer.value)
    let discarded: Int = await withDiscardingTaskGroup(returning: Int.self) { group in
        group.addTask(name: "d", priority: .low) { show(Task.name as Any, Task.isCancelled) }
        return 1
    }
    show(discarded)
}

func groupsThatFail() async throws {
    do {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { throw Wrong() }
            try await group.waitForAll()
        }
    } catch { show("\(error)") }
    await withThrowingTaskGroup(of: Void.self) { $0.addTask { throw Wrong() } }
    let result = await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { throw Wrong() }
        return await group.nextResult()
    }
    if case .failure(let error)? = result { show("\(error)") }
    do {
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { throw Wrong() }
            for try await number in group { show(number) }
        }
    } catch { show("\(error)") }
    let contains = try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { 4 }
        return try await group.contains(4)
    }
    show(contains)
    do {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { throw Wrong() }
            group.addTask { while true { try Task.checkCancellation() } }
        }
    } catch { show("\(error)") }
    do {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {}
            throw Wrong()
        }
    } catch { show("\(error)") }
}

// MARK: Continuations

actor Resumed {
    private var number = 0

    func isolated() async -> Int {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Int, Never>) in
            number += 1
            continuation.resume(returning: number)
        }
    }
}

func continuations() async throws {
    await withUnsafeContinuation { $0.resume() }
    show(await Resumed().isolated(), await withUnsafeContinuation { $0.resume(returning: 3) })
    do {
        let _: Int = try await withUnsafeThrowingContinuation { $0.resume(throwing: Wrong()) }
    } catch { show("\(error)") }
    let number: Int = try await withUnsafeThrowingContinuation { continuation in
        continuation.resume(with: Result<Int, Wrong>.success(3))
    }
    let plain: Plain = await withUnsafeContinuation { $0.resume(returning: Plain()) }
    show(number, plain.number)
}

// MARK: Values of queues

func keys() {
    let (number, nothing, optional) = (
        DispatchSpecificKey<Int>(), DispatchSpecificKey<Void>(), DispatchSpecificKey<Int?>()
    )
    let target = DispatchQueue(label: "target")
    let queue = DispatchQueue(label: "queue", target: target)
    target.setSpecific(key: number, value: 1)
    queue.setSpecific(key: nothing, value: ())
    queue.setSpecific(key: optional, value: .some(nil))
    queue.sync {
        show(DispatchQueue.getSpecific(key: number) as Any, DispatchQueue.getSpecific(key: nothing) as Any)
        show(DispatchQueue.getSpecific(key: optional) as Any)
    }
    show(queue.getSpecific(key: number) as Any, DispatchQueue.getSpecific(key: number) as Any)
    target.setSpecific(key: number, value: nil)
    show(target.getSpecific(key: number) as Any)
}

// MARK: Formats

func formats() {
    let german = Locale(identifier: "de_DE")
    show(String(format: "%5.2f|%-8d|%+d|% d|%08.3f|%e", 3.14159, 42, 5, 6, 2.5, 12345.678))
    show(String(format: "%d%% %@ %03d:%02d %c", 5, "a", 1, 2, 66), String(format: "plain"), String(format: ""))
    show(String(format: "%lu %llu %hhd %hd %ld %zd", UInt(3), UInt64(4), Int8(-5), Int16(6), 7, 8))
    show(String(format: "%X %x %o %#x %g %G %a", 255, 255, 8, 255, 1e10, 1e-10, 1.0))
    show(String(format: "%f %.1f %.0f", Float(1.5), CGFloat(1.25), 2.5), String(format: "%i", arguments: [3]))
    show(String(format: "%2$d %1$d", 1, 2), String(format: "%1$@ %1$@", "x"), String(format: "é %d 漢字 %@", 1, "ü"))
    show(String(format: "%5@|%-5@|%.2@", "ab", "cd", "abc"), String(format: "%d %d", 1, 2, 3))
    show(String(format: "%'d %.2f", locale: german, 1_234_567, 3.5), String.localizedStringWithFormat("%.2f", 3.5))
    show(String(format: "%d %", 100), String(format: "100%"), String(format: "%d% ", 5))
}

// MARK: Locks

func locks() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    var recursive = pthread_mutex_t()
    pthread_mutex_init(&recursive, &attributes)
    pthread_mutexattr_destroy(&attributes)
    show(pthread_mutex_lock(&recursive), pthread_mutex_trylock(&recursive), pthread_mutex_unlock(&recursive))
    show(pthread_mutex_unlock(&recursive), pthread_mutex_destroy(&recursive))

    var lock = pthread_rwlock_t()
    pthread_rwlock_init(&lock, nil)
    show(pthread_rwlock_rdlock(&lock), pthread_rwlock_tryrdlock(&lock), pthread_rwlock_trywrlock(&lock))
    show(pthread_rwlock_unlock(&lock), pthread_rwlock_unlock(&lock), pthread_rwlock_wrlock(&lock))
    show(pthread_rwlock_unlock(&lock), pthread_rwlock_destroy(&lock))

    var mutex = pthread_mutex_t()
    var condition = pthread_cond_t()
    var past = timespec()
    show(pthread_mutex_init(&mutex, nil), pthread_cond_init(&condition, nil), pthread_mutex_lock(&mutex))
    show(pthread_cond_timedwait(&condition, &mutex, &past), pthread_cond_signal(&condition))
    show(pthread_cond_broadcast(&condition), pthread_mutex_unlock(&mutex), pthread_cond_destroy(&condition))
}

func functionsOfC() {
    var (time, day, seconds) = (timespec(), timeval(), time_t())
    show(clock_gettime(CLOCK_MONOTONIC, &time), gettimeofday(&day, nil), Glibc.time(&seconds) == seconds)
    show(clock_getres(CLOCK_REALTIME, &time), strlen("hello"), fputs("text\n", stdout), puts("text"))
}
