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
        try await publisher.sendWhenAsked(numbers[0])
        try await gate.untilWaiting(atLeast: 1)
        numbers.dropFirst().forEach(publisher.send)
        gate.open()
        await KataSupport.settle()
        loop.cancel()
        return loop.values
    }

    @Test func valuesComeInOrder() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        for (index, number) in numbers.enumerated() {
            try await publisher.sendWhenAsked(number)
            try await loop.received(index + 1)
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
        try await publisher.sendWhenAsked(numbers[0])
        try await gate.untilWaiting(atLeast: 1)
        numbers.dropFirst().forEach(publisher.send)
        publisher.send(completion: .finished)
        gate.open()
        try await loop.ended()
        try KataSupport.expect(loop.values, equals: numbers)
    }

    // MARK: - Subscriptions

    @Test func twoLoopsEachGetEveryValue() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let sequence = publisher.eraseToAnyPublisher().sequence
        let first = KataSupport.Loop { sequence }
        let second = KataSupport.Loop { sequence }
        await KataSupport.settle()
        numbers.forEach(publisher.send)
        await KataSupport.settle()
        try KataSupport.expect([first.values, second.values], equals: [numbers, numbers])
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
}
