import Combine
import Doubled
import KataSupport
import Testing

@Suite(.ownProcess) struct DoubledTests {
    @Test func cancellingReachesTheUpstream() async throws {
        let numbers = KataSupport.ProbePublisher<Int, Never>()
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        Doubled(numbers).subscribe(subscriber)
        try await numbers.subscribed()
        subscriber.cancel()
        try await numbers.cancelled()
    }
}
