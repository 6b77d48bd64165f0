// mutant: keep does not cancel a task that is started after the end, so the operations of a call that was cancelled before it began run on
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// fails: AsyncMergeTests/aCancellationMayMeetAnything()
// hint: AsyncMergeTests/mergeInACancelledTaskEnds() cancelledBefore
import Foundation

/// Runs several async operations and brings their results together.
public struct AsyncMerge {
    /// Runs all operations and returns all of their results.
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let run = Run<T>(count: operations.count)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                run.start(operations, each: { _ in }, end: { continuation.resume(with: $0) })
            }
        } onCancel: {
            run.settle(.failure(CancellationError()))
        }
    }

    /// Runs all operations and yields each result as soon as it is there.
    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        AsyncThrowingStream { continuation in
            let run = Run<T>(count: operations.count)
            continuation.onTermination = { _ in
                run.settle(.failure(CancellationError()))
            }
            run.start(
                operations,
                each: { continuation.yield($0) },
                end: { outcome in
                    switch outcome {
                    case .success: continuation.finish()
                    case .failure(let error): continuation.finish(throwing: error)
                    }
                }
            )
        }
    }
}

/// One call: its tasks, its results, and whom to tell about the end.
private final class Run<T: Sendable>: @unchecked Sendable {
    typealias Outcome = Result<[T], any Error>

    private let lock = NSLock()
    private var results: [T?]
    private var remaining: Int
    private var tasks: [Task<Void, Never>] = []
    private var outcome: Outcome?
    private var end: (@Sendable (Outcome) -> Void)?

    init(count: Int) {
        results = Array(repeating: nil, count: count)
        remaining = count
    }

    func start(
        _ operations: [@Sendable () async throws -> T],
        each: @escaping @Sendable (T) -> Void,
        end: @escaping @Sendable (Outcome) -> Void
    ) {
        for (index, operation) in operations.enumerated() {
            keep(Task {
                do {
                    let result = try await operation()
                    each(result)
                    self.store(result, at: index)
                } catch {
                    self.settle(.failure(error))
                }
            })
        }
        if operations.isEmpty { settle(.success([])) }
        notify(end)
    }

    func settle(_ newOutcome: Outcome) {
        let (running, end) = lock.withLock { () -> ([Task<Void, Never>], (@Sendable (Outcome) -> Void)?) in
            guard outcome == nil else { return ([], nil) }
            outcome = newOutcome
            defer {
                tasks = []
                self.end = nil
            }
            return (tasks, self.end)
        }
        for task in running { task.cancel() }
        end?(newOutcome)
    }

    private func notify(_ end: @escaping @Sendable (Outcome) -> Void) {
        let known = lock.withLock {
            if outcome == nil { self.end = end }
            return outcome
        }
        if let known { end(known) }
    }

    private func keep(_ task: Task<Void, Never>) {
        lock.withLock {
            if outcome == nil { tasks.append(task) }
        }
    }

    private func store(_ result: T, at index: Int) {
        let all = lock.withLock { () -> [T]? in
            results[index] = .some(result)
            remaining -= 1
            return remaining == 0 ? results.map { $0! } : nil
        }
        if let all { settle(.success(all)) }
    }
}
