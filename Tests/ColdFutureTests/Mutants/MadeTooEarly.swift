// mutant: `Deferred` hands out a `Future` that exists already
// fails: ColdFutureTests/nothingStartsBeforeSomebodySubscribes()
// fails: ColdFutureXCTests/testEachSubscriptionMakesItsOwnRequest
// hint: ColdFutureTests/nothingStartsBeforeSomebodySubscribes() starts
import Combine

public func coldFuture(
    _ request: @escaping (@escaping (Result<String, any Error>) -> Void) -> Void
) -> AnyPublisher<String, any Error> {
    let future = Future(request)
    return Deferred { future }
        .eraseToAnyPublisher()
}
