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
        await send(number, from: publisher)
        try KataSupport.expect(history.events, equals: ["\(number)"])
        sink.cancel()
    }

    @Test func nothingIsAskedForBeforeTheNotification() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        await send(1, from: publisher)
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
        await send(1, from: publisher)
        try KataSupport.expect(publisher.asked, equals: .max(1))
        sink.cancel()
    }

    @Test func aNotificationJustBeforeTheValueAddsNoDemand() async throws {
        // An answer that looks at a notification on a queue is quick enough now and then.
        for _ in 1...20 {
            let publisher = KataSupport.ProbePublisher<Int, Failure>()
            let sink = sink()
            publisher.subscribe(sink)
            await KataSupport.settle()
            // On the main actor: what an answer leaves to the main queue comes after the value.
            Task { @MainActor [self] in
                postNotification()
                publisher.send(1)
            }
            await KataSupport.settle()
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
        try KataSupport.expect(events, equals: numbers.map { "\($0)" } + ["|"])
    }

    /// Counts only, so that threads come through it fast and meet often.
    private final class CountingSubscription: Subscription {
        let demand = Atomic<Int>(0)
        let cancellations = Atomic<Int>(0)

        func request(_ demand: Subscribers.Demand) { self.demand.add(demand.max ?? 1_000_000, ordering: .relaxed) }
        func cancel() { cancellations.add(1, ordering: .relaxed) }
    }

    /// Sinks that listen to the same notification: one post reaches them one after the other, so that two threads that post
    /// catch up with each other and meet in many sinks. Each has a value that waits for its answer.
    private func subscribeMany() async throws -> [(Subscribers.OneByOneSink<Int, Failure>, CountingSubscription)] {
        let pairs = (0..<6).map { _ in
            (
                Subscribers.OneByOneSink<Int, Failure>(
                    notificationName: notification, receiveCompletion: { _ in }, receiveValue: { _ in }),
                CountingSubscription()
            )
        }
        for (sink, subscription) in pairs { sink.receive(subscription: subscription) }
        await KataSupport.settle()
        nonisolated(unsafe) let first = pairs[0]
        try await KataSupport.expectNoBlockedThread {
            Task { first.1.request(first.0.receive(1)) }
            await KataSupport.settle()
        }
        for (sink, subscription) in pairs.dropFirst() { subscription.request(sink.receive(1)) }
        await KataSupport.settle()
        return pairs
    }

    /// Lets two threads go on at the same moment. In each round, one that comes alone waits for the other only so often.
    private final class MeetingPoints: Sendable {
        private let points: [Point]
        private let patience = Atomic<Int>(0)
        private let isReached = Atomic<Bool>(false)

        private final class Point: Sendable {
            let arrivals = Atomic<Int>(0)
        }

        init(_ count: Int) { points = (0..<count).map { _ in Point() } }

        func beginRound() {
            isReached.store(false, ordering: .releasing)
            patience.store(100_000, ordering: .releasing)
        }

        /// The second thread posts when the first is through the center's own lock, which would put it to sleep.
        func untilReached() {
            while !isReached.load(ordering: .acquiring), patience.subtract(1, ordering: .relaxed).newValue > 0 {}
        }

        func pass(_ index: Int) {
            isReached.store(true, ordering: .releasing)
            let point = points[index]
            let number = point.arrivals.add(1, ordering: .acquiringAndReleasing).newValue
            if number.isMultiple(of: 2) {
                // The one that waited hears of this one a little later: each time, this one gives it a little longer.
                for _ in 0..<((number / 2 + index) % 12) { _ = point.arrivals.load(ordering: .acquiring) }
            } else {
                while point.arrivals.load(ordering: .acquiring) == number,
                    patience.subtract(1, ordering: .relaxed).newValue > 0
                {}
            }
        }
    }

    @Test func notificationsFromTwoThreadsCountOnce() async throws {
        let racers = KataSupport.Racers(2)
        let pairs = try await subscribeMany()
        // Threads drift apart on their way through the sinks. Between two sinks they meet again.
        let points = MeetingPoints(pairs.count)
        let observers = pairs.indices.map { index in
            NotificationCenter.default.addObserver(forName: notification, object: nil, queue: nil) { _ in
                points.pass(index)
            }
        }
        defer { observers.forEach(NotificationCenter.default.removeObserver) }
        for round in KataSupport.rounds(20) {
            points.beginRound()
            try await racers.race { thread in
                if thread == 1 { points.untilReached() }
                postNotification()
            }
            await KataSupport.settle()
            for (sink, subscription) in pairs {
                try KataSupport.expect(.max(subscription.demand.load(ordering: .relaxed)), equals: .max(round + 2))
                subscription.request(sink.receive(1))
            }
            await KataSupport.settle()
        }
        pairs.forEach { $0.0.cancel() }
    }

    /// Only its sink holds it, so it is released as early as in an app. What it counts is elsewhere.
    private final class OwnedSubscription: Subscription {
        final class Counts: Sendable {
            let requests = Atomic<Int>(0)
            let cancellations = Atomic<Int>(0)
        }

        private let counts: Counts

        init(_ counts: Counts) { self.counts = counts }

        func request(_ demand: Subscribers.Demand) { counts.requests.add(1, ordering: .relaxed) }
        func cancel() { counts.cancellations.add(1, ordering: .relaxed) }
    }

    @Test func cancellingDuringANotificationAsksForNothing() async throws {
        for (sink, _) in try await subscribeMany() { sink.cancel() }  // an answer that blocks does so here
        let racers = KataSupport.Racers(2)
        // The cancellation is the first one.
        let distance = KataSupport.RaceDistance(step: 20, limits: -10_000...10_000)
        // An answer may have a thread for each sink, so only some of them are there at the same time.
        for part in KataSupport.rounds(20) {
            let names = (0..<100).map { Notification.Name("\(notification.rawValue)-\(part)-\($0)") }
            let counts = names.map { _ in OwnedSubscription.Counts() }
            nonisolated(unsafe) let sinks = names.map { name in
                Subscribers.OneByOneSink<Int, Failure>(
                    notificationName: name, receiveCompletion: { _ in }, receiveValue: { _ in })
            }
            for (sink, counts) in zip(sinks, counts) { sink.receive(subscription: OwnedSubscription(counts)) }
            await KataSupport.settle()
            for sink in sinks { _ = sink.receive(1) }
            await KataSupport.settle()
            let start = StartLine()
            try await racers.race { thread in
                for (round, counts) in counts.enumerated() {
                    start.wait(round)
                    if thread == 0 {
                        distance.waitIfSecond()
                        let requests = counts.requests.load(ordering: .relaxed)
                        NotificationCenter.default.post(name: names[round], object: nil)
                        distance.change(
                            isFirstLater: counts.requests.load(ordering: .relaxed) > requests)
                    } else {
                        distance.waitIfFirst()
                        sinks[round].cancel()
                    }
                }
            }
            await KataSupport.settle()
            let cancelled = counts.count { $0.cancellations.load(ordering: .relaxed) > 0 }
            try KataSupport.expect(cancelled, equals: counts.count)
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
    }

    @Test func theCompletionDoesNotOvertakeAValue() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let received = DispatchSemaphore(value: 0)
        let sink = Subscribers.OneByOneSink<Int, Failure>(
            notificationName: notification, receiveCompletion: { [history] in history.record(text(of: $0)) },
            receiveValue: { [history] in
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
        await send(1, from: publisher)
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
        await send(1, from: publisher)
        publisher.send(completion: .finished)
        await KataSupport.settle()
        await send(2, from: publisher)
        try KataSupport.expect(history.events.filter { $0 != "|" }, equals: ["1"])
        sink.cancel()
    }

    // MARK: - Cancellation

    @Test func nothingIsAskedForAfterCancelling() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let sink = sink()
        publisher.subscribe(sink)
        await KataSupport.settle()
        await send(1, from: publisher)
        sink.cancel()
        await KataSupport.settle()
        postNotification()
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(1))
        withExtendedLifetime(sink) {}
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
        await send(1, from: publisher)
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
}

/// Two threads wait here for one another before each round, and go at the same moment: in rounds of `Racers`, one of them goes a
/// little later each time, and a distance that is searched for is not found.
private final class StartLine: Sendable {
    private let arrivals = Atomic<Int>(0)
    /// Neither waits any more: one of the two hangs, or the machine is busy and each meeting takes long.
    private let isOver = Atomic<Bool>(false)
    private let end = ContinuousClock.now + .seconds(1)

    func wait(_ round: Int) {
        arrivals.add(1, ordering: .acquiringAndReleasing)
        for look in 1...2_000_000 {
            if arrivals.load(ordering: .acquiring) >= 2 * (round + 1) || isOver.load(ordering: .acquiring) { return }
            if look.isMultiple(of: 500) {
                guard ContinuousClock.now < end else { break }
                // Where there are fewer free processors than threads, the other one has to come first.
                sched_yield()
            }
        }
        isOver.store(true, ordering: .releasing)
    }
}
