import Combine
import FirstValue
import KataSupport
import Testing

@Suite(.ownProcess) struct FirstValueTests {
    typealias Failure = KataSupport.Failure

    // MARK: - firstValue

    @Test func firstValueOfASynchronousPublisher() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let value = try await KataSupport.withDeadline { await numbers.publisher.firstValue }
        try KataSupport.expect(value, equals: numbers[0])
    }

    @Test func firstValueThatComesLater() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let value = Task { await publisher.firstValue }
        try await publisher.asked(for: .max(1))
        numbers.forEach(publisher.send)
        let received = try await KataSupport.withDeadline { await value.value }
        try KataSupport.expect(received, equals: numbers[0])
    }

    @Test func firstValueFromAnotherThread() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let value = Task { await publisher.firstValue }
        try await publisher.asked(for: .max(1))
        try await KataSupport.onThreads(1) { _ in publisher.send(number) }
        let received = try await KataSupport.withDeadline { await value.value }
        try KataSupport.expect(received, equals: number)
    }

    @Test func upstreamIsCancelledAfterTheValue() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        Task { await publisher.firstValue }
        try await publisher.asked(for: .max(1))
        publisher.send(1)
        try await publisher.cancelled()
    }

    // MARK: - firstValueThrowing

    @Test func throwingValueOfASynchronousPublisher() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let result = try await KataSupport.result {
            try await numbers.publisher.setFailureType(to: Failure.self).firstValueThrowing
        }
        try KataSupport.expect(result, equals: numbers[0])
    }

    @Test func throwingValueThatComesLater() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { try await publisher.firstValueThrowing }
        try await publisher.asked(for: .max(1))
        numbers.forEach(publisher.send)
        let result = try await KataSupport.result { try await value.value }
        try KataSupport.expect(result, equals: numbers[0])
    }

    @Test func cancellingTheTaskThrowsAtOnce() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { try await publisher.firstValueThrowing }
        try await publisher.asked(for: .max(1))
        value.cancel()
        try KataSupport.expectCancellation(try await KataSupport.result { try await value.value })
    }

    @Test func aRaceOfThreadsResumesOnce() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        for _ in 0..<50 {
            let publisher = KataSupport.ProbePublisher<Int, Failure>()
            let value = Task { try await publisher.firstValueThrowing }
            try await publisher.asked(for: .max(1))
            try await KataSupport.onThreads(4) { publisher.send(numbers[$0]) }
            let received = try await KataSupport.withDeadline { try await value.value }
            try KataSupport.expect(received, isOneOf: numbers)
        }
    }

    @Test func nothingIsKeptAlive() async throws {
        let probe = KataSupport.LeakProbe()
        func use(_ wait: @escaping @Sendable (AnyPublisher<Int, Never>) async throws -> Int) async throws {
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let value = Task { [token = probe.token()] in
                try await wait(publisher.handleEvents(receiveOutput: { _ in _ = token }).eraseToAnyPublisher())
            }
            try await publisher.asked(for: .max(1))
            publisher.send(1)
            _ = try await KataSupport.withDeadline { try await value.value }
        }
        try await use { await $0.firstValue }
        try await use { try await $0.firstValueThrowing }
        try await probe.released()
    }
}
