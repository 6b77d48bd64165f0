// mutant: each transform is wrapped in a continuation that nobody resumes
// fails: AsyncMapTests/valuesAreTransformed()
// fails: AsyncMapTests/transformsRunAtTheSameTime()
// fails: AsyncMapTests/resultsComeAsTheyFinish()
// fails: AsyncMapTests/cancellingCancelsTheTransforms()
// fails: AsyncMapTests/aFailureOfATransformArrivesAtOnce()
// fails: AsyncMapTests/aFailureOfATransformCancelsTheOthers()
// fails: AsyncMapTests/aFailureOfTheUpstreamCancelsTheTransforms()
// fails: AsyncMapTests/nothingComesAfterAFailure()
// fails: AsyncMapTests/noTransformStartsBeforeTheFirstRequest()
// fails: AsyncMapTests/nothingIsDeliveredBeyondTheDemand()
// fails: AsyncMapXCTests/testAThrownErrorFailsThePipeline
// fails: AsyncMapXCTests/testCompletionWaitsForTheWorkInFlight
import Combine

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        Deferred {
            let isAskedFor = CurrentValueSubject<Bool, Never>(false)
            return
                isAskedFor
                .first { $0 }
                .flatMap { _ in self.mapError { $0 as Error } }
                .flatMap { value in
                    Deferred {
                        let task = Task { try await withUnsafeThrowingContinuation { (_: UnsafeContinuation<T, Error>) in } }
                        return Future { promise in
                            Task { promise(await task.result) }
                        }
                        .handleEvents(receiveCancel: { task.cancel() })
                    }
                }
                .handleEvents(receiveRequest: { _ in isAskedFor.send(true) })
        }
        .eraseToAnyPublisher()
    }
}
