// mutant: waits for each transform with a semaphore
// fails: AsyncMapTests/aTransformThatRunsBlocksNoThread()
// fails: AsyncMapTests/theLastResultAndTheCompletionAtTheSameMoment()
// may fail: AsyncMapTests/aFailureOfATransformArrivesAtOnce()
// may fail: AsyncMapTests/aFailureOfATransformCancelsTheOthers()
// may fail: AsyncMapTests/aFailureOfTheUpstreamArrivesAtOnce()
// may fail: AsyncMapTests/aFailureOfTheUpstreamCancelsTheTransforms()
// may fail: AsyncMapTests/cancellingCancelsTheTransforms()
// may fail: AsyncMapTests/cancellingWhileAValueComesLeavesNoTransform()
// may fail: AsyncMapTests/manyTransformsRunAtTheSameTime()
// may fail: AsyncMapTests/nothingArrivesAfterCancelling()
// may fail: AsyncMapTests/nothingComesAfterAFailure()
// may fail: AsyncMapTests/theSubscriberIsCalledByOneThreadAtATime()
// may fail: AsyncMapTests/valuesAndResultsOnTwoThreads()
// may fail: AsyncMapXCTests/testCompletionWaitsForTheWorkInFlight
// hint: AsyncMapTests/aTransformThatRunsBlocksNoThread() blocks
import Combine
import Foundation

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        tryMap { value in
            let done = DispatchSemaphore(value: 0)
            var outcome: Result<T, Error>?
            Task {
                do {
                    outcome = .success(try await transform(value))
                } catch {
                    outcome = .failure(error)
                }
                done.signal()
            }
            done.wait()
            return try outcome!.get()
        }
        .eraseToAnyPublisher()
    }
}
