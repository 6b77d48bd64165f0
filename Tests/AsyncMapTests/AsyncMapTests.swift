import AsyncMap
import Combine
import Foundation
import KataSupport
import Testing

@Suite(.ownProcess) struct AsyncMapTests {
    typealias Failure = KataSupport.Failure

    let clock = KataSupport.TestClock()

    /// Sends the values one by one, each when all that the one before has set off is done.
    private func send<Value, Failure: Error>(
        _ values: [Value], to publisher: KataSupport.ProbePublisher<Value, Failure>,
        noting note: (String) -> Void = { _ in }
    ) async {
        for value in values {
            note("\(value)")
            await KataSupport.settle()
            // In a task of its own, as it may block.
            Task { publisher.send(value) }
        }
        await KataSupport.settle()
    }

    // MARK: - Core

    @Test func valuesAreTransformed() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { "<\($0)>" }.subscribe(subscriber)
        defer { subscriber.cancel() }
        await send(numbers, to: publisher)
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.map { "<\($0)>" }.sorted())
    }

    @Test func valuesThatComeWhileATransformRunsAreNotLost() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        // The buffer keeps what is not asked for yet.
        publisher.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest)
            .asyncMap { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        await send([1, 2, 3], to: publisher)
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(subscriber.values.sorted(), equals: [1, 2, 3])
    }

    @Test func transformsRunAtTheSameTime() async throws {
        let gate = KataSupport.Gate()
        let running = KataSupport.Log<Int>()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                running.record(value)
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        defer {
            subscriber.cancel()
            gate.open()
        }
        await send([1, 2, 3], to: publisher)
        try KataSupport.expect(running.events.sorted(), equals: [1, 2, 3])
    }

    @Test func resultsComeAsTheyFinish() async throws {
        var values = KataSupport.Values()
        let names = values.labels(3)
        let milliseconds = [names[0]: 200, names[1]: 300, names[2]: 100]
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>(time: clock)
        let publisher = KataSupport.ProbePublisher<String, Never>()
        publisher
            .asyncMap { [clock] value in
                try await clock.sleep(for: .milliseconds(milliseconds[value] ?? 0))
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        await send(names, to: publisher, noting: subscriber.input)
        await clock.advance(by: .seconds(1))
        try subscriber.expect([
            (names[2], .milliseconds(100)), (names[0], .milliseconds(200)), (names[1], .milliseconds(300)),
        ])
    }

    @Test func aFailureOfTheUpstreamArrivesAsItIs() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        publisher.asyncMap { $0 }.subscribe(subscriber)
        await KataSupport.settle()
        publisher.send(completion: .failure(Failure("offline")))
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["x offline"])
        try KataSupport.expect(subscriber.result, throws: Failure("offline"))
    }

    // MARK: - The completion

    @Test func theCompletionArrivesWhenNothingIsInFlight() async throws {
        for values in [[], [1]] {
            let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            publisher.asyncMap { $0 }.subscribe(subscriber)
            await send(values, to: publisher)
            publisher.send(completion: .finished)
            await KataSupport.settle()
            try KataSupport.expect(subscriber.history, equals: values.map { "\($0)" } + ["|"])
        }
    }

    // MARK: - Subscribers

    @Test func eachSubscriberGetsAllResults() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let mapped = publisher.asyncMap { $0 }
        for number in 1...2 {
            let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
            mapped.subscribe(subscriber)
            await send([number], to: publisher)
            publisher.send(completion: .finished)
            await KataSupport.settle()
            try KataSupport.expect(subscriber.history, equals: ["\(number)", "|"])
        }
    }

    @Test func nilIsAResult() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int?, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { $0 == 1 ? nil : $0 }.subscribe(subscriber)
        defer { subscriber.cancel() }
        await send([1, 2], to: publisher)
        try KataSupport.expect(subscriber.values, equals: [nil, 2])
    }

    @Test func manyTransformsRunAtTheSameTime() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        defer {
            subscriber.cancel()
            gate.open()
        }
        await KataSupport.settle()
        // In a task of its own, as it may block.
        Task { (1...200).forEach(publisher.send) }
        await KataSupport.settle()
        try KataSupport.expect(gate.waiting, equals: 200)
    }

    @Test func cancellingOneSubscriptionLeavesTheOther() async throws {
        let gate = KataSupport.Gate()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let mapped = publisher.asyncMap { value in
            try await gate.pass()
            return value
        }
        let subscribers = (1...2).map { _ in KataSupport.ProbeSubscriber<Int, any Error>() }
        subscribers.forEach(mapped.subscribe)
        await send([1], to: publisher)
        subscribers[0].cancel()
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(subscribers[1].history, equals: ["1"])
    }

    // MARK: - Locks

    @Test func anUpstreamMaySendInsideTheRequest() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        // In a task of its own: a lock that is held would stop the test.
        Task { numbers.publisher.asyncMap { $0 }.subscribe(subscriber) }
        await KataSupport.settle()
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.sorted())
    }

    @Test func aSubscriberMayCancelInsideReceive() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { $0 }.first().subscribe(subscriber)
        await send([1], to: publisher)
        try KataSupport.expect(subscriber.history, equals: ["1", "|"])
        try await publisher.cancelled()
    }

    // MARK: - Cancellation

    @Test func cancellingCancelsTheTransforms() async throws {
        let transforms = KataSupport.CancellationProbe()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                try await transforms.run()
                return value
            }
            .subscribe(subscriber)
        await send([1, 2], to: publisher)
        subscriber.cancel()
        try await transforms.cancelled(2)
    }

    @Test func nothingArrivesAfterCancelling() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        publisher
            .asyncMap { value in
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

    // MARK: - Failures

    @Test func aFailureOfATransformArrivesAtOnce() async throws {
        let gate = KataSupport.Gate()
        defer { gate.open() }
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(time: clock)
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { [clock] value in
                if value == 1 {
                    await gate.passEvenIfCancelled()
                    return value
                }
                try await clock.sleep(for: .milliseconds(100))
                subscriber.input("2 throws")
                throw Failure("offline")
            }
            .subscribe(subscriber)
        await send([1, 2], to: publisher, noting: subscriber.input)
        await clock.advance(by: .seconds(1))
        try subscriber.expect([("x offline", .milliseconds(100))])
    }

    @Test func aFailureOfTheUpstreamArrivesAtOnce() async throws {
        let gate = KataSupport.Gate()
        defer { gate.open() }
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(time: clock)
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        publisher
            .asyncMap { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        await send([1], to: publisher, noting: subscriber.input)
        await clock.advance(by: .milliseconds(100))
        subscriber.input("x offline")
        publisher.send(completion: .failure(Failure("offline")))
        await clock.advance(by: .milliseconds(100))
        try subscriber.expect([("x offline", .milliseconds(100))])
    }

    @Test func aFailureOfATransformCancelsTheOthers() async throws {
        let others = KataSupport.CancellationProbe()
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
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

    @Test func aFailureOfATransformCancelsTheUpstream() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { _ -> Int in throw Failure("offline") }.subscribe(subscriber)
        await send([1], to: publisher)
        try await publisher.cancelled()
    }

    @Test func aFailureOfTheUpstreamCancelsTheTransforms() async throws {
        let transforms = KataSupport.CancellationProbe()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        publisher
            .asyncMap { value in
                try await transforms.run()
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        await send([1, 2], to: publisher)
        publisher.send(completion: .failure(Failure("offline")))
        try await transforms.cancelled(2)
    }

    @Test func aCancellationErrorOfATransformIsAFailure() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { _ -> Int in throw CancellationError() }.subscribe(subscriber)
        await send([1], to: publisher)
        try KataSupport.expect(subscriber.history, equals: ["x CancellationError()"])
    }

    @Test func aFailureDoesNotWaitForDemand() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .max(1))
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        publisher.asyncMap { $0 }.subscribe(subscriber)
        await send([1, 2, 3], to: publisher)
        publisher.send(completion: .failure(Failure("offline")))
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history.filter { $0.hasPrefix("x") }, equals: ["x offline"])
    }

    @Test func nothingComesAfterAFailure() async throws {
        let gate = KataSupport.Gate()
        defer { gate.open() }
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                if value == 2 { throw Failure("offline") }
                await gate.passEvenIfCancelled()
                if value == 3 { throw Failure("late") }
                return value
            }
            .subscribe(subscriber)
        await send([1, 3, 2], to: publisher)
        gate.open()
        publisher.send(completion: .finished)
        await KataSupport.settle()
        let fromTheFailureOn = subscriber.history.drop { !$0.hasPrefix("x") }
        try KataSupport.expect(Array(fromTheFailureOn), equals: ["x offline"])
    }

    // MARK: - Demand

    @Test func noTransformStartsBeforeTheFirstRequest() async throws {
        let started = KataSupport.Log<Int>()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .none)
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                started.record(value)
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        await send([1], to: publisher)
        try KataSupport.expect(started.events, equals: [])
        subscriber.request(.unlimited)
        await send([2], to: publisher)
        try KataSupport.expect(started.events.filter { $0 == 2 }, equals: [2])
    }

    @Test func nothingIsDeliveredBeyondTheDemand() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .max(2))
        Task { (1...5).publisher.asyncMap { $0 }.subscribe(subscriber) }
        await KataSupport.settle()
        defer { Task { subscriber.cancel() } }
        try expectResults(2, in: subscriber)
    }

    @Test func laterDemandCounts() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .max(2))
        let endless = (1...5).publisher.merge(with: Empty(completeImmediately: false))
        Task { endless.asyncMap { $0 }.subscribe(subscriber) }
        await KataSupport.settle()
        Task { subscriber.request(.max(1)) }
        await KataSupport.settle()
        defer { Task { subscriber.cancel() } }
        try expectResults(3, in: subscriber)
    }

    @Test func requestsAddUp() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .none)
        let gate = KataSupport.Gate()
        let endless = (1...10).publisher.merge(with: Empty(completeImmediately: false))
        let results = endless.asyncMap { value in
            await gate.passEvenIfCancelled()
            return value
        }
        Task { results.subscribe(subscriber) }
        await KataSupport.settle()
        Task {
            subscriber.request(.max(2))
            subscriber.request(.max(3))
        }
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        defer { Task { subscriber.cancel() } }
        try expectResults(5, in: subscriber)
    }

    @Test func theCompletionWaitsForTheDemand() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .max(1))
        Task { (1...3).publisher.asyncMap { $0 }.subscribe(subscriber) }
        await KataSupport.settle()
        Task { subscriber.request(.unlimited) }
        await KataSupport.settle()
        let results = subscriber.history.map { $0 == "|" ? $0 : "result" }
        try KataSupport.expect(results, equals: ["result", "result", "result", "|"])
    }

    @Test func demandThatIsReturnedCounts() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .max(1), returning: .max(1))
        Task { (1...5).publisher.asyncMap { $0 }.subscribe(subscriber) }
        await KataSupport.settle()
        defer { Task { subscriber.cancel() } }
        try expectResults(5, in: subscriber)
    }

    /// So many results, whichever they are.
    private func expectResults(_ count: Int, in subscriber: KataSupport.ProbeSubscriber<Int, any Error>) throws {
        let results = subscriber.values.map { _ in "result" }
        try KataSupport.expect(results, equals: Array(repeating: "result", count: count))
    }

    // MARK: - Threads

    @Test func aTransformThatRunsBlocksNoThread() async throws {
        let gate = KataSupport.Gate()
        defer { gate.open() }
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        await KataSupport.settle()
        try await KataSupport.expectNoBlockedThread {
            Task { publisher.send(1) }
        }
        try await gate.untilArrived(atLeast: 1)
        try await KataSupport.expectNoBlockedThread {
            Task { for value in 2...KataSupport.manyWaits { publisher.send(value) } }
        }
    }

    // MARK: - Races

    // Values, results, requests, cancellations and both kinds of failure and completion meet in pairs. Left out: an upstream that
    // ends with its own values, which come before its end, and two subscribers, which share nothing.

    @Test func theSubscriberIsCalledByOneThreadAtATime() async throws {
        for act in [Act.result, .completion, .failure, .failureOfATransform] {
            try await race(.result, act, pausing: true) { pipeline in
                let calls = pipeline.calls.events
                for begin in stride(from: 0, to: max(2, calls.count), by: 2) {
                    let call = Array(calls.dropFirst(begin).prefix(2))
                    try KataSupport.expect(call, equals: ["called", "returned"])
                }
            }
        }
    }

    @Test func valuesAndResultsOnTwoThreads() async throws {
        try await race(.value, .value) { try await $0.expectResults(2) }
        try await race(.value, .result) { try await $0.expectResults(2) }
        try await race(.request, .valueOnceAsked, demand: .none) { try await $0.expectResults(1) }
        try await race(.request, .request, demand: .none) { try await $0.expectResults(2) }
        try await race(.request, .result, demand: .max(1)) { try await $0.expectResults(2) }
    }

    @Test func theLastResultAndTheCompletionAtTheSameMoment() async throws {
        try await race(.result, .completion) {
            try KataSupport.expect($0.subscriber.history, equals: ["result", "|"])
        }
        // What the subscription begins, be it tasks or queues, runs in each order.
        try await KataSupport.explore { race in
            let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
            try await race.threads({ Just(1).asyncMap { $0 }.subscribe(subscriber) })
            try KataSupport.expect(subscriber.history, equals: ["1", "|"])
        }
    }

    @Test func cancellingWhileAValueComesLeavesNoTransform() async throws {
        try await race(.endlessValue, .cancellation) {
            try await $0.publisher.cancelled()
            try await $0.endless.cancelled($0.endless.starts)
        }
    }

    @Test func cancellingMayMeetAnything() async throws {
        for act in [Act.result, .failureOfATransform, .cancellation, .completion, .failure] {
            try await race(act, .cancellation, besides: true) {
                try KataSupport.expect($0.subscriber.history, isOneOf: [[], act.outcome])
                try await $0.endless.cancelled()
            }
        }
        // The first request may subscribe.
        try await race(.request, .cancellation, demand: .none) {
            try await $0.publisher.cancelled($0.publisher.subscriptions)
        }
    }

    @Test func aFailureMayMeetAnything() async throws {
        for act in [Act.endlessValue, .completion, .request, .failure, .failureOfATransform] {
            try await race(.failureOfATransform, act, besides: true) { try await $0.expectOneFailure() }
        }
        try await race(.failure, .request, besides: true) { try await $0.expectOneFailure() }
    }

    /// Lets two things happen to a pipeline at the same moment.
    ///
    /// - Parameters:
    ///   - besides: Whether a transform runs besides, until it is cancelled.
    ///   - pausing: Whether another thread may go on while the subscriber is called.
    private func race(
        _ first: Act, _ second: Act, demand: Subscribers.Demand = .unlimited, besides: Bool = false,
        pausing: Bool = false, then check: @escaping @Sendable (Pipeline) async throws -> Void
    ) async throws {
        try await KataSupport.explore { race in
            let pipeline = Pipeline(demand: demand, pausing: pausing)
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
        let publisher: KataSupport.ProbePublisher<Work, Failure>
        let subscriber: KataSupport.ProbeSubscriber<String, any Error>
        let endless = KataSupport.CancellationProbe()
        let calls = KataSupport.Log<String>()
        let asked = DispatchSemaphore(value: 0)

        init(demand: Subscribers.Demand, pausing: Bool) {
            publisher = KataSupport.ProbePublisher(whenRequested: { [asked] in asked.signal() })
            subscriber = KataSupport.ProbeSubscriber(demand: demand)
            let call = { [calls] in
                guard pausing else { return }
                calls.record("called")
                KataSupport.pause()
                calls.record("returned")
            }
            publisher.asyncMap { try await $0() }
                .handleEvents(receiveOutput: { _ in call() }, receiveCompletion: { _ in call() })
                .subscribe(subscriber)
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
            }, outcome: ["x offline"]
        ) { _, gate in gate.open() }
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

    /// What the transform holds is released when the pipeline has ended and its subscriber is gone: one that lets go of its
    /// subscription at the end, as Combine's own do.
    private func expectRelease(
        after end: (KataSupport.ProbePublisher<Int, Failure>, AnyCancellable) -> Void
    ) async throws {
        let probe = KataSupport.LeakProbe()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        do {
            let results = KataSupport.Log<Int>()
            let subscription =
                publisher
                .asyncMap { [token = probe.token()] value in withExtendedLifetime(token) { value } }
                .sink(receiveCompletion: { _ in }, receiveValue: { results.record($0) })
            await send([1], to: publisher)
            try KataSupport.expect(results.events, equals: [1])
            end(publisher, subscription)
            await KataSupport.settle()
        }
        try await probe.released()
    }
}
