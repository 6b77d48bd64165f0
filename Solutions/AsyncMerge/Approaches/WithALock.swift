// right: unstructured tasks that report to a collector behind a lock
import Foundation

public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let collector = Collector<T>(count: operations.count)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                collector.begin(operations, whole: continuation)
            }
        } onCancel: {
            collector.cancel()
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        AsyncThrowingStream { continuation in
            let collector = Collector<T>(count: operations.count)
            continuation.onTermination = { _ in collector.cancel() }
            collector.begin(operations, parts: continuation)
        }
    }
}

private final class Collector<T: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [T?]
    private var missing: Int
    private var isOver = false
    private var isCancelled = false
    private var tasks: [Task<Void, Never>] = []
    private var whole: CheckedContinuation<[T], Error>?
    private var parts: AsyncThrowingStream<T, Error>.Continuation?

    init(count: Int) {
        results = Array(repeating: nil, count: count)
        missing = count
    }

    func begin(
        _ operations: [@Sendable () async throws -> T], whole: CheckedContinuation<[T], Error>? = nil,
        parts: AsyncThrowingStream<T, Error>.Continuation? = nil
    ) {
        lock.lock()
        self.whole = whole
        self.parts = parts
        lock.unlock()
        guard !operations.isEmpty else { return end(nil) }
        for (index, operation) in operations.enumerated() {
            let task = Task {
                do { self.take(try await operation(), at: index) } catch { self.end(error) }
            }
            lock.lock()
            tasks.append(task)
            let isLate = isCancelled
            lock.unlock()
            if isLate { task.cancel() }
        }
    }

    func cancel() {
        lock.lock()
        isCancelled = true
        let tasks = tasks
        lock.unlock()
        tasks.forEach { $0.cancel() }
    }

    private func take(_ result: T, at index: Int) {
        // Before it is counted, so that the last result does not overtake it, and without the lock: a yield resumes a task.
        parts?.yield(result)
        lock.lock()
        results[index] = result
        missing -= 1
        let isLast = missing == 0
        lock.unlock()
        if isLast { end(nil) }
    }

    private func end(_ error: Error?) {
        lock.lock()
        let isFirst = !isOver
        isOver = true
        lock.unlock()
        guard isFirst else { return }
        if let error {
            cancel()
            whole?.resume(throwing: error)
            parts?.finish(throwing: error)
        } else {
            whole?.resume(returning: results.compactMap { $0 })
            parts?.finish()
        }
    }
}
