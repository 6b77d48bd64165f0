import AsyncMap
import Combine
import KataSupport
import XCTest

final class AsyncMapXCTests: XCTestCase {
    func testAThrownErrorFailsThePipeline() async throws {
        let failure = KataSupport.Failure("offline")
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { _ -> Int in throw failure }.subscribe(subscriber)
        try await publisher.sendWhenAsked(1)
        try await subscriber.ended()
        try KataSupport.expect(subscriber.result, throws: failure)
    }

    func testCompletionWaitsForTheWorkInFlight() async throws {
        let gate = KataSupport.Gate()
        let value = expectation(description: "a value")
        let finished = expectation(description: "finished")
        let subscription = Just(1)
            .asyncMap { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .sink(receiveCompletion: { _ in finished.fulfill() }, receiveValue: { _ in value.fulfill() })
        defer { subscription.cancel() }
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        await fulfillment(of: [value, finished], timeout: 0.1, enforceOrder: true)
    }

    func testCancellingCancelsTheUpstream() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.asyncMap { $0 }
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        try await publisher.subscribed()
        subscription.cancel()
        try await publisher.cancelled()
    }
}
