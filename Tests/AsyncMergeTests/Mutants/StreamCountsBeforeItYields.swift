// mutant: an operation counts as ended before its result is yielded
// fails: AsyncMergeTests/resultsThatComeAtTheSameMomentAreKept()
// hint: AsyncMergeTests/resultsThatComeAtTheSameMomentAreKept() race.counted
import Foundation

public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: (index: Int, result: T).self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask { (index, try await operation()) }
            }

            var results = [T?](repeating: nil, count: operations.count)
            for try await (index, result) in group {
                results[index] = result
            }
            return results.compactMap { $0 }
        }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        let (stream, continuation) = AsyncThrowingStream<T, Error>.makeStream()
        if operations.isEmpty { continuation.finish() }
        let missing = Missing(operations.count)
        let tasks = operations.map { operation in
            Task {
                do {
                    let result = try await operation()
                    let isLast = missing.endOne()
                    continuation.yield(result)
                    if isLast { continuation.finish() }
                } catch {
                    continuation.finish(throwing: error)
                }
            }
        }
        continuation.onTermination = { _ in
            for task in tasks { task.cancel() }
        }
        return stream
    }
}

private final class Missing: @unchecked Sendable {
    private let lock = NSLock()
    private var count: Int

    init(_ count: Int) {
        self.count = count
    }

    func endOne() -> Bool {
        lock.withLock {
            count -= 1
            return count == 0
        }
    }
}
