import AsyncSequencePublisher
import Combine
import KataSupport
import XCTest

final class AsyncSequencePublisherXCTests: XCTestCase {
    func testAThrownErrorFailsThePipeline() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        await Source(numbers, failure: KataSupport.Failure("offline")).connect(subscriber)
        defer { subscriber.cancel() }
        try KataSupport.expect(subscriber.history, equals: numbers.map { "\($0)" } + ["x offline"])
        try KataSupport.expect(subscriber.result, throws: KataSupport.Failure("offline"))
    }

    func testCancellingCancelsTheIteration() async throws {
        let work = KataSupport.CancellationProbe()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        await Source([1]) { _ in try await work.run() }.connect(subscriber)
        try await work.started()
        await step { subscriber.cancel() }
        try await work.cancelled()
    }
}
