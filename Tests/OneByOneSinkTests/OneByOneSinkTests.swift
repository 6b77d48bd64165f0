import Combine
import Foundation
import KataSupport
import OneByOneSink
import Synchronization
import Testing

/// How a completion is shown in a history.
func text(of completion: Subscribers.Completion<KataSupport.Failure>) -> String {
    switch completion {
    case .finished: "|"
    case .failure(let failure): "x \(failure.name)"
    }
}

@Suite(.ownProcess) struct OneByOneSinkTests {
    typealias Failure = KataSupport.Failure

    let notification = Notification.Name("next-\(UUID())")
    let history = KataSupport.Log<String>()

    func postNotification() {
        NotificationCenter.default.post(name: notification, object: nil)
    }

    /// In a task of its own: an answer that blocks the thread would stop the test.
    func send(_ value: Int, from publisher: KataSupport.ProbePublisher<Int, Failure>) async {
        Task { publisher.send(value) }
        await KataSupport.settle()
    }

    func sink() -> Subscribers.OneByOneSink<Int, Failure> { sink(recordingIn: history) }

    /// A sink whose values, `|` for the end and `x` for a failure are recorded.
    func sink(recordingIn history: KataSupport.Log<String>) -> Subscribers.OneByOneSink<Int, Failure> {
        Subscribers.OneByOneSink(
            notificationName: notification, receiveCompletion: { history.record(text(of: $0)) },
            receiveValue: { history.record("\($0)") })
    }

    /// Posts and sends alternately, each when all that the step before has set off is done.
    private func answer(_ values: [Int], from publisher: KataSupport.ProbePublisher<Int, Failure>) async {
        for value in values {
            await KataSupport.settle()
            await send(value, from: publisher)
            postNotification()
        }
        await KataSupport.settle()
    }

    // MARK: - Core

