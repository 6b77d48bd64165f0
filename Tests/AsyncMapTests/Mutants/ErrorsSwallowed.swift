// mutant: a transform that throws is left out, as by try?
// fails: AsyncMapXCTests/testAThrownErrorFailsThePipeline
// fails: AsyncMapTests/aFailureArrivesAtOnce()
// fails: AsyncMapTests/aFailureCancelsTheRest()
// fails: AsyncMapTests/aCancellationErrorOfATransformIsAFailure()
// fails: AsyncMapTests/nothingComesAfterAFailure()
// fails: AsyncMapTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: AsyncMapTests/aFailureMayMeetAnything()
// hint: AsyncMapXCTests/testAThrownErrorFailsThePipeline thrownError
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
                        let task = Task { try? await transform(value) }
                        return Future<T?, Error> { promise in
                            Task { promise(.success(await task.value)) }
                        }
                        .handleEvents(receiveCancel: { task.cancel() })
                    }
                }
                .compactMap { $0 }
                .handleEvents(receiveRequest: { _ in isAskedFor.send(true) })
        }
        .eraseToAnyPublisher()
    }
}
