import Combine
import Foundation
import KataSupport
import Synchronization
import TaskOperator
import Testing

/// Does this in a task of its own, as an answer may block there, and waits until all that it sets off is done.
func act(_ body: @escaping () -> Void) async {
    await KataSupport.settle()
    Task { body() }
    await KataSupport.settle()
}

/// Sends the values one by one, each when all that the one before has set off is done.
func send<Failure: Error>(_ values: [Int], to publisher: KataSupport.ProbePublisher<Int, Failure>) async {
    for value in values { await act { publisher.send(value) } }
}

/// A publisher that sends each value as soon as it is asked for it, and does not end.
func endless(_ values: [Int]) -> some Publisher<Int, Never> {
    values.publisher.append(Empty(completeImmediately: false))
}

@Suite(.ownProcess) struct TaskOperatorTests {
    typealias Failure = KataSupport.Failure

    // MARK: - Values

    @Test func valuesAreTransformed() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let subscriber = KataSupport.ProbeSubscriber<String, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { "<\($0)>" }.subscribe(subscriber)
        defer { subscriber.cancel() }
        await send(numbers, to: publisher)
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.map { "<\($0)>" }.sorted())
    }

    @Test func aThrowingTransformOfAPublisherThatCannotFail() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { try await text(of: $0) }.subscribe(subscriber)
        defer { subscriber.cancel() }
        await send(numbers, to: publisher)
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.map { "<\($0)>" }.sorted())
    }

    @Test func aThrowingTransformOfAPublisherThatMayFail() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, any Error>()
        publisher.task { try await text(of: $0) }.subscribe(subscriber)
        defer { subscriber.cancel() }
        await send(numbers, to: publisher)
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.map { "<\($0)>" }.sorted())
    }

    private func text(of number: Int) async throws -> String { "<\(number)>" }

    @Test func aTransformThatRunsBlocksNoThread() async throws {
        let transforms = Transforms(Array(1...KataSupport.manyWaits))
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { await transforms.run($0) }.subscribe(subscriber)
        defer {
            subscriber.cancel()
            transforms.endAll()
        }
        await KataSupport.settle()
        try await KataSupport.expectNoBlockedThread {
            Task { publisher.send(1) }
        }
        try KataSupport.expect(transforms.started, equals: [1])
        try await KataSupport.expectNoBlockedThread {
            Task { for value in 2...KataSupport.manyWaits { publisher.send(value) } }
        }
    }

    @Test func valuesThatComeWhileATransformRunsAreNotLost() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let transforms = Transforms(numbers)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        // The buffer keeps what is not asked for yet.
        publisher.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest)
            .task { await transforms.run($0) }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        await send(numbers, to: publisher)
        transforms.endAll()
        await KataSupport.settle()
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.sorted())
    }

    // MARK: - The limit

    @Test func withoutALimitTheyRunAtTheSameTime() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let transforms = Transforms(numbers)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { await transforms.run($0) }.subscribe(subscriber)
        defer {
            subscriber.cancel()
            transforms.endAll()
        }
        await send(numbers, to: publisher)
        try KataSupport.expect(transforms.started, equals: numbers)
    }

    @Test func withoutALimitAnyNumberRuns() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .task { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        defer {
            subscriber.cancel()
            gate.open()
        }
        await act { (1...200).forEach(publisher.send) }
        try KataSupport.expect(gate.waiting, equals: 200)
    }

    @Test func withALimitOfOneTheyRunOneAfterTheOther() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let transforms = Transforms(numbers)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        await act {
            endless(numbers).task(maxPublishers: .max(1)) { await transforms.run($0) }.subscribe(subscriber)
        }
        defer {
            Task { subscriber.cancel() }
            transforms.endAll()
        }
        for number in numbers {
            transforms.end(number)
            await KataSupport.settle()
        }
        try KataSupport.expect(transforms.history, equals: numbers.flatMap { ["start \($0)", "end \($0)"] })
        try KataSupport.expect(subscriber.values, equals: numbers)
    }

    @Test func aLimitIsKeptAndUsed() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let transforms = Transforms(numbers)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        await act {
            endless(numbers).task(maxPublishers: .max(3)) { await transforms.run($0) }.subscribe(subscriber)
        }
        defer {
            Task { subscriber.cancel() }
            transforms.endAll()
        }
        try KataSupport.expect(transforms.started.sorted(), equals: numbers.prefix(3).sorted())
        // Whichever ends makes room for the next.
        transforms.end(numbers[1])
        await KataSupport.settle()
        try KataSupport.expect(transforms.started.sorted(), equals: numbers.prefix(4).sorted())
    }

    @Test func theLimitHoldsInEveryForm() async throws {
        let transforms = Form.allCases.map { _ in Transforms([1, 2, 3]) }
        let subscribers = Form.allCases.map { _ in KataSupport.ProbeSubscriber<Int, any Error>() }
        for (form, (transforms, subscriber)) in zip(Form.allCases, zip(transforms, subscribers)) {
            await act {
                form.pipeline(of: endless([1, 2, 3]), limit: .max(2), transforms.run).subscribe(subscriber)
            }
        }
        defer {
            Task { subscribers.forEach { $0.cancel() } }
            transforms.forEach { $0.endAll() }
        }
        let running = zip(Form.allCases, transforms).map { "\($0): \($1.started.count)" }
        try KataSupport.expect(running, equals: Form.allCases.map { "\($0): 2" })
    }

    // MARK: - Demand on the upstream

    @Test func theUpstreamIsAskedForAsManyValuesAsMayRun() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        await act { publisher.task(maxPublishers: .max(3)) { $0 }.subscribe(subscriber) }
        defer { subscriber.cancel() }
        try KataSupport.expect(publisher.asked, equals: .max(3))
    }

    @Test func aTransformThatEndsAsksForOneMoreValue() async throws {
        let transforms = Transforms([1, 2])
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        await act { publisher.task(maxPublishers: .max(2)) { await transforms.run($0) }.subscribe(subscriber) }
        defer {
            subscriber.cancel()
            transforms.endAll()
        }
        await send([1, 2], to: publisher)
        try KataSupport.expect(publisher.asked, equals: .max(2))
        transforms.end(2)
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(3))
        transforms.end(1)
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .max(4))
    }

    @Test func aBufferInFrontKeepsABurst() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let transforms = Transforms(numbers)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = PassthroughSubject<Int, Never>()
        await act {
            publisher.buffer(size: 10, prefetch: .keepFull, whenFull: .dropOldest)
                .task(maxPublishers: .max(1)) { await transforms.run($0) }
                .subscribe(subscriber)
        }
        defer {
            subscriber.cancel()
            transforms.endAll()
        }
        await act { numbers.forEach(publisher.send) }
        for number in numbers {
            transforms.end(number)
            await KataSupport.settle()
        }
        try KataSupport.expect(subscriber.values, equals: numbers)
    }

    // MARK: - The end

    @Test func theEndArrivesWhenNoTransformRuns() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { $0 }.subscribe(subscriber)
        await send([1], to: publisher)
        publisher.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["1", "|"])
    }

    @Test func theEndComesAfterTheLastResult() async throws {
        let transforms = Transforms([1, 2])
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { await transforms.run($0) }.subscribe(subscriber)
        defer {
            subscriber.cancel()
            transforms.endAll()
        }
        await send([1, 2], to: publisher)
        publisher.send(completion: .finished)
        await KataSupport.settle()
        for number in [1, 2] {
            transforms.end(number)
            await KataSupport.settle()
        }
        try KataSupport.expect(subscriber.history, equals: ["1", "2", "|"])
    }

    @Test func withoutTryThePipelineCannotFail() async throws {
        let history = KataSupport.Log<String>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        // `sink(receiveValue:)` and `Never` take a pipeline that cannot fail.
        let subscription = publisher.task { await transformed($0) }.sink(receiveValue: { history.record("\($0)") })
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        publisher
            .task { value in
                history.record("start \(value)")
                return await transformed(value)
            }
            .subscribe(subscriber)
        defer {
            subscription.cancel()
            subscriber.cancel()
        }
        await send([1], to: publisher)
        publisher.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(history.events.sorted(), equals: ["1", "start 1"])
        try KataSupport.expect(subscriber.history, equals: ["1", "|"])
    }

    private func transformed(_ number: Int) async -> Int { number }

    // MARK: - Failures

    @Test func aFailureOfTheUpstreamArrivesAsItIs() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Failure>()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        publisher.task { $0 }.subscribe(subscriber)
        await send([1], to: publisher)
        publisher.send(completion: .failure(Failure("offline")))
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["1", "x offline"])
    }

    @Test func afterAThrownErrorWhatWaitsDoesNotStart() async throws {
        let started = KataSupport.Log<Int>()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        await act {
            endless([1, 2, 3])
                .task(maxPublishers: .max(1)) { value in
                    started.record(value)
                    if value == 2 { throw Failure("offline") }
                    return value
                }
                .subscribe(subscriber)
        }
        defer { Task { subscriber.cancel() } }
        try KataSupport.expect(started.events, equals: [1, 2])
    }

    @Test func aFailureOfATransformCancelsTheOthers() async throws {
        let gate = KataSupport.Gate()
        let others = KataSupport.CancellationProbe()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, any Error>()
        publisher
            .task { value in
                if value != 2 { try await others.run() }
                try await gate.pass()
                throw Failure("offline")
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        await send([1, 2, 3], to: publisher)
        gate.open()
        try await others.cancelled(2)
    }

    @Test func aFailureOfTheUpstreamCancelsTheTransforms() async throws {
        let transforms = KataSupport.CancellationProbe()
        let subscriber = KataSupport.ProbeSubscriber<Int, Failure>()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        publisher
            .task { value in
                try? await transforms.run()
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        await send([1, 2], to: publisher)
        publisher.send(completion: .failure(Failure("offline")))
        try await transforms.cancelled(2)
    }

    @Test func aFailureOfATransformCancelsTheUpstream() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { _ -> Int in throw Failure("offline") }.subscribe(subscriber)
        defer { subscriber.cancel() }
        await send([1], to: publisher)
        try await publisher.cancelled()
    }

    // MARK: - Cancellation

    @Test func cancellingCancelsTheTransforms() async throws {
        let transforms = KataSupport.CancellationProbe()
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .task { value in
                try? await transforms.run()
                return value
            }
            .subscribe(subscriber)
        await send([1, 2], to: publisher)
        subscriber.cancel()
        try await transforms.cancelled(2)
    }

    @Test func cancellingCancelsTheTransformsInEveryForm() async throws {
        let transforms = Form.allCases.map { _ in KataSupport.CancellationProbe() }
        for (form, transforms) in zip(Form.allCases, transforms) {
            let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
            await act {
                form.pipeline(of: endless([1, 2])) { value in
                    try? await transforms.run()
                    return value
                }
                .subscribe(subscriber)
            }
            await act { subscriber.cancel() }
        }
        let cancelled = zip(Form.allCases, transforms).map { "\($0): \($1.cancellations)" }
        try KataSupport.expect(cancelled, equals: Form.allCases.map { "\($0): 2" })
    }

    @Test func afterCancellingWhatWaitsDoesNotStart() async throws {
        let transforms = Transforms([1, 2, 3])
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        await act {
            endless([1, 2, 3]).task(maxPublishers: .max(1)) { await transforms.run($0) }.subscribe(subscriber)
        }
        await act { subscriber.cancel() }
        transforms.endAll()
        await KataSupport.settle()
        try KataSupport.expect(transforms.started, equals: [1])
    }

    @Test func nothingArrivesAfterCancelling() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, any Error>()
        publisher
            .task { value in
                if value == 1 { await gate.passEvenIfCancelled() } else { try await gate.pass() }
                return value
            }
            .subscribe(subscriber)
        await send([1, 2], to: publisher)
        subscriber.cancel()
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: [])
        try KataSupport.expect(gate.arrived, equals: 2)
    }

    @Test func aSubscriberMayCancelInsideReceive() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { $0 }.first().subscribe(subscriber)
        await send([1], to: publisher)
        try KataSupport.expect(subscriber.history, equals: ["1", "|"])
        try await publisher.cancelled()
    }

    @Test func cancellingWhileAValueComesLeavesNoTransform() async throws {
        let transforms = KataSupport.CancellationProbe()
        let racers = KataSupport.Racers(2)
        for _ in KataSupport.rounds(500) {
            let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            publisher
                .task { value in
                    try? await transforms.run()
                    return value
                }
                .subscribe(subscriber)
            try await publisher.asked(for: .max(1))
            try await racers.race { thread in
                if thread == 0 { publisher.send(1) } else { subscriber.cancel() }
            }
        }
        await KataSupport.settle()
        try await transforms.cancelled(transforms.starts)
    }

    // MARK: - Subscribers

    @Test func eachSubscriptionRunsItsOwnTransforms() async throws {
        let started = KataSupport.Log<Int>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let pipeline: AnyPublisher<Int, Never> = publisher.task { value in
            started.record(value)
            return value
        }
        let subscribers = (1...2).map { _ in KataSupport.ProbeSubscriber<Int, Never>() }
        for subscriber in subscribers { await act { pipeline.subscribe(subscriber) } }
        defer { subscribers.forEach { $0.cancel() } }
        await send([1], to: publisher)
        try KataSupport.expect(started.events, equals: [1, 1])
        try KataSupport.expect(subscribers.map(\.values), equals: [[1], [1]])

        // The limit belongs to a subscription as well.
        let transforms = Transforms([1, 2])
        let limited: AnyPublisher<Int, Never> = endless([1, 2]).task(maxPublishers: .max(1)) { value in
            await transforms.run(value)
        }
        let others = (1...2).map { _ in KataSupport.ProbeSubscriber<Int, Never>() }
        for subscriber in others { await act { limited.subscribe(subscriber) } }
        defer {
            Task { others.forEach { $0.cancel() } }
            transforms.endAll()
        }
        try KataSupport.expect(transforms.started, equals: [1, 1])
    }

    @Test func cancellingOneSubscriptionLeavesTheOther() async throws {
        let gate = KataSupport.Gate()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let pipeline: AnyPublisher<String, Never> = publisher.task { _ in
            await gate.passEvenIfCancelled()
            return Task.isCancelled ? "cancelled" : "not cancelled"
        }
        let subscribers = (1...2).map { _ in KataSupport.ProbeSubscriber<String, Never>() }
        for subscriber in subscribers { await act { pipeline.subscribe(subscriber) } }
        await send([1], to: publisher)
        await act { subscribers[0].cancel() }
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(subscribers[1].history, equals: ["not cancelled"])
    }

    @Test func noMoreResultsArriveThanWereAskedFor() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(2))
        await act { endless([1, 2, 3, 4, 5]).task { $0 }.subscribe(subscriber) }
        defer { Task { subscriber.cancel() } }
        try expectResults(2, in: subscriber)
    }

    @Test func resultsThatWaitArriveWhenTheyAreAskedFor() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(2))
        await act { (1...5).publisher.task(maxPublishers: .max(2)) { $0 }.subscribe(subscriber) }
        await act { subscriber.request(.max(1)) }
        try expectResults(3, in: subscriber)
        await act { subscriber.request(.unlimited) }
        try expectResults(5, in: subscriber)
        try KataSupport.expect(Array(subscriber.history.suffix(1)), equals: ["|"])
    }

    @Test func demandThatIsReturnedCounts() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(1), returning: .max(1))
        await act { endless([1, 2, 3, 4, 5]).task { $0 }.subscribe(subscriber) }
        defer { Task { subscriber.cancel() } }
        try expectResults(5, in: subscriber)
    }

    @Test func requestsAddUp() async throws {
        let transforms = Transforms([1, 2, 3, 4, 5])
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(2))
        await act {
            endless([1, 2, 3, 4, 5]).task(maxPublishers: .max(1)) { await transforms.run($0) }.subscribe(subscriber)
        }
        defer { Task { subscriber.cancel() } }
        // One transform runs, and a result more is open.
        await act { subscriber.request(.max(1)) }
        transforms.endAll()
        await KataSupport.settle()
        try expectResults(3, in: subscriber)
    }

    /// So many results, whichever they are.
    private func expectResults(_ count: Int, in subscriber: KataSupport.ProbeSubscriber<Int, Never>) throws {
        let results = subscriber.values.map { _ in "result" }
        try KataSupport.expect(results, equals: Array(repeating: "result", count: count))
    }

    // MARK: - Threads

    @Test func valuesAndResultsOnSeveralThreads() async throws {
        let count = 3_000
        let transformed = Atomic<Int>(0)
        let patience = Atomic<Int>(1_000_000)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .task { value in
                transformed.add(1, ordering: .releasing)
                return value
            }
            .subscribe(subscriber)
        await KataSupport.settle()
        try await KataSupport.inParallel {
            // The transforms end on other threads while this one still sends, and neither gets far ahead.
            try await KataSupport.Racers(1).race(rounds: count) { _, round in
                publisher.send(round)
                while round - transformed.load(ordering: .acquiring) > 2,
                    patience.subtract(1, ordering: .relaxed).newValue > 0
                {}
            }
            // A completion that comes at the same moment as the last result has a test of its own.
            await KataSupport.settle()
            publisher.send(completion: .finished)
            await KataSupport.settle()
        }
        try KataSupport.expect(subscriber.values.count, equals: count)
        try KataSupport.expect(Array(subscriber.history.suffix(1)), equals: ["|"])
    }

    @Test func theLastResultAndTheCompletionAtTheSameMoment() async throws {
        let racers = KataSupport.Racers(2)
        // An answer may have a thread for each subscription, so only some of them are there at the same time.
        for _ in KataSupport.rounds(30) {
            let gates = (0..<100).map { _ in KataSupport.RaceGate() }
            let publishers = gates.map { _ in KataSupport.ProbePublisher<Int, Never>() }
            let subscribers = gates.map { _ in KataSupport.ProbeSubscriber<Int, Never>() }
            for (publisher, subscriber) in zip(publishers, subscribers) {
                publisher
                    .task { value in
                        await gates[value].pass()
                        return value
                    }
                    .subscribe(subscriber)
            }
            await KataSupport.settle()
            // In a task of its own, as it may block.
            Task {
                for (value, publisher) in publishers.enumerated() { publisher.send(value) }
            }
            await KataSupport.settle()
            try await racers.race(rounds: gates.count) { thread, round in
                if thread == 0 {
                    gates[round].open()
                } else {
                    // A result has a longer way than the completion: how much longer differs from answer to answer.
                    KataSupport.spin(nanoseconds: round * 100)
                    publishers[round].send(completion: .finished)
                }
            }
            await KataSupport.settle()
            for (value, subscriber) in subscribers.enumerated() {
                try KataSupport.expect(subscriber.history, equals: ["\(value)", "|"])
            }
        }

        // A task that waits between its count and its result may be overtaken there.
        try await KataSupport.inAnyOrder {
            for _ in 0..<20 {
                let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
                Task { (1...5).publisher.task { $0 }.subscribe(subscriber) }
                await KataSupport.settle()
                let results = subscriber.history.map { $0 == "|" ? $0 : "result" }
                try KataSupport.expect(results, equals: Array(repeating: "result", count: 5) + ["|"])
            }
        }
    }

    @Test func theSubscriberIsCalledByOneThreadAtATime() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.SlowSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .task { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        await act { (1...100).forEach(publisher.send) }
        // All transforms end now, on as many threads as there are processors.
        await KataSupport.inParallel {
            gate.open()
            publisher.send(completion: .finished)
            _ = try? await subscriber.calls.until(count: 202)
        }
        let calls = subscriber.calls.events
        let begin = calls.indices.first { $0 % 2 == 0 && calls[$0] == calls.dropFirst($0 + 1).first } ?? 0
        try KataSupport.expect(Array(calls[begin...].prefix(2)), equals: ["called", "returned"])
        try KataSupport.expect(calls.count, equals: 202)
    }

    // MARK: - Memory

    @Test func nothingIsKeptAliveAfterTheEnd() async throws {
        try await expectRelease { publisher, _ in publisher.send(completion: .finished) }
    }

    @Test func nothingIsKeptAliveAfterCancelling() async throws {
        try await expectRelease { _, subscription in subscription.cancel() }
    }

    /// What the transform holds is released when the pipeline has ended and its subscriber is gone.
    private func expectRelease(
        after end: (KataSupport.ProbePublisher<Int, Never>, AnyCancellable) -> Void
    ) async throws {
        let probe = KataSupport.LeakProbe()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        do {
            let results = KataSupport.Log<Int>()
            let subscription =
                publisher
                .task { [token = probe.token()] value in withExtendedLifetime(token) { value } }
                .sink(receiveValue: results.record)
            await send([1], to: publisher)
            try KataSupport.expect(results.events, equals: [1])
            end(publisher, subscription)
            await KataSupport.settle()
        }
        try await probe.released()
    }
}

