import AsyncMerge
import KataSupport
import Synchronization
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

    /// Two operations that end at the same moment: each waits a little for the other one, on a thread of its own.
    private final class Pair: Sendable {
        private let arrivals = Atomic<Int>(0)

        func meet() {
            arrivals.add(1, ordering: .acquiringAndReleasing)
            var spins = 0
            while arrivals.load(ordering: .acquiring) < 2, spins < 5_000 { spins += 1 }
        }
    }

    /// One of two results takes some microseconds to be copied: so long after its operation has ended is it handed over, if
    /// another thread does not wait for that.
    private enum Parcel: Sendable {
        case light
        case heavy(Four<Four<Four<Four<Four<Object>>>>>)

        static let heavy = Self.heavy(Four(Four(Four(Four(Four(Object()))))))
    }

    private struct Four<Part: Sendable>: Sendable {
        let parts: (Part, Part, Part, Part)

        init(_ part: Part) { parts = (part, part, part, part) }
    }

    private final class Object: Sendable {}

    private typealias Pairs = [(gates: [KataSupport.RaceGate], operations: [@Sendable () async throws -> Parcel])]

    /// Two operations that end at the same moment, for each round.
    private func pairs(_ count: Int) -> Pairs {
        (0..<count).map { _ in
            let gates = [KataSupport.RaceGate(), KataSupport.RaceGate()]
            let operations = zip(gates, [Parcel.light, .heavy]).map { gate, parcel in
                { @Sendable () async throws -> Parcel in
                    await gate.pass()
                    return parcel
                }
            }
            return (gates, operations)
        }
    }

    private func readToTheEnd<Value: Sendable>(
        _ streams: [AsyncThrowingStream<Value, any Error>], expecting count: Int
    ) async throws {
        let result = try await KataSupport.result {
            var count = 0
            for stream in streams {
                for try await _ in stream { count += 1 }
            }
            return count
        }
        if case .success(let yielded) = result, yielded < count {
            throw KataSupport.Mismatch(expected: "\(count)", actual: "\(yielded)", kind: .missing)
        }
        try KataSupport.expect(result, equals: count)
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

    @Test func resultsThatComeAtTheSameMomentAreKept() async throws {
        // An answer that blocks its thread does so for each call.
        try await KataSupport.expectNoBlockedThread {
            let gate = KataSupport.Gate()
            let held: Operation = {
                try await gate.pass()
                return 1
            }
            Task { try await AsyncMerge.merge([held]) }
            await KataSupport.settle()
            gate.open()
        }
        // A count may go wrong with the last two results of a stream: of many streams of two, each has them. An answer may
        // have a thread for each, so only some of them are there at the same time.
        let racers = KataSupport.Racers(2)
        for part in KataSupport.rounds(5) {
            let streamed = pairs(100)
            let streams = streamed.map { AsyncMerge.mergeStream($0.operations) }
            let merged = pairs(40)
            let merges = merged.map { pair in Task { try await AsyncMerge.merge(pair.operations).count } }
            await KataSupport.settle()
            let gates = (streamed + merged).map(\.gates)
            try await racers.race(rounds: gates.count) { thread, round in
                // The heavy one is copied before it is counted, too: how much earlier it has to come differs from answer to
                // answer.
                if thread == 0 { KataSupport.spin(nanoseconds: (round + part) % 40 * 500) }
                gates[round][thread].open()
            }
            try await readToTheEnd(streams, expecting: 2 * streams.count)
            let results = try await KataSupport.result {
                var count = 0
                for merge in merges { count += try await merge.value }
                return count
            }
            try KataSupport.expect(results, equals: 2 * merges.count)
        }

        // A task that waits between its count and its result may be overtaken there.
        try await KataSupport.inAnyOrder {
            for _ in 0..<20 {
                let stream = AsyncMerge.mergeStream((0..<10).map { number -> Operation in { number } })
                try await readToTheEnd([stream], expecting: 10)
            }
        }

        @Sendable func operations() -> [Operation] {
            let pairs = (0..<100).map { _ in Pair() }
            return (0..<200).map { number in
                {
                    await Task.yield()
                    pairs[number / 2].meet()
                    return number
                }
            }
        }
        try await KataSupport.inParallel {
            for _ in KataSupport.rounds(25) {
                let merged = try await KataSupport.result { Set(try await AsyncMerge.merge(operations())).count }
                try KataSupport.expect(merged, equals: 200)
                try await readToTheEnd([AsyncMerge.mergeStream(operations())], expecting: 200)
            }
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
