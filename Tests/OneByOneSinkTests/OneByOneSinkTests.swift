import Combine
import Foundation
import KataSupport
import OneByOneSink
import Testing

@Suite(.ownProcess) struct OneByOneSinkTests {
    typealias Failure = KataSupport.Failure

    let notification = Notification.Name("next-\(UUID())")
    let history = KataSupport.Log<String>()

    func postNotification() {
        NotificationCenter.default.post(name: notification, object: nil)
    }

    /// A sink whose values, `|` for the end and `x` for a failure are recorded.
    func sink() -> Subscribers.OneByOneSink<Int, Failure> {
        Subscribers.OneByOneSink(
            notificationName: notification,
            receiveCompletion: { [history] completion in
                switch completion {
                case .finished: history.record("|")
                case .failure(let failure): history.record("x \(failure.name)")
                }
            },
            receiveValue: { [history] in history.record("\($0)") })
    }

    /// Posts and sends alternately, each when all that the step before has set off is done.
    private func answer(_ values: [Int], from publisher: KataSupport.ProbePublisher<Int, Failure>) async {
        for value in values {
            await KataSupport.settle()
            publisher.send(value)
            await KataSupport.settle()
            postNotification()
        }
        await KataSupport.settle()
    }

    // MARK: - Core

    @Test func asksForOneValue() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        sink.cancel()
    }

    @Test func theValueIsHandedOver() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(number)
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["\(number)"])
        sink.cancel()
    }

    @Test func nothingIsAskedForBeforeTheNotification() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        sink.cancel()
    }

    @Test func asksForTheNextAfterTheNotification() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await answer([1], from: publisher)
        try KataSupport.expect(publisher.asked, equals: .max(2))
        sink.cancel()
    }

    @Test func eachNotificationAsksForOneMore() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await answer(numbers, from: publisher)
        try KataSupport.expect(history.events, equals: numbers.map { "\($0)" })
        sink.cancel()
    }

    // MARK: - Notifications

    @Test func aSecondNotificationAddsNoDemand() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await answer([1], from: publisher)
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(2))
        sink.cancel()
    }

    @Test func aNotificationBeforeTheValueAddsNoDemand() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        postNotification()
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        sink.cancel()
    }

    @Test func aNotificationInsideReceiveValueCounts() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.oneByOneSink(notification) { [notification] _ in
            NotificationCenter.default.post(name: notification, object: nil)
        }
        await KataSupport.settle()
        // In a task of its own: a lock that is held would stop the test.
        Task { publisher.send(1) }
        await KataSupport.settle()
        let asked = publisher.asked
        Task { subscription.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(asked, equals: .max(2))
    }

    @Test func anUpstreamMaySendInsideTheRequest() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        nonisolated(unsafe) let sink = sink()
        Task { numbers.publisher.setFailureType(to: Failure.self).subscribe(sink) }
        await KataSupport.settle()
        for _ in numbers {
            Task { [notification] in NotificationCenter.default.post(name: notification, object: nil) }
            await KataSupport.settle()
        }
        let events = history.events
        Task { sink.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(events, equals: numbers.map { "\($0)" } + ["|"])
    }

    @Test func notificationsFromTwoThreadsCountOnce() async throws {
        let rounds = 100
        let racers = KataSupport.Racers(2)
        let returned = KataSupport.Observed(0)
        // A request takes until the other thread is through, so that they meet half-way.
        let publisher = KataSupport.ProbePublisher<Int, Failure>(whenRequested: {
            for _ in 0..<100 where returned.value.isMultiple(of: 2) { sched_yield() }
        })
        let sink = sink()
        publisher.subscribe(sink)
        for round in 1...rounds {
            try await publisher.sendWhenAsked(round)
            await KataSupport.settle()
            try await racers.race { _ in
                postNotification()
                returned.update { $0 += 1 }
            }
        }
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(rounds + 1))
        sink.cancel()
    }

    @Test func cancellingDuringANotificationAsksForNothing() async throws {
        let racers = KataSupport.Racers(2)
        for _ in 0..<500 {
            let publisher = KataSupport.ProbePublisher<Int, Failure>()
            nonisolated(unsafe) let sink = sink()
            publisher.subscribe(sink)
            try await publisher.sendWhenAsked(1)
            try await racers.race { thread in
                if thread == 0 { postNotification() } else { sink.cancel() }
            }
            try await publisher.cancelled()
        }
    }

    // MARK: - Completion

    @Test func theCompletionDoesNotWaitForTheNotification() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        publisher.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["1", "|"])
        sink.cancel()
    }

    @Test func theCompletionArrivesOnce() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>(.ignoresTheEnd)
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(completion: .finished)
        await KataSupport.settle()
        publisher.send(completion: .failure(Failure("late")))
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["|"])
        sink.cancel()
    }

    @Test func nothingIsAskedForAfterTheCompletion() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        publisher.send(completion: .finished)
        await KataSupport.settle()
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        sink.cancel()
    }

    @Test func valuesAfterTheCompletionAreIgnored() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>(.ignoresTheEnd)
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        publisher.send(completion: .finished)
        await KataSupport.settle()
        publisher.send(2)
        await KataSupport.settle()
        try KataSupport.expect(history.events.filter { $0 != "|" }, equals: ["1"])
        sink.cancel()
    }

    // MARK: - Cancellation

    @Test func nothingIsAskedForAfterCancelling() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        sink.cancel()
        await KataSupport.settle()
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        withExtendedLifetime(sink) {}
    }

    @Test func valuesAfterCancellingAreIgnored() async throws {
        try await expectNothing(afterCancelling: { $0.send(2) })
    }

    @Test func completionsAfterCancellingAreIgnored() async throws {
        try await expectNothing(afterCancelling: { $0.send(completion: .finished) })
    }

    private func expectNothing(
        afterCancelling act: (KataSupport.ProbePublisher<Int, Failure>) -> Void
    ) async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>(.ignoresTheEnd)
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        publisher.send(1)
        await KataSupport.settle()
        sink.cancel()
        await KataSupport.settle()
        act(publisher)
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["1"])
    }

    // MARK: - Memory

    @Test func nothingIsKeptAliveAfterTheCompletion() async throws {
        try await expectRelease { publisher, _ in publisher.send(completion: .finished) }
    }

    @Test func nothingIsKeptAliveAfterAFailure() async throws {
        try await expectRelease { publisher, _ in publisher.send(completion: .failure(Failure("offline"))) }
    }

    @Test func nothingIsKeptAliveAfterCancelling() async throws {
        try await expectRelease { _, subscription in subscription.cancel() }
    }

    /// What the closures hold is released when the pipeline has ended and its subscription is let go.
    private func expectRelease(
        after end: (KataSupport.ProbePublisher<Int, Failure>, AnyCancellable) -> Void
    ) async throws {
        let probe = KataSupport.LeakProbe()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        do {
            let subscription = publisher.oneByOneSink(
                notification, receiveCompletion: { [token = probe.token()] _ in _ = token },
                receiveValue: { [token = probe.token()] _ in _ = token })
            await answer([1], from: publisher)
            try KataSupport.expect(publisher.subscriptions, equals: 1)
            end(publisher, subscription)
            await KataSupport.settle()
        }
        try await probe.released()
    }
}
