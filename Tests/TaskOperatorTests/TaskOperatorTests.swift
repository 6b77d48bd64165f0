import Combine
import Foundation
import KataSupport
import TaskOperator
import Testing

/// Does this in a task of its own, as an answer may block there, and waits until all that it sets off is done.
func act(_ body: @escaping () -> Void) async {
    await KataSupport.settle()
    Task { body() }
    await KataSupport.settle()
}

/// Sends the values one by one, each when all that the one before has set off is done.
func send<Value, Failure: Error>(_ values: [Value], to publisher: KataSupport.ProbePublisher<Value, Failure>) async {
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
        try await KataSupport.inCase("200 values") { try await expectAnyNumber() }
    }

    /// Without a limit, any number runs.
    private func expectAnyNumber() async throws {
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
        try await KataSupport.inCase("one") {
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
        try await KataSupport.inCase("buffer") { try await expectBurst() }
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

    /// A buffer in front keeps a burst.
    private func expectBurst() async throws {
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
        try await KataSupport.inCase("last result") { try await expectEndAfterLastResult() }
        try await KataSupport.inCase("Never") { try await expectNoFailureType() }
    }

    /// It comes after the last result.
    private func expectEndAfterLastResult() async throws {
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

    /// Without `try`, the pipeline cannot fail.
    private func expectNoFailureType() async throws {
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

    @Test func aFailureCancelsTheRest() async throws {
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
        try await KataSupport.inCase("throws, upstream") { try await expectCancelledUpstream() }
        try await KataSupport.inCase("upstream fails") { try await expectCancelledTransforms() }
    }

    /// A failure of the upstream cancels the transforms.
    private func expectCancelledTransforms() async throws {
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

    /// It cancels the upstream.
    private func expectCancelledUpstream() async throws {
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
        try await KataSupport.inCase("every form") { try await expectCancellationInEveryForm() }
    }

    /// The same in every form.
    private func expectCancellationInEveryForm() async throws {
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
        try await KataSupport.inCase("cancel") { try await expectTheOther() }
    }

    /// Cancelling one leaves the other.
    private func expectTheOther() async throws {
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

    @Test func asManyResultsArriveAsWereAskedFor() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(2))
        await act { endless([1, 2, 3, 4, 5]).task { $0 }.subscribe(subscriber) }
        defer { Task { subscriber.cancel() } }
        try expectResults(2, in: subscriber)
        try await KataSupport.inCase("later") { try await expectLaterResults() }
        try await KataSupport.inCase("request, request") { try await expectSum() }
        try await KataSupport.inCase("receive(_:)") { try await expectReturnedDemand() }
    }

    /// Those that wait arrive when they are asked for.
    private func expectLaterResults() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(2))
        await act { (1...5).publisher.task(maxPublishers: .max(2)) { $0 }.subscribe(subscriber) }
        await act { subscriber.request(.max(1)) }
        try expectResults(3, in: subscriber)
        await act { subscriber.request(.unlimited) }
        try expectResults(5, in: subscriber, andThen: ["|"])
    }

    /// What `receive(_:)` returns is demand, too.
    private func expectReturnedDemand() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(1), returning: .max(1))
        await act { endless([1, 2, 3, 4, 5]).task { $0 }.subscribe(subscriber) }
        defer { Task { subscriber.cancel() } }
        try expectResults(5, in: subscriber)
    }

    /// Requests add up.
    private func expectSum() async throws {
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

    /// So many results, whichever they are, and the end only where it belongs.
    private func expectResults(
        _ count: Int, in subscriber: KataSupport.ProbeSubscriber<Int, Never>, andThen end: [String] = []
    ) throws {
        let history = subscriber.history.map { $0 == "|" ? $0 : "result" }
        try KataSupport.expect(history, equals: Array(repeating: "result", count: count) + end)
    }

    // MARK: - Races

    // Values, results, requests, cancellations and both kinds of failure and completion meet: each thread does what belongs together,
    // one after the other, in one of the forms of the operator. Left out: an upstream that ends with its own values, which come before its end, a cancellation with a failure
    // of the upstream, which goes where that of a transform goes, and two subscribers, which share nothing.

    @Test func theSubscriberIsCalledByOneThreadAtATime() async throws {
        try await race(while: [.returns, .returns], pausing: true, { $0.end(0) }, { $0.end(1) }) {
            try $0.expectOneCallAtATime()
        }
        try await race(in: .throwing, while: [.fails, .returns], pausing: true, { $0.end(0) }, { $0.end(1) }) {
            try $0.expectOneCallAtATime()
            try await $0.expectOneFailure()
        }
    }

    @Test func valuesAndResultsOnSeveralThreads() async throws {
        try await race(
            demand: .max(2), limit: .max(2), { $0.send(.returns) },
            {
                $0.subscriber.request(.max(1))
                $0.send(.returns)
            }
        ) { try await $0.expectResults(3) }
        // The first request may subscribe, and the first value may come before it has returned.
        try await race(
            demand: .none, { $0.subscriber.request(.max(1)) },
            {
                $0.subscriber.request(.max(1))
                $0.asked.wait()
                $0.send(.returns)
            }
        ) { try await $0.expectResults(2) }
        try await KataSupport.inCase("finished") { try await raceCompletion() }
    }

    /// The last result and the completion at the same moment.
    private func raceCompletion() async throws {
        try await race(
            while: [.returns], { $0.end(0) },
            {
                $0.send(.returns)
                $0.publisher.send(completion: .finished)
            }
        ) { try KataSupport.expect($0.subscriber.history, equals: ["result", "result", "|"]) }
    }

    @Test func cancellingWhileAValueComesLeavesNoTransform() async throws {
        try await race({ $0.subscriber.cancel() }, { $0.send(.isEndless) }) {
            try await $0.publisher.cancelled()
            try await $0.expectNothingLeft()
        }
    }

    @Test func cancellingMayMeetAnything() async throws {
        try await race(
            in: .throwing, while: [.returns, .fails, .isEndless], { $0.subscriber.cancel() },
            {
                $0.subscriber.request(.max(1))
                $0.end(0)
                $0.end(1)
                $0.publisher.send(completion: .finished)
            }
        ) {
            // A failure may still arrive, whichever it is.
            let events = $0.subscriber.history.map { $0.hasPrefix("x") ? "x" : $0 }
            try KataSupport.expect(events, isOneOf: [[], ["result"], ["x"], ["result", "x"]])
            try await $0.expectNothingLeft()
        }
        // The first request may subscribe.
        try await race(demand: .none, { $0.subscriber.cancel() }, { $0.subscriber.request(.max(1)) }) {
            try await $0.publisher.cancelled($0.publisher.subscriptions)
        }
        try await KataSupport.inCase("failure") { try await raceFailure() }
    }

    /// A failure and anything else at the same moment.
    private func raceFailure() async throws {
        try await race(
            in: .throwingWithoutFailure, while: [.fails, .isEndless], { $0.end(0) },
            {
                $0.send(.isEndless)
                $0.subscriber.request(.max(1))
                $0.publisher.send(completion: .finished)
            }
        ) { try await $0.expectOneFailure() }
        try await race(
            in: .throwing, while: [.fails, .isEndless], { $0.end(0) },
            { $0.publisher.send(completion: .failure(Failure("offline"))) }
        ) { try await $0.expectOneFailure() }
    }

    /// Lets two threads do something with a pipeline.
    ///
    /// - Parameters:
    ///   - running: The transforms that run already.
    ///   - pausing: Whether another thread may go on while the subscriber is called.
    private func race(
        in form: Form = .plain, demand: Subscribers.Demand = .unlimited, limit: Subscribers.Demand = .unlimited,
        while running: [Transform] = [], pausing: Bool = false,
        _ first: @escaping @Sendable (Pipeline) -> Void, _ second: @escaping @Sendable (Pipeline) -> Void,
        then check: @escaping @Sendable (Pipeline) async throws -> Void
    ) async throws {
        try await KataSupport.explore { race in
            let pipeline = Pipeline(form, demand: demand, limit: limit, pausing: pausing)
            await KataSupport.settle()
            // In a task of its own, as it may block.
            Task { running.forEach(pipeline.start) }
            await KataSupport.settle()
            try KataSupport.expect(pipeline.running, equals: running.count)
            try await race.threads({ first(pipeline) }, { second(pipeline) })
            try await check(pipeline)
        }
    }

    /// What a transform does.
    private enum Transform {
        case returns
        case fails
        /// It runs until it is cancelled.
        case isEndless
    }

    private final class Pipeline: Sendable {
        /// What is sent is what the transform does with it.
        let publisher: KataSupport.ProbePublisher<@Sendable () async throws -> String, any Error>
        let subscriber: KataSupport.ProbeSubscriber<String, any Error>
        let asked = DispatchSemaphore(value: 0)
        private let endless = KataSupport.CancellationProbe()
        private let calls = KataSupport.Log<String>()
        private let gates = (0..<2).map { _ in KataSupport.Gate() }
        private let started = KataSupport.Log<Transform>()

        init(_ form: Form, demand: Subscribers.Demand, limit: Subscribers.Demand, pausing: Bool) {
            publisher = KataSupport.ProbePublisher(whenRequested: { [asked] in asked.signal() })
            subscriber = KataSupport.ProbeSubscriber(demand: demand)
            let call = { [calls] in
                guard pausing else { return }
                calls.record("called")
                KataSupport.pause()
                calls.record("returned")
            }
            Self.results(of: publisher, in: form, limit: limit)
                .handleEvents(receiveOutput: { _ in call() }, receiveCompletion: { _ in call() })
                .subscribe(subscriber)
        }

        private static func results(
            of publisher: KataSupport.ProbePublisher<@Sendable () async throws -> String, any Error>, in form: Form,
            limit: Subscribers.Demand
        ) -> AnyPublisher<String, any Error> {
            // Only the form for any failure fits where nothing is known of the failure.
            func plain<Upstream: Publisher>(_ upstream: Upstream) -> AnyPublisher<String, Upstream.Failure>
            where Upstream.Output == @Sendable () async throws -> String {
                upstream.task(maxPublishers: limit) { await (try? $0()) ?? "failed" }
            }
            return switch form {
            case .plain: plain(publisher)
            case .throwing: publisher.task(maxPublishers: limit) { try await $0() }
            case .throwingWithoutFailure:
                publisher.assertNoFailure().task(maxPublishers: limit) { try await $0() }
            }
        }

        var running: Int { gates.reduce(endless.starts) { $0 + $1.waiting } }

        /// Sends a value whose transform waits until it is ended.
        func start(_ transform: Transform) {
            let number = started.events.count
            started.record(transform)
            send(transform, waitingFor: number < gates.count ? gates[number] : nil)
        }

        /// Ends the transform that was started in this place.
        func end(_ number: Int) { gates[number].open() }

        /// Sends a value whose transform does so at once.
        func send(_ transform: Transform, waitingFor gate: KataSupport.Gate? = nil) {
            publisher.send { [endless] in
                if transform == .isEndless { try await endless.run() }
                await gate?.passEvenIfCancelled()
                if transform == .fails { throw Failure("offline") }
                return "result"
            }
        }

        func expectOneCallAtATime() throws {
            let calls = calls.events
            for begin in stride(from: 0, to: max(2, calls.count), by: 2) {
                let call = Array(calls.dropFirst(begin).prefix(2))
                try KataSupport.expect(call, equals: ["called", "returned"])
            }
        }

        /// So many results come, and then the completion. What has not been sent yet is sent now.
        func expectResults(_ count: Int) async throws {
            for _ in subscriber.values.count..<max(count, subscriber.values.count) { send(.returns) }
            await KataSupport.settle()
            publisher.send(completion: .finished)
            await KataSupport.settle()
            try KataSupport.expect(subscriber.history, equals: Array(repeating: "result", count: count) + ["|"])
        }

        /// The failure comes once and last, and no transform is left.
        func expectOneFailure() async throws {
            let failure = "x offline"
            try KataSupport.expect(subscriber.history, isOneOf: [[failure], ["result", failure]])
            try await expectNothingLeft()
        }

        /// Every transform that has started is cancelled, where it does not end by itself.
        func expectNothingLeft() async throws { try await endless.cancelled(endless.starts) }
    }

    // MARK: - Memory

    @Test func nothingIsKeptAliveAfterTheEnd() async throws {
        try await KataSupport.inCase("finished") {
            try await expectRelease { publisher, _ in publisher.send(completion: .finished) }
        }
        try await KataSupport.inCase("cancel") { try await expectRelease { _, subscription in subscription.cancel() } }
    }

    /// What the transform holds is released when the pipeline has ended and its subscriber is gone.
    private func expectRelease(
        after end: (KataSupport.ProbePublisher<Int, Never>, AnyCancellable) -> Void
    ) async throws {
        let probe = KataSupport.LeakProbe()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        try await Self.$heldByTasks.withValue(probe.token()) {
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

    /// Each task that an answer starts has it until the task ends.
    @TaskLocal private static var heldByTasks: KataSupport.LeakProbe.Token?
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
