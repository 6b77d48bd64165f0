// mutant: the failure of the upstream comes in a wrapping of the operator's own
// fails: AsyncMapTests/aFailureOfTheUpstreamArrivesAsItIs()
// fails: AsyncMapTests/aFailureArrivesAtOnce()
// fails: AsyncMapTests/aFailureMayMeetAnything()
// hint: AsyncMapTests/aFailureOfTheUpstreamArrivesAsItIs() upstreamFailure
import Combine

enum AsyncMapError: Error {
    case upstream(Error)
}

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        Deferred {
            let isAskedFor = CurrentValueSubject<Bool, Never>(false)
            return
                isAskedFor
                .first { $0 }
                .flatMap { _ in self.mapError { AsyncMapError.upstream($0) as Error } }
                .flatMap { value in
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
