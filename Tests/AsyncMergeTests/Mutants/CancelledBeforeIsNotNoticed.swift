// mutant: a cancellation before the tasks exist cancels none of them
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// hint: AsyncMergeTests/mergeInACancelledTaskEnds() cancelledBefore
import Foundation

public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let tasks = Tasks()
        return try await withTaskCancellationHandler {
            try await Task {
                try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
                    for (index, operation) in operations.enumerated() {
                        let task = Task { try await operation() }
                        tasks.add { task.cancel() }
                        group.addTask { (index, try await task.value) }
                    }
                    var results = [T?](repeating: nil, count: operations.count)
                    do {
                        for try await (index, result) in group {
                            results[index] = result
                        }
                    } catch {
                        tasks.cancel()
                        throw error
                    }
                    return results.compactMap { $0 }
                }
            }.value
        } onCancel: {
            tasks.cancel()
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        let work = Task {
            await withThrowingTaskGroup(of: T.self) { group in
                for operation in operations {
                    group.addTask { try await operation() }
                }
                do {
                    for try await result in group {
                        continuation.yield(result)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                    group.cancelAll()
                }
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }
}

private final class Tasks: @unchecked Sendable {
    private let lock = NSLock()
    private var cancels: [() -> Void] = []

    func add(_ cancel: @escaping () -> Void) {
        lock.withLock { cancels.append(cancel) }
    }

    func cancel() {
        for cancel in lock.withLock({ cancels }) { cancel() }
    }
}
