import Combine
import Foundation
import KataSupport
import Testing

@Suite(.ownProcess) struct SlowSubscriberTests {
    private let subscriber = KataSupport.SlowSubscriber<Int, Never>()

    @Test(.enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1))
    func callsOfTwoThreadsMeet() async throws {
        try await KataSupport.inParallel {
            for number in 0..<2 { Task { [subscriber] in _ = subscriber.receive(number) } }
            try await subscriber.calls.until(count: 4)
        }
        #expect(subscriber.calls.events == ["called", "called", "returned", "returned"])
    }

    @Test func aCallThatNoOtherCanMeetReturns() async throws {
        let lock = NSLock()
        try await KataSupport.inParallel {
            for number in 0..<10 { Task { [subscriber] in lock.withLock { _ = subscriber.receive(number) } } }
            try await subscriber.calls.until(count: 20)
        }
        #expect(subscriber.calls.events == Array(repeating: ["called", "returned"], count: 10).flatMap { $0 })
    }
}
