import Combine

extension Publisher {
    /// Transforms each value with an asynchronous function. The transforms run at the same time, and their results arrive in the
    /// order in which they end.
    ///
    /// The first error ends the pipeline and cancels the transforms that still run; so does a cancellation.
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        mapError { $0 as Error }
            .flatMap { value in
                // `Future` starts at once, so that it is made only when `flatMap` subscribes to it.
                Deferred {
                    let task = Task { try await transform(value) }
                    return Future { promise in
                        Task { promise(await task.result) }
                    }
                    .handleEvents(receiveCancel: { task.cancel() })
                }
            }
            .eraseToAnyPublisher()
    }
}
