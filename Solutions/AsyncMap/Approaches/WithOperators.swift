// right: operators only: `flatMap` over futures that can be cancelled, started by the first request
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
