import AsyncMerge
import KataSupport
import Testing

@Suite(.ownProcess) struct AsyncMergeTests {
    typealias Operation = @Sendable () async throws -> Int

    let clock = KataSupport.TestClock()

    /// An operation that takes so long on the test's clock.
    func operation(_ value: Int, takes milliseconds: Int) -> Operation {
        { [clock] in
            try await clock.sleep(for: .milliseconds(milliseconds))
            return value
        }
    }

    /// An operation that runs until it is cancelled.
    func running(_ probe: KataSupport.CancellationProbe) -> Operation {
        {
            try await probe.run()
            return 0
        }
    }

    /// An operation that fails once the gate is open.
    func failing(after gate: KataSupport.Gate) -> Operation {
        {
            try await gate.pass()
            throw KataSupport.Failure("offline")
        }
    }

    /// Records what a stream yields, `|` for its end and `x` for an error, each with its virtual time.
    func history(of stream: AsyncThrowingStream<Int, any Error>) -> KataSupport.Log<String> {
        let history = KataSupport.Log<String>(time: clock)
        Task {
            do {
                for try await value in stream { history.record("\(value)") }
                history.record("|")
            } catch let failure as KataSupport.Failure {
                history.record("x \(failure.name)")
            } catch {
                history.record("x \(error)")
            }
        }
        return history
    }

    // MARK: - merge

    @Test func mergeRunsOperationsAtTheSameTime() async throws {
        let gate = KataSupport.Gate()
        let waiting: Operation = {
            try await gate.pass()
            return 0
        }
        let merge = Task { try await AsyncMerge.merge([waiting, waiting, waiting, waiting]) }
        defer { merge.cancel() }
        try await gate.untilWaiting(atLeast: 4)
    }

    @Test func mergeOfNothingIsEmpty() async throws {
        let results = try await KataSupport.withDeadline { try await AsyncMerge.merge([Operation]()) }
        try KataSupport.expect(results, equals: [])
    }

    @Test func mergeKeepsTheOrderOfTheOperations() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let times = values.reordered([100, 200, 300, 400, 500])
        let operations = zip(numbers, times).map { operation($0, takes: $1) }
        let merge = Task { try await AsyncMerge.merge(operations) }
        await clock.advance(by: .seconds(5))
        let results = try await KataSupport.withDeadline { try await merge.value }
        try KataSupport.expect(results, equals: numbers)
    }

    @Test func mergeCancelsTheOthersAfterAnError() async throws {
        let others = KataSupport.CancellationProbe()
        let gate = KataSupport.Gate()
        let operations = [running(others), failing(after: gate), running(others)]
        let merge = Task { try await AsyncMerge.merge(operations) }
        defer { merge.cancel() }
        try await others.started(2)
        try await gate.untilWaiting(atLeast: 1)
        gate.open()
        try await others.cancelled(2)
    }

    // MARK: - mergeStream

    @Test func streamYieldsResultsAsTheyFinishThenEnds() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let operations = zip(numbers, [200, 300, 100]).map { operation($0, takes: $1) }
        let history = history(of: AsyncMerge.mergeStream(operations))
        await clock.advance(by: .seconds(1))
        try history.expect([
            ("\(numbers[2])", .milliseconds(100)), ("\(numbers[0])", .milliseconds(200)),
            ("\(numbers[1])", .milliseconds(300)), ("|", .milliseconds(300)),
        ])
    }

    @Test func streamThrowsTheErrorThatIsFirstInTime() async throws {
        let operations: [Operation] = [
            { [clock] in
                try? await clock.sleep(for: .milliseconds(200))
                throw KataSupport.Failure("second")
            },
            { [clock] in
                try await clock.sleep(for: .milliseconds(100))
                throw KataSupport.Failure("first")
            },
        ]
        let history = history(of: AsyncMerge.mergeStream(operations))
        await clock.advance(by: .seconds(1))
        try history.expect([("x first", .milliseconds(100))])
    }

    @Test func streamStartsItsOperationsAtOnce() async throws {
        let operation = KataSupport.CancellationProbe()
        let stream = AsyncMerge.mergeStream([running(operation)])
        try await operation.started()
        withExtendedLifetime(stream) {}
    }

    @Test func streamCancelsWhatRunsAfterAnError() async throws {
        let others = KataSupport.CancellationProbe()
        let gate = KataSupport.Gate()
        // The stream and its consumer stay, so that only the error can have told the others.
        let stream = AsyncMerge.mergeStream([running(others), failing(after: gate)])
        let history = history(of: stream)
        try await others.started()
        try await gate.untilWaiting(atLeast: 1)
        gate.open()
        try await others.cancelled()
        withExtendedLifetime((stream, history)) {}
    }

    @Test func streamCancelsWhatRunsWhenItsConsumerIsCancelled() async throws {
        let operation = KataSupport.CancellationProbe()
        let stream = AsyncMerge.mergeStream([running(operation)])
        let consumer = Task {
            for try await _ in stream {}
        }
        try await operation.started()
        consumer.cancel()
        try await operation.cancelled()
        // The stream stays, so that only the cancellation can have told the operation.
        withExtendedLifetime(stream) {}
    }

    @Test func streamCancelsWhatRunsWhenItIsDropped() async throws {
        let operation = KataSupport.CancellationProbe()
        let gate = KataSupport.Gate()
        var values = KataSupport.Values()
        let number = values.integer()
        let first: Operation = {
            try await gate.pass()
            return number
        }
        let running = running(operation)
        Task {
            try await operation.started()
            gate.open()
        }
        let received = try await KataSupport.withDeadline {
            try await AsyncMerge.mergeStream([first, running]).first { _ in true }
        }
        try KataSupport.expect(received, equals: number)
        try await operation.cancelled()
    }
}
