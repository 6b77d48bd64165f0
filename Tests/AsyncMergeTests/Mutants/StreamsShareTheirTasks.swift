// mutant: all streams have one list of tasks, and one that ends cancels those of the others
// fails: AsyncMergeTests/streamDoesNotBlockAThread()
// fails: AsyncMergeTests/callsDoNotAffectEachOther()
// hint: AsyncMergeTests/streamDoesNotBlockAThread() independent
import Foundation

private final class Running: @unchecked Sendable {
    static let shared = Running()
    private let lock = NSLock()
    private var tasks: [Task<Void, Never>] = []
    func add(_ task: Task<Void, Never>) { lock.lock(); tasks.append(task); lock.unlock() }
    func cancelAll() {
        lock.lock()
        let all = tasks
        tasks = []
        lock.unlock()
        for task in all { task.cancel() }
    }
}

public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (Int, T).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask { (index, try await operation()) }
            }
            var results: [(Int, T)] = []
            for try await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map { $0.1 }
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: T.self, throwing: Error.self)
        let task = Task {
            await withThrowingTaskGroup(of: T.self) { group in
                for operation in operations {
                    group.addTask { try await operation() }
                }
                do {
                    for try await result in group { continuation.yield(result) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                    group.cancelAll()
                }
            }
        }
        Running.shared.add(task)
        continuation.onTermination = { _ in Running.shared.cancelAll() }
        return stream
    }
}
