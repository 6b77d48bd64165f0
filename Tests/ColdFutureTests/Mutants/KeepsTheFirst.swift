// mutant: waits for the first subscriber, and gives its result to all others
// fails: ColdFutureXCTests/testEachSubscriptionMakesItsOwnRequest
// hint: ColdFutureXCTests/testEachSubscriptionMakesItsOwnRequest own
import Combine

public func coldFuture(
    _ request: @escaping (@escaping (Result<String, any Error>) -> Void) -> Void
) -> AnyPublisher<String, any Error> {
    var kept: Future<String, any Error>?
    return Deferred {
        let future = kept ?? Future(request)
        kept = future
        return future
    }
    .eraseToAnyPublisher()
}
