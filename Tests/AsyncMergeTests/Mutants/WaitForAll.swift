// mutant: merge waits for all before it looks for an error
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// hint: AsyncMergeTests/mergeCancelsTheOthersAfterAnError() errorCancels
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        let results = Results<T>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, operation) in operations.enumerated() {
                group.addTask { await results.set(try await operation(), at: index) }
            }
            // Throws the first error, but only once every operation has ended.
            try await group.waitForAll()
        }
        return await results.inOrder
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

private actor Results<T: Sendable> {
    private var results: [Int: T] = [:]

    func set(_ result: T, at index: Int) {
        results[index] = result
    }

    var inOrder: [T] { results.sorted { $0.key < $1.key }.map(\.value) }
}
