import AsyncMap
import Combine
import KataSupport
import Testing

@Suite(.ownProcess) struct AsyncMapTests {
    let clock = KataSupport.TestClock()

    // MARK: - Core

    @Test func valuesAreTransformed() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.asyncMap { "<\($0)>" }.subscribe(subscriber)
        for number in numbers { try await publisher.sendWhenAsked(number) }
        try await subscriber.received(4)
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.map { "<\($0)>" }.sorted())
    }

    @Test func transformsRunAtTheSameTime() async throws {
        let gate = KataSupport.Gate()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        [1, 2, 3, 4].publisher
            .asyncMap { value in
                try await gate.pass()
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        try await gate.untilWaiting(atLeast: 4)
    }

    @Test func resultsComeAsTheyFinish() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let milliseconds = [numbers[0]: 200, numbers[1]: 300, numbers[2]: 100]
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(time: clock)
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { [clock] value in
                try await clock.sleep(for: .milliseconds(milliseconds[value] ?? 0))
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        for number in numbers { try await publisher.sendWhenAsked(number) }
        await clock.advance(by: .seconds(1))
        try subscriber.expect([
            ("\(numbers[2])", .milliseconds(100)), ("\(numbers[0])", .milliseconds(200)),
            ("\(numbers[1])", .milliseconds(300)),
        ])
    }

    @Test func aFailureOfTheUpstreamArrivesAsItIs() async throws {
        let failure = KataSupport.Failure("offline")
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        Fail<Int, KataSupport.Failure>(error: failure).asyncMap { $0 }.subscribe(subscriber)
        try await subscriber.ended()
        try KataSupport.expect(subscriber.result, throws: failure)
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
        try await publisher.sendWhenAsked(1)
        try await publisher.sendWhenAsked(2)
        try await transforms.started(2)
        subscriber.cancel()
        try await transforms.cancelled(2)
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
                throw KataSupport.Failure("offline")
            }
            .subscribe(subscriber)
        try await publisher.sendWhenAsked(1)
        try await publisher.sendWhenAsked(2)
        await clock.advance(by: .seconds(1))
        try subscriber.expect([("x offline", .milliseconds(100))])
    }

    @Test func aFailureOfTheUpstreamArrivesAtOnce() async throws {
        let gate = KataSupport.Gate()
        defer { gate.open() }
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(time: clock)
        let publisher = KataSupport.ProbePublisher<Int, KataSupport.Failure>()
        publisher
            .asyncMap { value in
                await gate.passEvenIfCancelled()
                return value
            }
            .subscribe(subscriber)
        try await publisher.sendWhenAsked(1)
        await clock.advance(by: .milliseconds(100))
        publisher.send(completion: .failure(KataSupport.Failure("offline")))
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
                throw KataSupport.Failure("offline")
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        for number in 1...3 { try await publisher.sendWhenAsked(number) }
        try await others.started(2)
        gate.open()
        try await others.cancelled(2)
    }

    @Test func aFailureOfTheUpstreamCancelsTheTransforms() async throws {
        let transforms = KataSupport.CancellationProbe()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, KataSupport.Failure>()
        publisher
            .asyncMap { value in
                try await transforms.run()
                return value
            }
            .subscribe(subscriber)
        defer { subscriber.cancel() }
        try await publisher.sendWhenAsked(1)
        try await publisher.sendWhenAsked(2)
        try await transforms.started(2)
        publisher.send(completion: .failure(KataSupport.Failure("offline")))
        try await transforms.cancelled(2)
    }

    @Test func nothingComesAfterAFailure() async throws {
        let gate = KataSupport.Gate()
        defer { gate.open() }
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher
            .asyncMap { value in
                if value == 2 { throw KataSupport.Failure("offline") }
                await gate.passEvenIfCancelled()
                if value == 3 { throw KataSupport.Failure("late") }
                return value
            }
            .subscribe(subscriber)
        try await publisher.sendWhenAsked(1)
        try await publisher.sendWhenAsked(3)
        try await gate.untilWaiting(atLeast: 2)
        try await publisher.sendWhenAsked(2)
        await KataSupport.settle()
        gate.open()
        publisher.send(completion: .finished)
        try await subscriber.ended()
        await KataSupport.settle()
        let fromTheFailureOn = subscriber.history.drop { !$0.hasPrefix("x") }
        try KataSupport.expect(Array(fromTheFailureOn), equals: ["x offline"])
    }

    // MARK: - Demand

    @Test func noTransformStartsBeforeTheFirstRequest() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        let started = KataSupport.Log<Int>()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .none)
        [number].publisher
            .asyncMap { value in
                started.record(value)
                return value
            }
            .subscribe(subscriber)
        await KataSupport.settle()
        try KataSupport.expect(started.events, equals: [])
        subscriber.request(.unlimited)
        try await started.until(count: 1)
    }

    @Test func nothingIsDeliveredBeyondTheDemand() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>(demand: .max(2))
        numbers.publisher.asyncMap { $0 }.subscribe(subscriber)
        await KataSupport.settle()
        try KataSupport.expect(subscriber.values.count, equals: 2)
        subscriber.request(.max(1))
        await KataSupport.settle()
        try KataSupport.expect(subscriber.values.count, equals: 3)
        subscriber.request(.unlimited)
        try await subscriber.received(5)
        try KataSupport.expect(subscriber.values.sorted(), equals: numbers.sorted())
    }
}
