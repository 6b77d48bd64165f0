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

    @Test func valuesThatComeTogetherKeepTheirOrder() async throws {
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        await KataSupport.settle()
        // Tasks run in any order, and blocks of a concurrent queue may overtake each other.
        try await KataSupport.inAnyOrder {
            for burst in 0..<30 {
                let numbers = (0..<10).map { 10 * burst + $0 }
                numbers.forEach(publisher.send)
                try? await loop.received(10 * burst + 10)
                try KataSupport.expect(Array(loop.values.dropFirst(10 * burst)), equals: numbers)
            }
        }
    }

    // MARK: - Buffering

    @Test func anUnboundedBufferKeepsEverything() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(20)
        let received = try await receivedByASlowLoop(numbers) { [publisher] in
            publisher.eraseToAnyPublisher().sequence
        }
        try KataSupport.expect(received, equals: numbers)

        // A buffer with a limit is enough for few values only.
        let count = 2_000
        let gate = KataSupport.Gate()
        let busy = KataSupport.ProbePublisher<Int, Never>()
        let loop = KataSupport.Loop(
            handling: { _ in await gate.passEvenIfCancelled() }, over: { busy.eraseToAnyPublisher().sequence })
        await KataSupport.settle()
        for number in 0..<count { busy.send(number) }
        await KataSupport.settle()
        gate.open()
        try? await loop.received(count)
        try KataSupport.expect(Set(loop.values).count, equals: count)
    }

    @Test func bufferingOldestKeepsTheOldest() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(8)
        let received = try await receivedByASlowLoop(numbers) { [publisher] in
            CombineAsyncPublisher(publisher.eraseToAnyPublisher(), bufferingPolicy: .bufferingOldest(3))
        }
        try KataSupport.expect(received, equals: [numbers[0]] + numbers[1...3])
    }

    @Test func bufferingNewestKeepsTheNewest() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(8)
        let received = try await receivedByASlowLoop(numbers) { [publisher] in
            CombineAsyncPublisher(publisher.eraseToAnyPublisher(), bufferingPolicy: .bufferingNewest(3))
        }
        try KataSupport.expect(received, equals: [numbers[0]] + numbers[5...7])
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
        // A queue that subscribes is quick enough now and then.
        for count in 1...100 {
            let steps = KataSupport.Steps(of: publisher.eraseToAnyPublisher().sequence)
            try KataSupport.expect(publisher.subscriptions, equals: count)
            steps.drop()
        }
    }

    @Test func valuesSentBeforeTheFirstNextAreKept() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let steps = KataSupport.Steps(of: publisher.eraseToAnyPublisher().sequence)
        numbers.forEach(publisher.send)
        await KataSupport.settle()
        try await KataSupport.expect([steps.next(), steps.next()], equals: numbers)
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
    }

    // MARK: - Threads

    @Test func waitingBlocksNoThread() async throws {
        var loop: KataSupport.Loop<Int>?
        try await KataSupport.expectNoBlockedThread {
            loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        }
        try KataSupport.expect(loop?.isEnded, equals: false)
        let publishers = (0..<KataSupport.manyWaits).map { _ in KataSupport.ProbePublisher<Int, Never>() }
        try await KataSupport.expectNoBlockedThread {
            for publisher in publishers { _ = KataSupport.Loop { publisher.eraseToAnyPublisher().sequence } }
        } afterwards: {
            for publisher in publishers { publisher.send(completion: .finished) }
        }
    }

    @Test func valuesFromSeveralThreadsAreAllReceived() async throws {
        let publisher = KataSupport.UnguardedPublisher<Int, Never>()
        let racers = KataSupport.Racers(2)
        // The loop does not wait for a value meanwhile: what happens then is for the next test.
        let gate = KataSupport.Gate()
        let loop = KataSupport.Loop(
            handling: { _ in try? await gate.pass() }, over: { publisher.eraseToAnyPublisher().sequence })
        await KataSupport.settle()
        publisher.send(-1)
        try await loop.received(1)
        // The threads meet in each round: a system that holds one of them up for a moment holds up few values.
        try await racers.race(rounds: 25) { thread, round in
            for value in 0..<100 { publisher.send(2_500 * thread + 100 * round + value) }
        }
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(Set(loop.values).count, equals: 5_001)
    }

    @Test func aValueThatComesJustBeforeTheWaitIsReceived() async throws {
        let publisher = KataSupport.UnguardedPublisher<Int, Never>()
        let received = KataSupport.FollowUp()
        let loop = KataSupport.Loop(handling: { _ in received.note() }, over: { publisher.sequence })
        await KataSupport.settle()
        let numbers = Array(1...500)
        // Each value comes while the loop begins to wait for it, unless the one before was not received.
        try? await KataSupport.onThreads(1) { _ in
            for number in numbers {
                publisher.send(number)
                received.wait(for: number)
            }
        }
        try KataSupport.expect(loop.values.count, equals: numbers.count)
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

    // MARK: - Cancellation

    @Test func cancellingTheTaskEndsTheLoop() async throws {
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        try await publisher.subscribed()
        await KataSupport.settle()
        loop.cancel()
        defer { publisher.send(completion: .finished) }  // ends a loop that goes on
        try await loop.ended()
    }

    @Test func theUpstreamIsCancelledAlthoughTheIteratorStays() async throws {
        let gate = KataSupport.Gate()
        let loop = KataSupport.Loop(keepingIteratorUntil: gate) { [publisher] in
            publisher.eraseToAnyPublisher().sequence
        }
        try await publisher.subscribed()
        await KataSupport.settle()
        loop.cancel()
        defer {
            publisher.send(completion: .finished)
            gate.open()
        }
        try await publisher.cancelled()
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
        defer { publisher.send(completion: .finished) }
        await KataSupport.settle()
        gate.open()
        try await loop.ended()
    }

    @Test func aValueAndACancellationMayMeet() async throws {
        // An answer that blocks its thread does so in each round.
        try await KataSupport.expectNoBlockedThread {
            _ = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        }
        let racers = KataSupport.Racers(2)
        let count = 10
        for _ in KataSupport.rounds(50) {
            let publishers = (0..<count).map { _ in KataSupport.ProbePublisher<Int, Never>() }
            let loops = publishers.map { publisher in
                KataSupport.Loop { publisher.eraseToAnyPublisher().sequence }
            }
            await KataSupport.settle()
            try KataSupport.expect(publishers.map(\.subscriptions), equals: Array(repeating: 1, count: count))
            try await racers.race(rounds: count) { thread, round in
                if thread == 0 { publishers[round].send(round) } else { loops[round].cancel() }
            }
            defer { publishers.forEach { $0.send(completion: .finished) } }
            for loop in loops { try await loop.ended() }
        }
    }
}
