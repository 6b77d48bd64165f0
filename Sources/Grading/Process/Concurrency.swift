import Foundation
import Synchronization

/// Runs blocking work on a thread that may block, so that the few threads of Swift concurrency go on.
///
/// The work gets a flag that is set when the task is cancelled.
func runBlocking<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (CancellationFlag) throws(Failure) -> Value
) async throws(Failure) -> Value {
    let flag = CancellationFlag()
    let result = await withTaskCancellationHandler {
        await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(Failure) in try work(flag) })
            }
        }
    } onCancel: {
        flag.cancel()
    }
    return try result.get()
}

/// Blocking work on a thread of its own, beside that of the one who waits for it.
final class BlockingWork<Value: Sendable, Failure: Error>: Sendable {
    private let result = Mutex<Result<Value, Failure>?>(nil)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Once.
    func start(_ work: @escaping @Sendable () throws(Failure) -> Value) {
        Thread.detachNewThread { [self] in
            let ended = Result { () throws(Failure) in try work() }
            result.withLock { $0 = ended }
            hasEnded.signal()
        }
    }

    /// Blocks until the work that was started has ended. Once.
    func value() throws(Failure) -> Value {
        hasEnded.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("Work has a result before it ends.") }
        return try result.get()
    }
}

/// Whether a grading is still wanted. A save that a newer one overtakes should not keep a core busy.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}

/// What comes of work, as a value that tasks can pass on.
func asyncResult<Value: Sendable, Failure: Error>(
    _ work: () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    do throws(Failure) {
        return .success(try await work())
    } catch {
        return .failure(error)
    }
}

/// Makes each value once, however many tasks ask for it, also at the same time.
actor MakeOnce<Key: Hashable & Sendable, Value: Sendable> {
    private var tasks: [Key: Task<Result<Value, GradingError>, Never>] = [:]

    /// - Parameter isKept: whether a value serves those who ask later, too.
    func value(
        _ key: Key, isKept: (Value) -> Bool = { _ in true },
        make: @escaping @Sendable () async throws(GradingError) -> Value
    ) async throws(GradingError) -> Value {
        let task = tasks[key] ?? Task { await asyncResult(make) }
        tasks[key] = task
        let value = try await task.value.get()
        if !isKept(value), tasks[key] == task { tasks[key] = nil }
        return value
    }
}

/// Does work on each item, on several at a time, and passes on each result as it comes, one at a time.
func forEachConcurrently<Item: Sendable, Value: Sendable>(
    _ items: [Item], limit: Int, work: @escaping @Sendable (Item) async -> Value,
    each: (Item, Value) async throws -> Void
) async rethrows {
    try await withThrowingTaskGroup(of: (Item, Value).self) { group in
        var waiting = items.makeIterator()
        func startNext() {
            guard let item = waiting.next() else { return }
            group.addTask { (item, await work(item)) }
        }
        for _ in 0..<max(1, limit) { startNext() }
        while let (item, value) = try await group.next() {
            startNext()
            try await each(item, value)
        }
    }
}
