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
    func running(_ probe: KataSupport.CancellationProbe, holding token: KataSupport.LeakProbe.Token? = nil) -> Operation
    {
        {
            try await probe.run()
            withExtendedLifetime(token) {}
            return 0
        }
    }

    /// An operation that fails once the gate is open.
    func failing(after gate: KataSupport.Gate, holding token: KataSupport.LeakProbe.Token? = nil) -> Operation {
        {
            try await gate.pass()
            withExtendedLifetime(token) {}
            throw KataSupport.Failure("offline")
        }
    }

    /// Operations that give their names after so many milliseconds, which is the input of the log.
    func operations(
        _ names: [String], after milliseconds: [Int], in history: KataSupport.Log<String>
    ) -> [@Sendable () async throws -> String] {
        zip(names, milliseconds).map { [clock] name, milliseconds in
            {
                try await clock.sleep(for: .milliseconds(milliseconds))
                history.input(name)
                return name
            }
        }
    }

    /// Records what a stream yields, `|` for its end and `x` for an error, each with its virtual time.
    func history<Value: Sendable>(of stream: AsyncThrowingStream<Value, any Error>) -> KataSupport.Log<String> {
        let history = KataSupport.Log<String>(time: clock)
        record(stream, in: history)
        return history
    }

    func record<Value: Sendable>(
        _ stream: AsyncThrowingStream<Value, any Error>, in history: KataSupport.Log<String>
    ) {
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
    }

    // MARK: - merge

    @Test func mergeRunsOperationsAtTheSameTime() async throws {
        let gate = KataSupport.Gate()
        let waiting: Operation = {
            try await gate.pass()
            return 0
        }
        Task { try await AsyncMerge.merge([waiting, waiting]) }
        // Opened at the end: what becomes of operations that are cancelled is not the point here.
        defer { gate.open() }
        try await gate.untilWaiting(atLeast: 2)
    }

    @Test func mergeDoesNotBlockItsThread() async throws {
        let operations = [operation(1, takes: 100), operation(2, takes: 200)]
        let results = KataSupport.Observed(0)
        try await KataSupport.expectNoBlockedThread {
            Task {
                let merged = try await AsyncMerge.merge(operations)
                results.update { $0 = merged.count }
            }
            await clock.advance(by: .seconds(1))
        }
        try KataSupport.expect(results.value, equals: 2)
        try await KataSupport.expectNoBlockedThread {
            for _ in 0..<KataSupport.manyWaits { Task { try await AsyncMerge.merge(operations) } }
        } afterwards: {
            await clock.advance(by: .seconds(1))
        }
    }

    @Test func mergeOfNothingIsEmpty() async throws {
        let results = try await KataSupport.result { try await AsyncMerge.merge([Operation]()) }
        try KataSupport.expect(results, equals: [])
    }

    @Test func mergeKeepsTheOrderOfTheOperations() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let times = values.reordered([100, 200, 300, 400, 500])
        let operations = zip(numbers, times).map { operation($0, takes: $1) }
        let merge = Task { try await AsyncMerge.merge(operations) }
        await clock.advance(by: .seconds(5))
        let results = try await KataSupport.result { try await merge.value }
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

    @Test func aCancelledMergeThrows() async throws {
        let operations = KataSupport.CancellationProbe()
        let both: [Operation] = [{ 1 }, running(operations)]
        let caller = Task { try await AsyncMerge.merge(both) }
        try await operations.started()
        caller.cancel()
        let result = try await KataSupport.result { try await caller.value }
        try KataSupport.expectCancellation(result)
    }

    @Test func mergeInACancelledTaskEnds() async throws {
        let operations = KataSupport.CancellationProbe()
        let running = running(operations)
        let gate = KataSupport.Gate()
        let caller = Task {
            await gate.passEvenIfCancelled()
            return try await AsyncMerge.merge([running, running])
        }
        try await gate.untilWaiting(atLeast: 1)
        caller.cancel()
        gate.open()
        let result = try await KataSupport.result { try await caller.value }
        try KataSupport.expectCancellation(result)
        // Operations that start nevertheless, even after the end, are cancelled.
        await KataSupport.settle()
        try await operations.cancelled(operations.starts)
    }

    // MARK: - mergeStream

    @Test func streamDoesNotBlockAThread() async throws {
        let operations = [operation(1, takes: 100), operation(2, takes: 200)]
        let failing: Operation = { throw KataSupport.Failure("offline") }
        var histories: [KataSupport.Log<String>] = []
        try await KataSupport.expectNoBlockedThread {
            histories = [operations, operations + [failing]].map { history(of: AsyncMerge.mergeStream($0)) }
            await clock.advance(by: .seconds(1))
        }
        try KataSupport.expect(Array(histories[0].events.suffix(1)), equals: ["|"])
        try await KataSupport.expectNoBlockedThread {
            for _ in 0..<KataSupport.manyWaits { _ = history(of: AsyncMerge.mergeStream(operations)) }
        } afterwards: {
            await clock.advance(by: .seconds(1))
        }
    }

    @Test func streamYieldsEachResultWhenItIsReady() async throws {
        var values = KataSupport.Values()
        let names = values.labels(3)
        let history = KataSupport.Log<String>(time: clock)
        record(AsyncMerge.mergeStream(operations(names, after: [100, 200, 300], in: history)), in: history)
        await clock.advance(by: .seconds(1))
        try history.expect([
            (names[0], .milliseconds(100)), (names[1], .milliseconds(200)), (names[2], .milliseconds(300)),
            ("|", .milliseconds(300)),
        ])
    }

    @Test func streamYieldsResultsAsTheyFinishThenEnds() async throws {
        var values = KataSupport.Values()
        let names = values.labels(3)
        let history = KataSupport.Log<String>(time: clock)
        record(AsyncMerge.mergeStream(operations(names, after: [200, 300, 100], in: history)), in: history)
        await clock.advance(by: .seconds(1))
        try history.expect([
            (names[2], .milliseconds(100)), (names[0], .milliseconds(200)), (names[1], .milliseconds(300)),
            ("|", .milliseconds(300)),
        ])
    }

    @Test func streamOfNothingEnds() async throws {
        let history = history(of: AsyncMerge.mergeStream([Operation]()))
        history.input("no operations")
        await KataSupport.settle()
        try history.expect([("|", .zero)])
    }

    @Test func streamThrowsTheErrorThatIsFirstInTime() async throws {
        let history = KataSupport.Log<String>(time: clock)
        let operations: [Operation] = [
            { [clock] in
                // It does not notice that it is cancelled, and the error does not wait for it.
                await Task { try? await clock.sleep(for: .milliseconds(200)) }.value
                history.input("x second")
                throw KataSupport.Failure("second")
            },
            { [clock] in
                try await clock.sleep(for: .milliseconds(100))
                history.input("x first")
                throw KataSupport.Failure("first")
            },
        ]
        record(AsyncMerge.mergeStream(operations), in: history)
        await clock.advance(by: .seconds(1))
        try history.expect([("x first", .milliseconds(100))])
    }

    @Test func streamThrowsACancellationErrorOfAnOperation() async throws {
        let history = KataSupport.Log<String>(time: clock)
        let operations: [Operation] = [
            { throw CancellationError() },
            { [clock] in
                try await clock.sleep(for: .milliseconds(100))
                return 1
            },
        ]
        record(AsyncMerge.mergeStream(operations), in: history)
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["x CancellationError()"])
    }

    @Test func streamStartsItsOperationsAtOnce() async throws {
        let operation = KataSupport.CancellationProbe()
        let stream = AsyncMerge.mergeStream([running(operation)])
        try await operation.started()
        withExtendedLifetime(stream) {}
    }

    @Test func streamKeepsWhatIsNotReadYet() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(4)
        let operations = zip(numbers, [100, 200, 300, 400]).map { operation($0, takes: $1) }
        let stream = AsyncMerge.mergeStream(operations)
        await clock.advance(by: .seconds(1))
        let history = history(of: stream)
        await clock.advance(by: .seconds(1))
        try KataSupport.expect(history.events, equals: numbers.map { "\($0)" } + ["|"])
        // A buffer with a limit is enough for few results only.
        let count = 2_000
        let many = AsyncMerge.mergeStream((0..<count).map { number -> Operation in { number } })
        await KataSupport.settle()
        let read = self.history(of: many)
        await KataSupport.settle()
        try KataSupport.expect(Set(read.events).subtracting(["|"]).count, equals: count)
    }

    @Test func streamCancelsWhatRunsAfterAnError() async throws {
        let others = KataSupport.CancellationProbe()
        let gate = KataSupport.Gate()
        // The stream and its consumer stay, so that only the error can have told the others.
        let stream = AsyncMerge.mergeStream([running(others), failing(after: gate), running(others)])
        let history = history(of: stream)
        try await others.started(2)
        try await gate.untilWaiting(atLeast: 1)
        gate.open()
        try await others.cancelled(2)
        withExtendedLifetime((stream, history)) {}
    }

    @Test func streamCancelsWhatRunsWhenItsConsumerIsCancelled() async throws {
        let operations = KataSupport.CancellationProbe()
        let stream = AsyncMerge.mergeStream([running(operations), running(operations)])
        let consumer = Task {
            for try await _ in stream {}
        }
        try await operations.started(2)
        consumer.cancel()
        try await operations.cancelled(2)
        // The stream stays, so that only the cancellation can have told the operations.
        withExtendedLifetime(stream) {}
    }

    @Test func streamCancelsWhatRunsWhenItIsDropped() async throws {
        let operations = KataSupport.CancellationProbe()
        let gate = KataSupport.Gate()
        var values = KataSupport.Values()
        let number = values.integer()
        let first: Operation = {
            try await gate.pass()
            return number
        }
        let running = running(operations)
        Task {
            try await operations.started(2)
            gate.open()
        }
        let received = try await KataSupport.withDeadline {
            try await AsyncMerge.mergeStream([first, running, running]).first { _ in true }
        }
        try KataSupport.expect(received, equals: number)
        try await operations.cancelled(2)
    }

    // MARK: - Both

    @Test func thereIsNoLimitOnHowManyRun() async throws {
        let count = 60
        let gate = KataSupport.Gate()
        let waiting: Operation = {
            try await gate.pass()
            return 0
        }
        Task { try await AsyncMerge.merge(Array(repeating: waiting, count: count)) }
        defer { gate.open() }
        try await gate.untilWaiting(atLeast: count)
        let stream = AsyncMerge.mergeStream(Array(repeating: waiting, count: count))
        let history = history(of: stream)
        try await gate.untilWaiting(atLeast: 2 * count)
        withExtendedLifetime((stream, history)) {}
    }

    @Test func nilIsAResultLikeAnyOther() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        let operations: [@Sendable () async throws -> Int?] = [{ nil }, { number }, { nil }]
        let expected = ["\(number)", "nil", "nil"]
        func text(_ result: Int?) -> String { result.map { "\($0)" } ?? "nil" }
        let merged = try await KataSupport.result { try await AsyncMerge.merge(operations) }
        try KataSupport.expect(merged.map { $0.map(text).sorted() }, equals: expected)
        let yielded = try await KataSupport.result {
            var yielded: [Int?] = []
            for try await result in AsyncMerge.mergeStream(operations) { yielded.append(result) }
            return yielded
        }
        try KataSupport.expect(yielded.map { $0.map(text).sorted() }, equals: expected)
    }

    @Test func callsDoNotAffectEachOther() async throws {
        let gate = KataSupport.Gate()
        let held: Operation = {
            try await gate.pass()
            return 2
        }
        let merged = Task { try await AsyncMerge.merge([held, { 3 }]) }
        let streamed = history(of: AsyncMerge.mergeStream([held]))
        await KataSupport.settle()
        let merge = try await KataSupport.result { try await AsyncMerge.merge([{ 1 }]) }
        let stream = history(of: AsyncMerge.mergeStream([{ 1 }]))
        await KataSupport.settle()
        gate.open()
        let results = try await KataSupport.result { try await merged.value }
        await KataSupport.settle()
        try KataSupport.expect(merge, equals: [1])
        try KataSupport.expect(results, equals: [2, 3])
        try KataSupport.expect(stream.events, equals: ["1", "|"])
        try KataSupport.expect(streamed.events, equals: ["2", "|"])
    }

    // MARK: - Races

    // Results, errors, a cancellation and the beginning of a call meet: each operation ends as soon as it has begun. Left out: a
    // stream that is dropped, which goes where a consumer that is cancelled goes, and two calls, which share nothing.

    @Test func resultsThatComeAtTheSameMomentAreKept() async throws {
        for function in Function.allCases {
            try await race(function, [{ 1 }, { 2 }]) {
                try KataSupport.expect($0.outcome.map { $0.sorted() }, equals: [1, 2])
            }
        }
    }

    @Test func anErrorMayMeetAnything() async throws {
        for function in Function.allCases {
            try await race(function, [Self.failing, Self.failing], besides: true) {
                try KataSupport.expect($0.outcome, throws: KataSupport.Failure("offline"))
                try await $0.endless.cancelled($0.endless.starts)
            }
        }
    }

    @Test func aCancellationMayMeetAnything() async throws {
        for function in Function.allCases {
            try await race(function, [{ 1 }, Self.failing], besides: true, { $0.cancel() }) {
                switch $0.outcome {
                case .failure(is KataSupport.Failure): break
                // A loop over a stream may end without an error where it is cancelled.
                case .success where function == .mergeStream: break
                default: try KataSupport.expectCancellation($0.outcome)
                }
                try await $0.endless.cancelled($0.endless.starts)
            }
        }
    }

    private static let failing: Operation = { throw KataSupport.Failure("offline") }

    private enum Function: CaseIterable {
        case merge
        case mergeStream

        func call(_ operations: [Operation]) async throws -> [Int] {
            switch self {
            case .merge: return try await AsyncMerge.merge(operations)
            case .mergeStream:
                var results: [Int] = []
                for try await result in AsyncMerge.mergeStream(operations) { results.append(result) }
                return results
            }
        }
    }

    /// How a call has ended, and the operation that ran besides until it was cancelled.
    private struct End {
        var outcome: Result<[Int], any Error>
        var endless: KataSupport.CancellationProbe
    }

    /// Lets a call begin while its operations run and end.
    ///
    /// - Parameters:
    ///   - besides: Whether an operation runs besides, until it is cancelled.
    ///   - act: What another thread does meanwhile with the caller.
    private func race(
        _ function: Function, _ operations: [Operation], besides: Bool = false,
        _ act: (@Sendable (Task<[Int], any Error>) -> Void)? = nil,
        then check: @escaping @Sendable (End) async throws -> Void
    ) async throws {
        try await KataSupport.explore { race in
            let endless = KataSupport.CancellationProbe()
            let gate = KataSupport.Gate()
            let caller = Task {
                await gate.passEvenIfCancelled()
                return try await function.call(operations + (besides ? [running(endless)] : []))
            }
            try await gate.untilWaiting(atLeast: 1)
            // The call begins first, unless it is interrupted.
            try await race.threads({
                gate.open()
                if let act { Task { act(caller) } }
            })
            try await check(End(outcome: KataSupport.result(of: caller), endless: endless))
        }
    }

    // MARK: - Memory

    @Test func whatHasEndedIsReleased() async throws {
        let probe = KataSupport.LeakProbe()
        var values = KataSupport.Values()
        let number = values.integer()
        @Sendable func operations() -> [Operation] {
            (0..<2).map { _ in
                { [token = probe.token()] in
                    withExtendedLifetime(token) {}
                    return number
                }
            }
        }
        let merged = try await KataSupport.result { try await AsyncMerge.merge(operations()) }
        try KataSupport.expect(merged, equals: [number, number])
        let history = history(of: AsyncMerge.mergeStream(operations()))
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["\(number)", "\(number)", "|"])
        try await probe.released()
    }

    @Test func whatHasFailedIsReleased() async throws {
        let probe = KataSupport.LeakProbe()
        let gate = KataSupport.Gate(isOpen: true)
        @Sendable func operations() -> [Operation] {
            let others = KataSupport.CancellationProbe()
            return [running(others, holding: probe.token()), failing(after: gate, holding: probe.token())]
        }
        let result = try await KataSupport.result { try await AsyncMerge.merge(operations()) }
        try KataSupport.expect(result, throws: KataSupport.Failure("offline"))
        let history = history(of: AsyncMerge.mergeStream(operations()))
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["x offline"])
        try await probe.released()
    }
}