/// Each runs until the test ends it, and is deaf to cancellation.
final class Transforms: Sendable {
    private let gates: [Int: KataSupport.Gate]
    private let log = KataSupport.Log<Event>()

    private enum Event {
        case start(Int)
        case end(Int)
    }

    init(_ values: [Int]) {
        gates = Dictionary(uniqueKeysWithValues: values.map { ($0, KataSupport.Gate()) })
    }

    func run(_ value: Int) async -> Int {
        log.record(.start(value))
        await gates[value]?.passEvenIfCancelled()
        log.record(.end(value))
        return value
    }

    func end(_ value: Int) { gates[value]?.open() }

    func endAll() { gates.values.forEach { $0.open() } }

    var started: [Int] {
        log.events.compactMap { event in
            if case .start(let value) = event { value } else { nil }
        }
    }

    var history: [String] {
        log.events.map { event in
            switch event {
            case .start(let value): "start \(value)"
            case .end(let value): "end \(value)"
            }
        }
    }
}

/// The forms of the operator, shown as the signature that each has.
private enum Form: String, CaseIterable, CustomStringConvertible {
    case plain = "async"
    case throwing = "async throws (any Error)"
    case throwingWithoutFailure = "async throws (Never)"

    var description: String { rawValue }

    func pipeline<Upstream: Publisher<Int, Never>>(
        of upstream: Upstream, limit: Subscribers.Demand = .unlimited, _ transform: @escaping (Int) async -> Int
    ) -> AnyPublisher<Int, any Error> {
        let mayThrow: (Int) async throws -> Int = transform
        return switch self {
        case .plain:
            upstream.task(maxPublishers: limit, transform).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        case .throwing:
            upstream.setFailureType(to: (any Error).self).task(maxPublishers: limit, mayThrow)
        case .throwingWithoutFailure:
            upstream.task(maxPublishers: limit, mayThrow)
        }
    }
}
