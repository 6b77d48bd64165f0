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

    // MARK: - Races

    // Values, results, requests, cancellations and both kinds of failure and completion meet in pairs, most of them in one form of
    // the operator. Left out: an upstream that ends with its own values, which come before its end, and two subscribers, which share
    // nothing.

    @Test func theSubscriberIsCalledByOneThreadAtATime() async throws {
        for act in [Act.result, .completion, .failure, .failureOfATransform] {
            let form = act.isThrowing ? Form.throwing : .plain
            try await race(.result, act, in: form, pausing: true) { pipeline in
                let calls = pipeline.calls.events
                for begin in stride(from: 0, to: max(2, calls.count), by: 2) {
                    let call = Array(calls.dropFirst(begin).prefix(2))
                    try KataSupport.expect(call, equals: ["called", "returned"])
                }
            }
        }
    }

    @Test func valuesAndResultsOnSeveralThreads() async throws {
        let two = Subscribers.Demand.max(2)
        try await race(.value, .value, limit: two) { try await $0.expectResults(2) }
        try await race(.value, .result, limit: two) { try await $0.expectResults(2) }
        try await race(.request, .valueOnceAsked, demand: .none, limit: two) { try await $0.expectResults(1) }
        try await race(.request, .request, demand: .none, limit: two) { try await $0.expectResults(2) }
        try await race(.request, .result, demand: .max(1), limit: two) { try await $0.expectResults(2) }
    }

    @Test func theLastResultAndTheCompletionAtTheSameMoment() async throws {
        for form in Form.allCases {
            try await race(.result, .completion, in: form) {
                try KataSupport.expect($0.subscriber.history, equals: ["result", "|"])
            }
        }
        // What the subscription begins, be it tasks or queues, runs in each order.
        try await KataSupport.explore { race in
            let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
            try await race.threads({ Just(1).task { $0 }.subscribe(subscriber) })
            try KataSupport.expect(subscriber.history, equals: ["1", "|"])
        }
    }

    @Test func cancellingWhileAValueComesLeavesNoTransform() async throws {
        for form in Form.allCases {
            try await race(.endlessValue, .cancellation, in: form) {
                try await $0.publisher.cancelled()
                try await $0.endless.cancelled($0.endless.starts)
            }
        }
    }

    @Test func cancellingMayMeetAnything() async throws {
        for act in [Act.result, .cancellation, .completion, .failure] {
            try await race(act, .cancellation, besides: true) { try await $0.expectCancellation(after: act) }
        }
        // The first request may subscribe.
        try await race(.request, .cancellation, demand: .none) {
            try await $0.publisher.cancelled($0.publisher.subscriptions)
        }
    }

    @Test func aFailureMayMeetAnything() async throws {
        for act in [Act.endlessValue, .completion, .request, .failure, .failureOfATransform] {
            try await race(.failureOfATransform, act, in: .throwing, besides: true) {
                try await $0.expectOneFailure()
            }
        }
        try await race(.failureOfATransform, .cancellation, in: .throwing, besides: true) {
            try await $0.expectCancellation(after: .failureOfATransform)
        }
        try await race(.failure, .request, besides: true) { try await $0.expectOneFailure() }
    }

    @Test func emptySinkMayBeCancelledAtAnyMoment() async throws {
        for isEnd in [false, true] {
            try await KataSupport.explore { race in
                let publisher = KataSupport.ProbePublisher<Int, Never>()
                let subscription = publisher.emptySink()
                try await publisher.asked(for: .max(1))
                try await race.threads(
                    { if isEnd { publisher.send(completion: .finished) } else { publisher.send(1) } },
                    { subscription.cancel() })
                if !isEnd { try await publisher.cancelled() }
            }
        }
    }

    /// Lets two things happen to a pipeline at the same moment.
    ///
    /// - Parameters:
    ///   - besides: Whether a transform runs besides, until it is cancelled.
    ///   - pausing: Whether another thread may go on while the subscriber is called.
    private func race(
        _ first: Act, _ second: Act, in form: Form = .plain, demand: Subscribers.Demand = .unlimited,
        limit: Subscribers.Demand = .unlimited, besides: Bool = false, pausing: Bool = false,
        then check: @escaping @Sendable (Pipeline) async throws -> Void
    ) async throws {
        try await KataSupport.explore { race in
            let pipeline = Pipeline(form, demand: demand, limit: limit, pausing: pausing)
            let gates = [KataSupport.Gate(), KataSupport.Gate()]
            await KataSupport.settle()
            if besides { await send([pipeline.endlessWork], to: pipeline.publisher) }
            for (act, gate) in zip([first, second], gates) {
                guard let work = act.work(gate) else { continue }
                await send([work], to: pipeline.publisher)
                try await gate.untilWaiting(atLeast: 1)
            }
            try await race.threads({ first.perform(pipeline, gates[0]) }, { second.perform(pipeline, gates[1]) })
            try await check(pipeline)
        }
    }

    /// What the transform does with a value.
    private typealias Work = @Sendable () async throws -> String

    private final class Pipeline: Sendable {
        let publisher: KataSupport.ProbePublisher<Work, any Error>
        let subscriber: KataSupport.ProbeSubscriber<String, any Error>
        let endless = KataSupport.CancellationProbe()
        let calls = KataSupport.Log<String>()
        let asked = DispatchSemaphore(value: 0)

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
            of publisher: KataSupport.ProbePublisher<Work, any Error>, in form: Form, limit: Subscribers.Demand
        ) -> AnyPublisher<String, any Error> {
            // Only the form for any failure fits where nothing is known of the failure.
            func plain<Upstream: Publisher>(_ upstream: Upstream) -> AnyPublisher<String, Upstream.Failure>
            where Upstream.Output == Work {
                upstream.task(maxPublishers: limit) { await (try? $0()) ?? "failed" }
            }
            return switch form {
            case .plain: plain(publisher)
            case .throwing: publisher.task(maxPublishers: limit) { try await $0() }
            case .throwingWithoutFailure:
                publisher.assertNoFailure().task(maxPublishers: limit) { try await $0() }
            }
        }

        var endlessWork: Work {
            { [endless] in
                try await endless.run()
                return "cancelled"
            }
        }

        /// So many results come, and then the completion. What has not been sent yet is sent now.
        func expectResults(_ count: Int) async throws {
            for _ in 0..<max(0, count - subscriber.values.count) { publisher.send { "result" } }
            publisher.send(completion: .finished)
            await KataSupport.settle()
            try KataSupport.expect(subscriber.history, equals: Array(repeating: "result", count: count) + ["|"])
        }

        /// At most the outcome of what came besides the cancellation comes, and no transform is left.
        func expectCancellation(after act: Act) async throws {
            try KataSupport.expect(subscriber.history, isOneOf: [[], act.outcome])
            try await endless.cancelled()
        }

        /// The failure comes once and last, and no transform is left.
        func expectOneFailure() async throws {
            let failure = "x offline"
            try KataSupport.expect(subscriber.history, isOneOf: [[failure], ["result", failure]])
            try await endless.cancelled(endless.starts)
        }
    }

    /// Something that happens to a pipeline.
    private struct Act: Sendable {
        /// What a transform has to be doing before.
        var work: @Sendable (KataSupport.Gate) -> Work? = { _ in nil }
        /// What comes of it where nothing else happens and another transform still runs.
        var outcome: [String] = []
        var isThrowing = false
        var perform: @Sendable (Pipeline, KataSupport.Gate) -> Void

        static let value = Act { pipeline, _ in pipeline.publisher.send { "result" } }
        static let valueOnceAsked = Act { pipeline, _ in
            pipeline.asked.wait()
            pipeline.publisher.send { "result" }
        }
        static let endlessValue = Act { pipeline, _ in pipeline.publisher.send(pipeline.endlessWork) }
        static let completion = Act { pipeline, _ in pipeline.publisher.send(completion: .finished) }
        static let failure = Act(outcome: ["x offline"]) { pipeline, _ in
            pipeline.publisher.send(completion: .failure(Failure("offline")))
        }
        static let request = Act { pipeline, _ in pipeline.subscriber.request(.max(1)) }
        static let cancellation = Act { pipeline, _ in pipeline.subscriber.cancel() }
        static let result = Act(
            work: { gate in
                {
                    await gate.passEvenIfCancelled()
                    return "result"
                }
            }, outcome: ["result"]
        ) { _, gate in gate.open() }
        static let failureOfATransform = Act(
            work: { gate in
                {
                    await gate.passEvenIfCancelled()
                    throw Failure("offline")
                }
            }, outcome: ["x offline"], isThrowing: true
        ) { _, gate in gate.open() }
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
