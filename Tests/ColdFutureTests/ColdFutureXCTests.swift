import ColdFuture
import Combine
import KataSupport
import XCTest

final class ColdFutureXCTests: XCTestCase {
    func testEachSubscriptionMakesItsOwnRequest() async throws {
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let requests = KataSupport.Log<String>()
        let publisher = coldFuture { answer in
            requests.record("request")
            answer(requests.events.count > 1 ? .success(name) : .failure(KataSupport.Failure("offline")))
        }
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>()
        publisher.retry(1).subscribe(subscriber)
        try await subscriber.ended()
        try KataSupport.expect(subscriber.history, equals: [name, "|"])
    }
}
