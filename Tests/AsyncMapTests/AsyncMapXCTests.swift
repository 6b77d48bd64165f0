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
        let gates = [KataSupport.Gate(), KataSupport.Gate()]
        defer { gates.forEach { $0.open() } }
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                await gates[value].passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        await KataSupport.settle()
        for value in 0...1 {
            // In a task of its own, as it may block.
            Task { publisher.send(value) }
            await KataSupport.settle()
        }
        publisher.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: [])
        gates[0].open()
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["0"])
        gates[1].open()
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["0", "1", "|"])
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
