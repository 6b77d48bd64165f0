// mutant: merge hangs in a continuation that nobody resumes, and the stream yields nothing
// fails: AsyncMergeXCTests/testReturnsEveryResult
// fails: AsyncMergeTests/mergeRunsOperationsAtTheSameTime()
// fails: AsyncMergeTests/mergeOfNothingIsEmpty()
// fails: AsyncMergeXCTests/testThrowsTheErrorOfAnOperation
// fails: AsyncMergeXCTests/testThrowsTheErrorThatIsFirstInTime
// fails: AsyncMergeTests/streamYieldsEachResultWhenItIsReady()
// fails: AsyncMergeTests/streamYieldsResultsAsTheyFinishThenEnds()
// fails: AsyncMergeTests/streamOfNothingEnds()
// fails: AsyncMergeTests/streamDoesNotBlockAThread()
// fails: AsyncMergeTests/streamThrowsTheErrorThatIsFirstInTime()
// fails: AsyncMergeTests/thereIsNoLimitOnHowManyRun()
// fails: AsyncMergeTests/mergeDoesNotBlockItsThread()
// fails: AsyncMergeXCTests/testRunsEachOperationOnce
// fails: AsyncMergeTests/mergeKeepsTheOrderOfTheOperations()
// fails: AsyncMergeTests/mergeCancelsTheOthersAfterAnError()
// fails: AsyncMergeXCTests/testCancellingTheCallerCancelsEveryOperation
// fails: AsyncMergeTests/aCancelledMergeThrows()
// fails: AsyncMergeTests/mergeInACancelledTaskEnds()
// fails: AsyncMergeTests/streamStartsItsOperationsAtOnce()
// fails: AsyncMergeTests/streamKeepsWhatIsNotReadYet()
// fails: AsyncMergeTests/streamCancelsWhatRunsAfterAnError()
// fails: AsyncMergeTests/streamThrowsACancellationErrorOfAnOperation()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItsConsumerIsCancelled()
// fails: AsyncMergeTests/streamCancelsWhatRunsWhenItIsDropped()
// fails: AsyncMergeTests/nilIsAResultLikeAnyOther()
// fails: AsyncMergeTests/callsDoNotAffectEachOther()
// fails: AsyncMergeTests/resultsThatComeAtTheSameMomentAreKept()
// fails: AsyncMergeTests/anErrorMayMeetAnything()
// fails: AsyncMergeTests/aCancellationMayMeetAnything()
// fails: AsyncMergeTests/whatHasEndedIsReleased()
// fails: AsyncMergeTests/whatHasFailedIsReleased()
// fails: AsyncMergeXCTests/testWhatIsCancelledIsReleased
// hint: AsyncMergeXCTests/testReturnsEveryResult everyResult.nothing
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
