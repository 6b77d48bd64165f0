// mutant: merge hangs in a continuation that nobody resumes, and the stream yields nothing
// fails: AsyncMergeXCTests/testReturnsEveryResult
// fails: AsyncMergeTests/mergeRunsOperationsAtTheSameTime()
// fails: AsyncMergeTests/mergeOfNothingIsEmpty()
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/mergeKeepsTheOrderOfTheOperations()
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation
// fails: AsyncMergeTests/streamYieldsResultsAsTheyFinishThenEnds()
// fails: AsyncMergeTests/streamThrowsTheErrorThatIsFirstInTime()
// fails: AsyncMergeTests/streamStartsItsOperationsAtOnce()
// fails: AsyncMergeTests/streamCancelsWhatRunsAfterAnError()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItsConsumerIsCancelled()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItIsDropped()
public struct AsyncMerge {
    public static func merge<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) async throws -> [T] {
        await withUnsafeContinuation { (_: UnsafeContinuation<[T], Never>) in }
    }

    public static func mergeStream<T: Sendable>(
        _ operations: [@Sendable () async throws -> T]
    ) -> AsyncThrowingStream<T, Error> {
        AsyncThrowingStream { _ in }
    }
}
