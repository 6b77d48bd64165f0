// mutant: all calls of merge collect their results in one array
// fails: AsyncMergeTests/callsDoNotAffectEachOther()
// hint: AsyncMergeTests/callsDoNotAffectEachOther() independent
import Foundation

private final class Shared: @unchecked Sendable {
    static let all = Shared()
    private let lock = NSLock()
    private var results: [(Int, Any)] = []
    func reset() { lock.lock(); results = []; lock.unlock() }
    func append(_ index: Int, _ value: Any) { lock.lock(); results.append((index, value)); lock.unlock() }
    func sorted<T>(of type: T.Type) -> [T] {
        lock.lock()
        defer { results = []; lock.unlock() }
        return results.sorted { $0.0 < $1.0 }.compactMap { $0.1 as? T }
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
            Shared.all.reset()
            for try await result in group { Shared.all.append(result.0, result.1) }
            return Shared.all.sorted(of: T.self)
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
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
