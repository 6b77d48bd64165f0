import Combine

/// A publisher for one request, which tells its result to the function that it is given.
public func coldFuture(
    _ request: @escaping (@escaping (Result<String, any Error>) -> Void) -> Void
) -> AnyPublisher<String, any Error> {
    Deferred { Future(request) }
        .eraseToAnyPublisher()
}
