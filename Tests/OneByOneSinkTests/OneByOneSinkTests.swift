import Combine
import Foundation
import KataSupport
import OneByOneSink
import Testing

@Suite(.ownProcess) struct OneByOneSinkTests {
    let notification = Notification.Name("next-\(UUID())")
    let received = KataSupport.Log<Int>()

    func postNotification() {
        NotificationCenter.default.post(name: notification, object: nil)
    }

    /// Records values, `|` for the end and `x` for a failure.
    func sink(recordingInto history: KataSupport.Log<String>) -> Subscribers.OneByOneSink<Int, KataSupport.Failure> {
        Subscribers.OneByOneSink(
            notificationName: notification,
            receiveCompletion: { completion in
                switch completion {
                case .finished: history.record("|")
                case .failure(let failure): history.record("x \(failure.name)")
                }
            },
            receiveValue: { history.record("\($0)") })
    }

    // MARK: - Core

    @Test func asksForOneValue() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { _ in }
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        subscription.cancel()
    }

    @Test func asksForTheNextAfterTheNotification() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { [received] in received.record($0) }
        try await publisher.sendWhenAsked(numbers[0])
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        postNotification()
        try await publisher.sendWhenAsked(numbers[1])
        try KataSupport.expect(received.events, equals: numbers)
        subscription.cancel()
    }

    // MARK: - Notifications

    @Test func aSecondNotificationAddsNoDemand() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { _ in }
        try await publisher.sendWhenAsked(1)
        postNotification()
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(2))
        subscription.cancel()
    }

    @Test func aNotificationBeforeTheValueAddsNoDemand() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { _ in }
        await KataSupport.settle()
        postNotification()
        await KataSupport.settle()
        try await publisher.sendWhenAsked(1)
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        subscription.cancel()
    }

    @Test func aNotificationInsideReceiveValueCounts() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let subscription = numbers.publisher.oneByOneSink(notification) { [received, notification] value in
            received.record(value)
            NotificationCenter.default.post(name: notification, object: nil)
        }
        await KataSupport.settle()
        try KataSupport.expect(received.events, equals: numbers)
        subscription.cancel()
    }

    @Test func notificationsFromManyThreadsCountOnce() async throws {
        let threads = 4
        let returned = KataSupport.Observed(0)
        // A request takes until the other threads are through, so that they meet it half-way.
        let publisher = KataSupport.ProbePublisher<Int, Never>(whenRequested: {
            for _ in 0..<500 where returned.value % threads < threads - 1 { sched_yield() }
        })
        let subscription = publisher.oneByOneSink(notification) { _ in }
        for round in 1...10 {
            try await publisher.sendWhenAsked(round)
            try await KataSupport.onThreads(threads) { _ in
                postNotification()
                returned.update { $0 += 1 }
            }
            await KataSupport.settle()
            try KataSupport.expect(publisher.asked, equals: .max(round + 1))
        }
        subscription.cancel()
    }

    // MARK: - Completion

    @Test func theCompletionArrivesOnce() async throws {
        let history = KataSupport.Log<String>()
        let publisher = KataSupport.ProbePublisher<Int, KataSupport.Failure>(.ignoresTheEnd)
        let sink = sink(recordingInto: history)
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(completion: .finished)
        publisher.send(completion: .failure(KataSupport.Failure("late")))
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["|"])
        sink.cancel()
    }

    @Test func nothingIsAskedForAfterTheCompletion() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { _ in }
        try await publisher.sendWhenAsked(1)
        publisher.send(completion: .finished)
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        subscription.cancel()
    }

    @Test func valuesAfterTheCompletionAreIgnored() async throws {
        let history = KataSupport.Log<String>()
        let publisher = KataSupport.ProbePublisher<Int, KataSupport.Failure>(.ignoresTheEnd)
        let sink = sink(recordingInto: history)
        publisher.subscribe(sink)
        try await publisher.sendWhenAsked(1)
        publisher.send(completion: .finished)
        publisher.send(2)
        await KataSupport.settle()
        try KataSupport.expect(history.events.filter { $0 != "|" }, equals: ["1"])
        sink.cancel()
    }

    // MARK: - Cancellation

    @Test func nothingIsAskedForAfterCancelling() async throws {
        let publisher = KataSupport.ProbePublisher<Int, KataSupport.Failure>()
        let sink = sink(recordingInto: KataSupport.Log())
        publisher.subscribe(sink)
        try await publisher.sendWhenAsked(1)
        sink.cancel()
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        withExtendedLifetime(sink) {}
    }

    @Test func nothingArrivesAfterCancelling() async throws {
        let history = KataSupport.Log<String>()
        let publisher = KataSupport.ProbePublisher<Int, KataSupport.Failure>(.ignoresTheEnd)
        let sink = sink(recordingInto: history)
        publisher.subscribe(sink)
        try await publisher.sendWhenAsked(1)
        await KataSupport.settle()
        sink.cancel()
        publisher.send(2)
        publisher.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["1"])
    }
}
