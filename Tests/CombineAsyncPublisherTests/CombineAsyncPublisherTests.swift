import Combine
import CombineAsyncPublisher
import KataSupport
import Testing

@Suite(.ownProcess) struct CombineAsyncPublisherTests {
    let publisher = KataSupport.ProbePublisher<Int, Never>()

    /// What a loop receives that is busy with the first value while the others come.
    func receivedByASlowLoop<Values: AsyncSequence>(
        _ numbers: [Int], over makeSequence: @escaping @Sendable () -> Values
    ) async throws -> [Int]
    where Values: SendableMetatype, Values.AsyncIterator: SendableMetatype, Values.Element == Int {
        let gate = KataSupport.Gate()
        let loop = KataSupport.Loop(handling: { _ in await gate.passEvenIfCancelled() }, over: makeSequence)
        await KataSupport.settle()
        publisher.send(numbers[0])
        await KataSupport.settle()
        for number in numbers.dropFirst() {
            publisher.send(number)
            // An answer may send values through a queue of its own: they have to be in the buffer before the loop goes on.
            await KataSupport.settle()
        }
        gate.open()
        await KataSupport.settle()
        loop.cancel()
        return loop.values
    }

    @Test func valuesComeInOrder() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        await KataSupport.settle()
        for number in numbers {
            try await publisher.sendWhenAsked(number)
            await KataSupport.settle()
        }
        try KataSupport.expect(loop.values, equals: numbers)
    }

    // MARK: - Buffering

    @Test func anUnboundedBufferKeepsEverything() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(20)
        let received = try await receivedByASlowLoop(numbers) { [publisher] in
            publisher.eraseToAnyPublisher().sequence
        }
        try KataSupport.expect(received, equals: numbers)
    }

    @Test func bufferingOldestKeepsTheOldest() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(7)
        let received = try await receivedByASlowLoop(numbers) { [publisher] in
            CombineAsyncPublisher(publisher.eraseToAnyPublisher(), bufferingPolicy: .bufferingOldest(3))
        }
        try KataSupport.expect(received, equals: [numbers[0]] + numbers[1...3])
    }

    @Test func bufferingNewestKeepsTheNewest() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(7)
        let received = try await receivedByASlowLoop(numbers) { [publisher] in
            CombineAsyncPublisher(publisher.eraseToAnyPublisher(), bufferingPolicy: .bufferingNewest(3))
        }
        try KataSupport.expect(received, equals: [numbers[0]] + numbers[4...6])
    }

    @Test func valuesSentDuringTheSubscriptionAreKept() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let loop = KataSupport.Loop { numbers.publisher.eraseToAnyPublisher().sequence }
        try await loop.received(4)
        try KataSupport.expect(loop.values, equals: numbers)
    }

    // MARK: - The end

    @Test func theLoopEndsWithThePublisher() async throws {
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        try await publisher.subscribed()
        await KataSupport.settle()
        publisher.send(completion: .finished)
        try await loop.ended()
    }

    @Test func whatIsBufferedComesBeforeTheEnd() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let gate = KataSupport.Gate()
        let loop = KataSupport.Loop(
            handling: { _ in await gate.passEvenIfCancelled() },
            over: { [publisher] in publisher.eraseToAnyPublisher().sequence })
        await KataSupport.settle()
        publisher.send(numbers[0])
        await KataSupport.settle()
        numbers.dropFirst().forEach(publisher.send)
        publisher.send(completion: .finished)
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        loop.cancel()
        try KataSupport.expect(loop.values, equals: numbers)
    }

    @Test func nextAfterTheEndReturnsNil() async throws {
        let steps = KataSupport.Steps(of: publisher.eraseToAnyPublisher().sequence)
        let first = Task { try await steps.next() }
        await KataSupport.settle()
        try KataSupport.expect(publisher.subscriptions, equals: 1)
        publisher.send(completion: .finished)
        let ends = try await [first.value, steps.next(), steps.next()]
        try KataSupport.expect(ends, equals: [nil, nil, nil])
        steps.drop()
    }

    @Test func cancellingTheTaskEndsTheLoop() async throws {
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        try await publisher.subscribed()
        await KataSupport.settle()
        loop.cancel()
        try await loop.ended()
    }

    @Test func aLoopInACancelledTaskEnds() async throws {
        let gate = KataSupport.Gate()
        let loop = KataSupport.Loop(
            handling: { _ in await gate.passEvenIfCancelled() },
            over: { [publisher] in publisher.eraseToAnyPublisher().sequence })
        await KataSupport.settle()
        publisher.send(1)
        try await gate.untilWaiting(atLeast: 1)
        // The task is cancelled while the loop is busy, before `next()` begins to wait.
        loop.cancel()
        await KataSupport.settle()
        gate.open()
        try await loop.ended()
    }

    // MARK: - Subscriptions

    @Test func twoLoopsEachGetEveryValue() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let sequence = publisher.eraseToAnyPublisher().sequence
        let first = KataSupport.Loop { sequence }
        let second = KataSupport.Loop { sequence }
        await KataSupport.settle()
        for number in numbers {
            publisher.send(number)
            await KataSupport.settle()
        }
        try KataSupport.expect([first.values, second.values], equals: [numbers, numbers])
    }

    @Test func aSecondLoopBeginsAnew() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let sequence = numbers.publisher.eraseToAnyPublisher().sequence
        let first = KataSupport.Loop { sequence }
        try await first.received(3)
        await KataSupport.settle()
        let second = KataSupport.Loop { sequence }
        try await second.received(3)
        try KataSupport.expect(second.values, equals: numbers)
        withExtendedLifetime(first) {}
    }

    @Test func nothingIsSubscribedBeforeTheIterator() async throws {
        let sequence = publisher.eraseToAnyPublisher().sequence
        await KataSupport.settle()
        try KataSupport.expect(publisher.events, equals: [])
        let loop = KataSupport.Loop { sequence }
        try await publisher.subscribed()
        withExtendedLifetime(loop) {}
    }

    @Test func makingTheIteratorSubscribes() async throws {
        let steps = KataSupport.Steps(of: publisher.eraseToAnyPublisher().sequence)
        try KataSupport.expect(publisher.subscriptions, equals: 1)
        steps.drop()
    }

    @Test func everythingIsAskedFor() async throws {
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        await KataSupport.settle()
        try KataSupport.expect(publisher.asked, equals: .unlimited)
        withExtendedLifetime(loop) {}
    }

    // MARK: - Values

    @Test func nilIsAValueLikeAnyOther() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        let publisher = KataSupport.ProbePublisher<Int?, Never>()
        let loop = KataSupport.Loop { publisher.eraseToAnyPublisher().sequence }
        await KataSupport.settle()
        for value in [nil, number, nil] {
            publisher.send(value)
            await KataSupport.settle()
        }
        let received = loop.values.map { $0.map { "\($0)" } ?? "nil" }
        try KataSupport.expect(received, equals: ["nil", "\(number)", "nil"])
        loop.cancel()
    }

    // MARK: - Threads

    @Test func valuesFromSeveralThreadsAreAllReceived() async throws {
        let publisher = Unguarded()
        let racers = KataSupport.Racers(2)
        let loop = KataSupport.Loop { publisher.eraseToAnyPublisher().sequence }
        await KataSupport.settle()
        for round in 0..<10 {
            try await racers.race { thread in
                for value in 0..<1_000 { publisher.send(2_000 * round + 1_000 * thread + value) }
            }
            await KataSupport.settle()
        }
        try KataSupport.expect(Set(loop.values).count, equals: 20_000)
        loop.cancel()
    }

    @Test func aValueAndACancellationMayMeet() async throws {
        let racers = KataSupport.Racers(2)
        for round in 0..<100 {
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let loop = KataSupport.Loop { publisher.eraseToAnyPublisher().sequence }
            await KataSupport.settle()
            try KataSupport.expect(publisher.subscriptions, equals: 1)
            try await racers.race { thread in
                if thread == 0 { publisher.send(round) } else { loop.cancel() }
            }
            try await loop.ended()
        }
    }

    // MARK: - Memory

    @Test func whatHasFinishedIsReleased() async throws {
        let probe = KataSupport.LeakProbe()
        let publisher = publisher
        var values = KataSupport.Values()
        let number = values.integer()
        let loop = KataSupport.Loop {
            publisher.map { [token = probe.token()] value in withExtendedLifetime(token) { value } }
                .eraseToAnyPublisher().sequence
        }
        await KataSupport.settle()
        publisher.send(number)
        publisher.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(loop.values, equals: [number])
        try await probe.released()
    }
}

/// A publisher without a lock, which lets several threads into its subscriber at the same moment.
private final class Unguarded: Publisher, @unchecked Sendable {  // the subscriber is set before there are threads
    typealias Output = Int
    typealias Failure = Never

    private var subscriber: (any Subscriber<Int, Never>)?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        self.subscriber = subscriber
        subscriber.receive(subscription: Subscriptions.empty)
    }

    func send(_ value: Int) {
        _ = subscriber?.receive(value)
    }
}
