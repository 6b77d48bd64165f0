import AsyncMap
import Combine
import KataSupport
import XCTest

final class AsyncMapXCTests: XCTestCase {
    typealias Failure = KataSupport.Failure

    func testAThrownErrorFailsThePipeline() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { _ -> Int in throw Failure("offline") }.subscribe(subscriber)
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["x offline"])
        try KataSupport.expect(subscriber.result, throws: Failure("offline"))
    }

    func testCompletionWaitsForTheWorkInFlight() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        await KataSupport.settle()
        // In a task of its own, as it may block.
        Task { publisher.send(1) }
        await KataSupport.settle()
        publisher.send(completion: .finished)
        await KataSupport.settle()
        let early = subscriber.history
        gate.open()
        try KataSupport.expect(early, equals: [])
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["1", "|"])
    }

    func testCancellingCancelsTheUpstream() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.asyncMap { $0 }
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        await KataSupport.settle()
        subscription.cancel()
        try await publisher.cancelled()
    }
}
