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

    /// A loop that is busy with the first value until the gate is open. That value is 0, if it is sent here.
    private func busyLoop(
        over publisher: KataSupport.ProbePublisher<Int, Never>, until gate: KataSupport.Gate, hasBegun: Bool = true
    ) async -> KataSupport.Loop<Int> {
        let loop = KataSupport.Loop(
            handling: { _ in await gate.passEvenIfCancelled() }, over: { publisher.eraseToAnyPublisher().sequence })
        await KataSupport.settle()
        if hasBegun { publisher.send(0) }
        await KataSupport.settle()
        return loop
    }

    @Test func valuesThatComeTogetherKeepTheirOrder() async throws {
        // Tasks may run in any order, and blocks of a concurrent queue may overtake each other.
        try await KataSupport.explore { race in
            let (publisher, gate) = (KataSupport.ProbePublisher<Int, Never>(), KataSupport.Gate())
            let loop = await busyLoop(over: publisher, until: gate)
            try await race.threads({ [1, 2].forEach(publisher.send) })
            gate.open()
            await KataSupport.settle()
            try KataSupport.expect(loop.values, equals: [0, 1, 2])
            loop.cancel()
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

    // What does not meet: values and the end, which a publisher sends one after the other; two calls of `next()`, which one
    // iterator is not made for; two loops, which share nothing but the publisher; what the publisher sends and the making of
    // the iterator, as a value may come before it or after it.

    @Test func valuesFromSeveralThreadsAreAllReceived() async throws {
        // The loop waits for the first one, or is busy with another.
        for hasBegun in [false, true] {
            try await KataSupport.explore { race in
                let (publisher, gate) = (KataSupport.ProbePublisher<Int, Never>(), KataSupport.Gate())
                let loop = await busyLoop(over: publisher, until: gate, hasBegun: hasBegun)
                try await race.threads({ publisher.send(1) }, { publisher.send(2) })
                gate.open()
                await KataSupport.settle()
                try KataSupport.expect(loop.values.sorted(), equals: hasBegun ? [0, 1, 2] : [1, 2])
                loop.cancel()
            }
        }
    }

    @Test func aValueThatComesJustBeforeTheWaitIsReceived() async throws {
        try await KataSupport.explore { race in
            let (publisher, gate) = (KataSupport.ProbePublisher<Int, Never>(), KataSupport.Gate())
            let loop = await busyLoop(over: publisher, until: gate)
            try await race.threads({ gate.open() }, { publisher.send(1) })
            try KataSupport.expect(loop.values, equals: [0, 1])
            loop.cancel()
        }
        // So is the end.
        try await KataSupport.explore { race in
            let (publisher, gate) = (KataSupport.ProbePublisher<Int, Never>(), KataSupport.Gate())
            let loop = await busyLoop(over: publisher, until: gate)
            try await race.threads({ gate.open() }, { publisher.send(completion: .finished) })
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
        let events: [@Sendable (KataSupport.ProbePublisher<Int, Never>) -> Void] = [
            { $0.send(1) }, { $0.send(completion: .finished) },
        ]
        for event in events {
            try await KataSupport.explore { race in
                let publisher = KataSupport.ProbePublisher<Int, Never>()
                let loop = KataSupport.Loop { publisher.eraseToAnyPublisher().sequence }
                try await publisher.subscribed()
                await KataSupport.settle()
                try await race.threads({ event(publisher) }, { loop.cancel() })
                try await loop.ended()
            }
        }
        // The cancellation comes while the loop begins to wait.
        try await KataSupport.explore { race in
            let (publisher, gate) = (KataSupport.ProbePublisher<Int, Never>(), KataSupport.Gate())
            let loop = await busyLoop(over: publisher, until: gate)
            try await race.threads({ gate.open() }, { loop.cancel() })
            try await loop.ended()
        }
        // The release of the iterator, without a data race or a crash.
        try await KataSupport.explore { race in
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let steps = KataSupport.Steps(of: publisher.eraseToAnyPublisher().sequence)
            await KataSupport.settle()
            try await race.threads({ publisher.send(1) }, { steps.drop() })
        }
    }
}
