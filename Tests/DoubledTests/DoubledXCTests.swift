import Combine
import Doubled
import KataSupport
import XCTest

final class DoubledXCTests: XCTestCase {
    /// A cancellation takes time to reach what sends: values may be on their way.
    func testNothingArrivesAfterCancelling() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let sent = values.integers(2)
        let numbers = KataSupport.ProbePublisher<Int, Never>(.ignoresTheEnd)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        Doubled(numbers).subscribe(subscriber)
        try await numbers.subscribed()
        numbers.send(sent[0])
        subscriber.cancel()
        numbers.send(sent[1])
        numbers.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["\(sent[0] * 2)"])
    }
}
