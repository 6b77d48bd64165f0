// mutant: flatMap may have one inner publisher only, so the transforms run one after the other
// fails: AsyncMapTests/transformsRunAtTheSameTime()
// fails: AsyncMapTests/resultsComeAsTheyFinish()
// fails: AsyncMapTests/manyTransformsRunAtTheSameTime()
// fails: AsyncMapTests/cancellingCancelsTheTransforms()
// fails: AsyncMapTests/nothingArrivesAfterCancelling()
// fails: AsyncMapTests/aFailureArrivesAtOnce()
// fails: AsyncMapTests/aFailureCancelsTheRest()
// fails: AsyncMapTests/nothingComesAfterAFailure()
// fails: AsyncMapTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: AsyncMapTests/cancellingMayMeetAnything()
// fails: AsyncMapTests/aFailureMayMeetAnything()
// hint: AsyncMapTests/transformsRunAtTheSameTime() sameTime
import Combine

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        Deferred {
            let isAskedFor = CurrentValueSubject<Bool, Never>(false)
            return
                isAskedFor
                .first { $0 }
                .flatMap { _ in self.mapError { $0 as Error } }
                .flatMap(maxPublishers: .max(1)) { value in
                    Deferred {
                        let task = Task { try await transform(value) }
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
