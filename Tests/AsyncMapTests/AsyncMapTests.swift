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
        try await KataSupport.inCase("nil") { try await expectNil() }
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
        try await KataSupport.inCase("cancel") { try await expectTheOther() }
    }

    /// A `nil` is a result.
    private func expectNil() async throws {
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

    /// Cancelling one subscription leaves the other.
    private func expectTheOther() async throws {
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

    @Test func aFailureArrivesAtOnce() async throws {
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
        try await KataSupport.inCase("upstream") { try await expectUpstreamFailure() }
        try await KataSupport.inCase("upstream, demand") { try await expectFailureWithoutDemand() }
    }

    /// A failure of the upstream does not wait for the transforms.
    private func expectUpstreamFailure() async throws {
        let clock = KataSupport.TestClock()
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

    @Test func aFailureCancelsTheRest() async throws {
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
        try await KataSupport.inCase("throws, upstream") { try await expectCancelledUpstream() }
        try await KataSupport.inCase("upstream fails") { try await expectCancelledTransforms() }
    }

    /// It cancels the upstream.
    private func expectCancelledUpstream() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { _ -> Int in throw Failure("offline") }.subscribe(subscriber)
        await send([1], to: publisher)
        try await publisher.cancelled()
    }

    /// A failure of the upstream cancels the transforms.
    private func expectCancelledTransforms() async throws {
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

    /// Nor does it wait for demand.
    private func expectFailureWithoutDemand() async throws {
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
        try await KataSupport.inCase("request, request") { try await expectSum() }
        try await KataSupport.inCase("finished") { try await expectCompletion() }
        try await KataSupport.inCase("receive(_:)") { try await expectReturnedDemand() }
    }

    /// Two requests in a row.
    private func expectSum() async throws {
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

    /// The completion comes after all results.
    private func expectCompletion() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .max(1))
        Task { (1...3).publisher.asyncMap { $0 }.subscribe(subscriber) }
        await KataSupport.settle()
        Task { subscriber.request(.unlimited) }
        await KataSupport.settle()
        let results = subscriber.history.map { $0 == "|" ? $0 : "result" }
        try KataSupport.expect(results, equals: ["result", "result", "result", "|"])
    }

    /// What `receive(_:)` returns is demand, too.
    private func expectReturnedDemand() async throws {
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

    // Values, results, requests, cancellations and both kinds of failure and completion meet: each thread does what belongs together,
    // one after the other. Left out: an upstream that ends with its own values, which come before its end, a cancellation with a failure
    // of the upstream, which goes where that of a transform goes, and two subscribers, which share nothing.

    @Test func theSubscriberIsCalledByOneThreadAtATime() async throws {
        try await race(while: [.returns, .returns], pausing: true, { $0.end(0) }, { $0.end(1) }) {
            try $0.expectOneCallAtATime()
        }
        try await race(while: [.fails, .returns], pausing: true, { $0.end(0) }, { $0.end(1) }) {
            try $0.expectOneCallAtATime()
            try await $0.expectOneFailure()
        }
    }

    @Test func valuesAndResultsOnTwoThreads() async throws {
        try await race(
            demand: .max(2), { $0.send(.returns) },
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

    @Test func cancellingMayMeetAnything() async throws {
        try await race({ $0.subscriber.cancel() }, { $0.send(.isEndless) }) {
            try await $0.publisher.cancelled()
            try await $0.expectNothingLeft()
        }
        try await KataSupport.inCase("result, failure, request") { try await raceAnything() }
    }

    /// A cancellation and anything else at the same moment.
    private func raceAnything() async throws {
        try await race(
            while: [.returns, .fails, .isEndless], { $0.subscriber.cancel() },
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
    }

    @Test func aFailureMayMeetAnything() async throws {
        try await race(
            while: [.fails, .isEndless], { $0.end(0) },
            {
                $0.send(.isEndless)
                $0.subscriber.request(.max(1))
                $0.publisher.send(completion: .finished)
            }
        ) { try await $0.expectOneFailure() }
        try await race(
            while: [.fails, .isEndless], { $0.end(0) },
            { $0.publisher.send(completion: .failure(Failure("offline"))) }
        ) { try await $0.expectOneFailure() }
    }

    /// Lets two threads do something with a pipeline.
    ///
    /// - Parameters:
    ///   - running: The transforms that run already.
    ///   - pausing: Whether another thread may go on while the subscriber is called.
    private func race(
        demand: Subscribers.Demand = .unlimited, while running: [Transform] = [], pausing: Bool = false,
        _ first: @escaping @Sendable (Pipeline) -> Void, _ second: @escaping @Sendable (Pipeline) -> Void,
        then check: @escaping @Sendable (Pipeline) async throws -> Void
    ) async throws {
        try await KataSupport.explore { race in
            let pipeline = Pipeline(demand: demand, pausing: pausing)
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
        let publisher: KataSupport.ProbePublisher<@Sendable () async throws -> String, Failure>
        let subscriber: KataSupport.ProbeSubscriber<String, any Error>
        let asked = DispatchSemaphore(value: 0)
        private let endless = KataSupport.CancellationProbe()
        private let calls = KataSupport.Log<String>()
        private let gates = (0..<2).map { _ in KataSupport.Gate() }
        private let started = KataSupport.Log<Transform>()

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
        try await KataSupport.inCase("failed") {
            try await expectRelease { publisher, _ in publisher.send(completion: .failure(Failure("offline"))) }
        }
        try await KataSupport.inCase("cancel") { try await expectRelease { _, subscription in subscription.cancel() } }
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
