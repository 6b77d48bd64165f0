// mutant: waits for each transform with a semaphore
// fails: AsyncMapTests/aTransformThatRunsBlocksNoThread()
// fails: AsyncMapTests/manyTransformsRunAtTheSameTime()
// fails: AsyncMapTests/cancellingCancelsTheTransforms()
// fails: AsyncMapTests/nothingArrivesAfterCancelling()
// fails: AsyncMapTests/aFailureArrivesAtOnce()
// fails: AsyncMapTests/aFailureCancelsTheRest()
// fails: AsyncMapTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: AsyncMapTests/cancellingMayMeetAnything()
// fails: AsyncMapTests/aFailureMayMeetAnything()
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
