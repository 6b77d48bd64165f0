// right: makes the `Future` for a value that each subscriber gets
import Combine

public func coldFuture(
    _ request: @escaping (@escaping (Result<String, any Error>) -> Void) -> Void
) -> AnyPublisher<String, any Error> {
    Just(())
        .setFailureType(to: (any Error).self)
        .flatMap { Future(request) }
        .eraseToAnyPublisher()
}
