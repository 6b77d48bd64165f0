// mutant: makes the request for the first subscriber before there is one
// fails: ColdFutureTests/nothingStartsBeforeSomebodySubscribes()
// hint: ColdFutureTests/nothingStartsBeforeSomebodySubscribes() starts
import Combine

public func coldFuture(
    _ request: @escaping (@escaping (Result<String, any Error>) -> Void) -> Void
) -> AnyPublisher<String, any Error> {
    var first: Future<String, any Error>? = Future(request)
    return Deferred {
        defer { first = nil }
        return first ?? Future(request)
    }
    .eraseToAnyPublisher()
}