    @Test func theValueIsHandedOver() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        await send(number, from: publisher)
        try KataSupport.expect(history.events, equals: ["\(number)"])
        // Nothing more is asked for before the notification.
        try await KataSupport.inCase("request") { try KataSupport.expect(publisher.asked, equals: .max(1)) }
        sink.cancel()
    }

    @Test func eachNotificationAsksForOneMore() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await answer([numbers[0]], from: publisher)
        try await KataSupport.inCase("once") { try KataSupport.expect(publisher.asked, equals: .max(2)) }
        await answer(Array(numbers.dropFirst()), from: publisher)
        try await KataSupport.inCase("again") {
            try KataSupport.expect(history.events, equals: numbers.map { "\($0)" })
        }
        sink.cancel()
    }

    @Test func takingAValueDoesNotBlockTheThread() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        try await KataSupport.expectNoBlockedThread { await send(1, from: publisher) }
        try KataSupport.expect(history.events, equals: ["1"])
        sink.cancel()
    }

    // MARK: - Notifications

    @Test func aNotificationWithoutAValueAddsNoDemand() async throws {
        try await KataSupport.inCase("send, post, post") {
            let publisher = KataSupport.ProbePublisher<Int, Failure>()
            let sink = sink()
            publisher.subscribe(sink)
            await answer([1], from: publisher)
            postNotification()
            await KataSupport.settle()
            try KataSupport.expect(publisher.asked, equals: .max(2))
            sink.cancel()
        }
        try await KataSupport.inCase("post, send") {
            let publisher = KataSupport.ProbePublisher<Int, Failure>()
            let sink = sink()
            publisher.subscribe(sink)
            await KataSupport.settle()
            postNotification()
            await KataSupport.settle()
            await send(1, from: publisher)
            try KataSupport.expect(publisher.asked, equals: .max(1))
            sink.cancel()
        }
    }

    @Test func aNotificationInsideReceiveValueCounts() async throws {
        func asked(posting count: Int) async -> Subscribers.Demand {
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let subscription = publisher.oneByOneSink(notification) { [notification] _ in
                for _ in 1...count { NotificationCenter.default.post(name: notification, object: nil) }
            }
            await KataSupport.settle()
            // In a task of its own: a lock that is held would stop the test.
            Task { publisher.send(1) }
            await KataSupport.settle()
            let asked = publisher.asked
            Task { subscription.cancel() }
            await KataSupport.settle()
            return asked
        }
        try KataSupport.expect(await asked(posting: 1), equals: .max(2))
        let (expected, twice) = (Subscribers.Demand.max(2), await asked(posting: 2))
        if twice != expected { throw KataSupport.Mismatch(expected: "\(expected)", actual: "\(twice)") }
    }

    @Test func anUpstreamMaySendInsideTheRequest() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        nonisolated(unsafe) let sink = sink()
        Task { numbers.publisher.setFailureType(to: Failure.self).subscribe(sink) }
        await KataSupport.settle()
        // A sink that waits for its own lock is told from one that forgets a value.
        try await KataSupport.expectNoBlockedThread {
            for _ in numbers {
                Task { [notification] in NotificationCenter.default.post(name: notification, object: nil) }
                await KataSupport.settle()
            }
        }
        let events = history.events
        Task { sink.cancel() }
        await KataSupport.settle()
        // In which order the last value and the end arrive is asked below.
        try KataSupport.expect(events.filter { $0 != "|" }, equals: numbers.map { "\($0)" })
        try KataSupport.expect(events.filter { $0 == "|" }, equals: ["|"])
    }

    // MARK: - Threads

    // What does not meet: values and completions, which a publisher sends one after the other; a subscription and a
    // cancellation, since a sink is cancelled by the code that has subscribed it, and only once.

    /// A sink and a publisher that goes on after the end. They share nothing with those of other tries.
    private final class Pair: Sendable {
        let publisher = KataSupport.ProbePublisher<Int, Failure>(.ignoresTheEnd)
        let history = KataSupport.Log<String>()
        private let suite = OneByOneSinkTests()
        nonisolated(unsafe) private let sink: Subscribers.OneByOneSink<Int, Failure>

        init() { sink = suite.sink(recordingIn: history) }

        func subscribe() { publisher.subscribe(sink) }
        func post() { suite.postNotification() }
        func cancel() { sink.cancel() }
    }

    /// A sink that has asked for a value, and has got it.
    private static func pair(hasValue: Bool = true) async -> Pair {
        let pair = Pair()
        pair.subscribe()
        await KataSupport.settle()
        if hasValue { pair.publisher.send(1) }
        await KataSupport.settle()
        return pair
    }

    private static func expectNothingMore(in pair: Pair, sending value: Int?) async throws {
        let (asked, history) = (pair.publisher.asked, pair.history.events)
        if let value { pair.publisher.send(value) }
        pair.post()
        await KataSupport.settle()
        try KataSupport.expect(pair.publisher.asked, equals: asked)
        try KataSupport.expect(pair.history.events, equals: history)
    }

    @Test func notificationsFromTwoThreadsCountOnce() async throws {
        // An answer that looks at a notification on a queue does so before the value comes, or after it.
        try await KataSupport.inCase("post, send") {
            try await KataSupport.explore { race in
                let pair = await Self.pair(hasValue: false)
                try await race.threads({
                    pair.post()
                    pair.publisher.send(1)
                })
                try KataSupport.expect(pair.publisher.asked, equals: .max(1))
                pair.cancel()
            }
        }
        try await KataSupport.explore { race in
            let pair = await Self.pair()
            try await race.threads({ pair.post() }, { pair.post() })
            try KataSupport.expect(pair.publisher.asked, equals: .max(2))
            pair.cancel()
        }
        // One that comes with the value answers it, or comes too early.
        try await KataSupport.explore { race in
            let pair = await Self.pair(hasValue: false)
            try await race.threads({ pair.publisher.send(1) }, { pair.post() })
            pair.post()
            await KataSupport.settle()
            try KataSupport.expect(pair.history.events, equals: ["1"])
            try KataSupport.expect(pair.publisher.asked, equals: .max(2))
            pair.cancel()
        }
        try await KataSupport.explore { race in
            let pair = Pair()
            try await race.threads({ pair.subscribe() }, { pair.post() })
            try KataSupport.expect(pair.publisher.asked, equals: .max(1))
            pair.cancel()
        }
    }

    @Test func theEndMayMeetANotification() async throws {
        try await KataSupport.explore { race in
            let pair = await Self.pair()
            try await race.threads({ pair.post() }, { pair.cancel() })
            try KataSupport.expect(pair.publisher.cancellations, equals: 1)
            try await Self.expectNothingMore(in: pair, sending: 2)
        }
        try await KataSupport.explore { race in
            let pair = await Self.pair(hasValue: false)
            try await race.threads({ pair.publisher.send(1) }, { pair.cancel() })
            try KataSupport.expect(pair.publisher.cancellations, equals: 1)
            try KataSupport.expect(pair.history.events.joined(separator: ", "), isOneOf: ["", "1"])
            try await Self.expectNothingMore(in: pair, sending: 2)
        }
        try await KataSupport.inCase("finished") {
            try await KataSupport.explore { race in
                let pair = await Self.pair()
                try await race.threads({ pair.publisher.send(completion: .finished) }, { pair.post() })
                try KataSupport.expect(pair.history.events, equals: ["1", "|"])
                try await Self.expectNothingMore(in: pair, sending: nil)
            }
            try await KataSupport.explore { race in
                let pair = await Self.pair()
                try await race.threads({ pair.publisher.send(completion: .finished) }, { pair.cancel() })
                try KataSupport.expect(pair.history.events.joined(separator: ", "), isOneOf: ["1", "1, |"])
                try await Self.expectNothingMore(in: pair, sending: nil)
            }
        }
    }

    // MARK: - Completion

    @Test func theCompletionDoesNotWaitForTheNotification() async throws {
        let histories = [history, KataSupport.Log<String>()]
        let publishers = histories.map { _ in KataSupport.ProbePublisher<Int, Failure>() }
        let sink = sink(recordingIn: histories[0])
        publishers[0].subscribe(sink)
        let subscription = publishers[1].oneByOneSink(
            notification, receiveCompletion: { histories[1].record(text(of: $0)) },
            receiveValue: { histories[1].record("\($0)") })
        await KataSupport.settle()
        for publisher in publishers {
            await send(1, from: publisher)
            publisher.send(completion: .finished)
        }
        await KataSupport.settle()
        for history in histories { try KataSupport.expect(history.events, equals: ["1", "|"]) }
        sink.cancel()
        subscription.cancel()
        try await KataSupport.inCase("order") { try await expectOrder() }
    }

    /// The completion does not overtake a value.
    private func expectOrder() async throws {
        let history = KataSupport.Log<String>()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let received = DispatchSemaphore(value: 0)
        let sink = Subscribers.OneByOneSink<Int, Failure>(
            notificationName: notification, receiveCompletion: { history.record(text(of: $0)) },
            receiveValue: {
                received.wait()
                history.record("\($0)")
            })
        publisher.subscribe(sink)
        await KataSupport.settle()
        // While `receiveValue` is running, everything else that can happen does.
        Thread.detachNewThread {
            publisher.send(1)
            publisher.send(completion: .finished)
        }
        await KataSupport.settle()
        received.signal()
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["1", "|"])
        sink.cancel()
    }

    // MARK: - Cancellation

    @Test func nothingHappensAfterTheEnd() async throws {
        try await KataSupport.inCase("cancel") { try await expectNoDemand { sink, _ in sink.cancel() } }
        try await KataSupport.inCase("finished") {
            try await expectNoDemand { _, publisher in publisher.send(completion: .finished) }
        }
        try await KataSupport.inCase("failed") {
            try await expectNoDemand { _, publisher in publisher.send(completion: .failure(Failure("offline"))) }
        }
        // A value that is on its way when the sink is cancelled, whether it was asked for or not.
        try await KataSupport.inCase("send") {
            for isAsked in [false, true] {
                let history = KataSupport.Log<String>()
                let publisher = KataSupport.ProbePublisher<Int, Failure>(.ignoresTheEnd)
                let sink = sink(recordingIn: history)
                publisher.subscribe(sink)
                await KataSupport.settle()
                await send(1, from: publisher)
                if isAsked { postNotification() }
                await KataSupport.settle()
                sink.cancel()
                await KataSupport.settle()
                publisher.send(2)
                await KataSupport.settle()
                try KataSupport.expect(history.events, equals: ["1"])
            }
        }
    }

    private func expectNoDemand(
        after end: (Subscribers.OneByOneSink<Int, Failure>, KataSupport.ProbePublisher<Int, Failure>) -> Void
    ) async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        await send(1, from: publisher)
        end(sink, publisher)
        await KataSupport.settle()
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        sink.cancel()
    }

    private final class CountingSubscription: Subscription {
        let demand = Atomic<Int>(0)

        func request(_ demand: Subscribers.Demand) { self.demand.add(demand.max ?? 1_000_000, ordering: .relaxed) }
        func cancel() {}
    }

    @Test func cancellingInsideReceiveValueAsksForNothing() async throws {
        for (postsBefore, postsAfter) in [(false, false), (false, true), (true, false)] {
            let subscription = CountingSubscription()
            var own: Subscribers.OneByOneSink<Int, Failure>?
            nonisolated(unsafe) let sink = Subscribers.OneByOneSink<Int, Failure>(
                notificationName: notification, receiveCompletion: { _ in },
                receiveValue: { [notification] _ in
                    if postsBefore { NotificationCenter.default.post(name: notification, object: nil) }
                    own?.cancel()
                    if postsAfter { NotificationCenter.default.post(name: notification, object: nil) }
                })
            own = sink
            sink.receive(subscription: subscription)
            await KataSupport.settle()
            let returned = try await KataSupport.withDeadline { sink.receive(1) }
            await KataSupport.settle()
            own = nil
            try KataSupport.expect(returned, equals: Subscribers.Demand.none)
            // What was posted before the cancellation may have been answered with a request before it.
            guard !postsBefore else { continue }
            try KataSupport.expect(.max(subscription.demand.load(ordering: .relaxed)), equals: .max(1))
        }
    }

    // MARK: - Memory

    @Test func nothingIsKeptAliveAfterTheEnd() async throws {
        try await KataSupport.inCase("cancel") { try await expectRelease { _, subscription in subscription.cancel() } }
        try await KataSupport.inCase("finished") {
            try await expectRelease { publisher, _ in publisher.send(completion: .finished) }
        }
        try await KataSupport.inCase("failed") {
            try await expectRelease { publisher, _ in publisher.send(completion: .failure(Failure("offline"))) }
        }
        try await KataSupport.inCase("cancel, upstream") {
            try await expectUpstreamRelease { sink, _ in sink.cancel() }
        }
        try await KataSupport.inCase("finished, upstream") {
            try await expectUpstreamRelease { _, publisher in publisher.send(completion: .finished) }
        }
        try await KataSupport.inCase("failed, upstream") {
            try await expectUpstreamRelease { _, publisher in
                publisher.send(completion: .failure(Failure("offline")))
            }
        }
    }

    /// What the closures hold, and the sink itself, are released when the pipeline has ended and its subscription is let go.
    private func expectRelease(
        after end: (KataSupport.ProbePublisher<Int, Failure>, AnyCancellable) -> Void
    ) async throws {
        let probe = KataSupport.LeakProbe()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        weak var releasedSink: Subscribers.OneByOneSink<Int, Failure>?
        do {
            let sink = Subscribers.OneByOneSink<Int, Failure>(
                notificationName: notification, receiveCompletion: { [token = probe.token()] _ in _ = token },
                receiveValue: { [token = probe.token()] _ in _ = token })
            releasedSink = sink
            publisher.subscribe(sink)
            await answer([1], from: publisher)
            try await publisher.asked(for: .max(1))
            end(publisher, AnyCancellable(sink))
            await KataSupport.settle()
        }
        try await probe.released()
        try await KataSupport.expectReleased { releasedSink }
    }

    /// A sink that has ended and is still there does not keep its upstream.
    private func expectUpstreamRelease(
        after end: (Subscribers.OneByOneSink<Int, Failure>, KataSupport.ProbePublisher<Int, Failure>) -> Void
    ) async throws {
        let probe = KataSupport.LeakProbe()
        let sink = Subscribers.OneByOneSink<Int, Failure>(
            notificationName: notification, receiveCompletion: { _ in }, receiveValue: { _ in })
        do {
            let publisher = KataSupport.ProbePublisher<Int, Failure>(holding: probe.token())
            publisher.subscribe(sink)
            await KataSupport.settle()
            try await publisher.asked(for: .max(1))
            end(sink, publisher)
        }
        try await probe.released()
        withExtendedLifetime(sink) {}
    }
}
