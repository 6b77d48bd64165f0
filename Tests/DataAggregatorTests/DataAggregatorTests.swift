import DataAggregator
import Foundation
import KataSupport
import Testing

@Suite(.ownProcess) struct DataAggregatorTests {
    typealias Failure = KataSupport.Failure
    typealias Call = Task<AggregatedData, any Error>

    let clock = KataSupport.TestClock()

    /// All orders in which three requests can finish, as the times that they take.
    static let orders = [
        [100, 200, 300], [100, 300, 200], [200, 100, 300], [200, 300, 100], [300, 100, 200], [300, 200, 100],
    ]

    /// An aggregator whose requests return these identifiers.
    func aggregator(
        users: @escaping @Sendable () async throws -> [Int], posts: @escaping @Sendable () async throws -> [Int],
        comments: @escaping @Sendable () async throws -> [Int]
    ) -> DataAggregator {
        DataAggregator(
            fetchUsers: { try await users().map { .init(id: $0) } },
            fetchPosts: { try await posts().map { .init(id: $0) } },
            fetchComments: { try await comments().map { .init(id: $0) } })
    }

    /// A request that takes so long on the test's clock.
    func request(_ identifiers: [Int], takes milliseconds: Int) -> Request.Answer {
        { [clock] in
            try await clock.sleep(for: .milliseconds(milliseconds))
            return identifiers
        }
    }

    /// A request that fails after so long on the test's clock.
    func failing(_ name: String, after milliseconds: Int) -> Request.Answer {
        { [clock] in
            try? await clock.sleep(for: .milliseconds(milliseconds))
            throw Failure(name)
        }
    }

    /// A request that runs until it is cancelled.
    func running(_ probe: KataSupport.CancellationProbe) -> Request.Answer {
        {
            try await probe.run()
            return []
        }
    }

    /// How a call ended, its data as text.
    func parts(of call: Call) async throws -> Result<[String], any Error> {
        try await KataSupport.result(of: call).map(\.parts)
    }

    /// Three requests, of which the failing one takes each place once.
    func inEachPlace<Request>(_ failing: Request, others: Request) -> [[Request]] {
        (0..<3).map { place in (0..<3).map { $0 == place ? failing : others } }
    }

    // MARK: - Core

    @Test func allThreeRunAtTheSameTime() async throws {
        await KataSupport.settle()
        let gate = KataSupport.Gate()
        let waiting: Request.Answer = {
            try await gate.pass()
            return []
        }
        let aggregator = aggregator(users: waiting, posts: waiting, comments: waiting)
        Task { try await aggregator.fetchAllData() }
        // Opened at the end: what becomes of requests that are cancelled is not the point here.
        defer { gate.open() }
        try await gate.untilWaiting(atLeast: 3)
    }

    @Test func anErrorArrivesAsItIs() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        for failing in 0..<3 {
            let requests = (0..<3).map { place in
                place == failing
                    ? self.failing(name, after: 100 * (place + 1)) : request([place], takes: 100 * (place + 1))
            }
            let aggregator = aggregator(users: requests[0], posts: requests[1], comments: requests[2])
            let call = Task { try await aggregator.fetchAllData() }
            await clock.advance(by: .seconds(1))
            try KataSupport.expect(try await parts(of: call), throws: Failure(name))
        }
    }

    @Test func cancellingTheCallerCancelsAllThree() async throws {
        await KataSupport.settle()
        let requests = KataSupport.CancellationProbe()
        let aggregator = aggregator(users: running(requests), posts: running(requests), comments: running(requests))
        let caller = Task { try await aggregator.fetchAllData() }
        try await requests.started(3)
        caller.cancel()
        try await requests.cancelled(3)
        try await expectCancellationsOfLastRequests()
    }

    /// Three calls, each with another request that still runs. The other two have their parts already.
    private func expectCancellationsOfLastRequests() async throws {
        let running = KataSupport.CancellationProbe()
        let callers = (0..<3).map { place in
            let requests = (0..<3).map { $0 == place ? self.running(running) : { @Sendable in [] } }
            let aggregator = aggregator(users: requests[0], posts: requests[1], comments: requests[2])
            return Task { try await aggregator.fetchAllData() }
        }
        try await running.started(3)
        await KataSupport.settle()
        for caller in callers { caller.cancel() }
        try await running.cancelled(3)
    }

    // MARK: - Places

    @Test func partsStayInTheirPlacesInAnyOrder() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let parts = (0..<3).map { _ in values.unsorted() }
        for times in Self.orders {
            let aggregator = aggregator(
                users: request(parts[0], takes: times[0]), posts: request(parts[1], takes: times[1]),
                comments: request(parts[2], takes: times[2]))
            let call = Task { try await aggregator.fetchAllData() }
            await clock.advance(by: .seconds(1))
            let expected = ["users \(parts[0])", "posts \(parts[1])", "comments \(parts[2])"]
            try KataSupport.expect(try await self.parts(of: call), equals: expected)
        }
    }

    @Test func anEmptyPartStaysInItsPlace() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        // Each part is empty twice, in two orders.
        for (index, times) in Self.orders.enumerated() {
            let parts = numbers.enumerated().map { $0 == index % 3 ? [] : [$1] }
            let aggregator = aggregator(
                users: request(parts[0], takes: times[0]), posts: request(parts[1], takes: times[1]),
                comments: request(parts[2], takes: times[2]))
            let call = Task { try await aggregator.fetchAllData() }
            await clock.advance(by: .seconds(1))
            let expected = ["users \(parts[0])", "posts \(parts[1])", "comments \(parts[2])"]
            try KataSupport.expect(try await self.parts(of: call), equals: expected)
        }
    }

    // MARK: - Errors

    @Test func aRequestThatHasFailedIsNotMadeAgain() async throws {
        await KataSupport.settle()
        let names = ["users", "posts", "comments"]
        let made = KataSupport.Log<String>()
        for (place, name) in names.enumerated() {
            let failing: Request.Answer = { [failing = failing("offline", after: 100)] in
                made.record(name)
                return try await failing()
            }
            let requests = (0..<3).map { $0 == place ? failing : request([$0], takes: 200) }
            let aggregator = aggregator(users: requests[0], posts: requests[1], comments: requests[2])
            Task { try await aggregator.fetchAllData() }
            await clock.advance(by: .seconds(1))
        }
        try KataSupport.expect(made.events, equals: names)
    }

    @Test func theErrorThatIsFirstInTimeIsThrown() async throws {
        await KataSupport.settle()
        for requests in inEachPlace(failing("first", after: 100), others: failing("later", after: 200)) {
            let aggregator = aggregator(users: requests[0], posts: requests[1], comments: requests[2])
            let call = Task { try await aggregator.fetchAllData() }
            await clock.advance(by: .seconds(1))
            try KataSupport.expect(try await parts(of: call), throws: Failure("first"))
        }
    }

    @Test func anErrorDoesNotWaitForTheOthers() async throws {
        await KataSupport.settle()
        for failing in 0..<3 {
            let clock = KataSupport.TestClock()
            let history = KataSupport.Log<String>(time: clock)
            let requests = ["users", "posts", "comments"].enumerated().map { place, name -> Request.Answer in
                {
                    try await clock.sleep(for: .milliseconds(place == failing ? 100 : 900))
                    history.input(place == failing ? "\(name) x offline" : name)
                    if place == failing { throw Failure("offline") }
                    return []
                }
            }
            let aggregator = aggregator(users: requests[0], posts: requests[1], comments: requests[2])
            Task {
                do {
                    _ = try await aggregator.fetchAllData()
                    history.record("data")
                } catch {
                    history.record("x \((error as? Failure)?.name ?? String(describing: error))")
                }
            }
            await clock.advance(by: .seconds(1))
            try history.expect([("x offline", .milliseconds(100))])
        }
    }

    @Test func anErrorCancelsTheOthers() async throws {
        await KataSupport.settle()
        for place in 0..<3 {
            let others = KataSupport.CancellationProbe()
            let requests = (0..<3).map { $0 == place ? failing("offline", after: 100) : running(others) }
            let aggregator = aggregator(users: requests[0], posts: requests[1], comments: requests[2])
            let call = Task { try await aggregator.fetchAllData() }
            defer { call.cancel() }
            try await others.started(2)
            await clock.advance(by: .seconds(1))
            try await others.cancelled(2)
        }
    }

    // MARK: - Cancellation

    @Test func aCancelledCallThrows() async throws {
        await KataSupport.settle()
        let requests = KataSupport.CancellationProbe()
        let aggregator = aggregator(users: { [1] }, posts: running(requests), comments: running(requests))
        let caller = Task { try await aggregator.fetchAllData() }
        try await requests.started(2)
        caller.cancel()
        try KataSupport.expectCancellation(try await parts(of: caller))
    }

    @Test func aCallInACancelledTaskThrows() async throws {
        await KataSupport.settle()
        let requests = KataSupport.CancellationProbe()
        let aggregator = aggregator(users: running(requests), posts: running(requests), comments: running(requests))
        let gate = KataSupport.Gate()
        let caller = Task {
            await gate.passEvenIfCancelled()
            return try await aggregator.fetchAllData()
        }
        try await gate.untilWaiting(atLeast: 1)
        caller.cancel()
        gate.open()
        try KataSupport.expectCancellation(try await parts(of: caller))
    }

    // MARK: - Several calls

    /// A request that answers each call in its own way; calls without an answer return nothing, at once.
    final class Request: Sendable {
        typealias Answer = @Sendable () async throws -> [Int]

        private let answers: [Answer]
        private let calls = KataSupport.Observed(0)

        init(_ answers: [Answer]) {
            self.answers = answers
        }

        @Sendable func fetch() async throws -> [Int] {
            let call = calls.update { calls in
                defer { calls += 1 }
                return calls
            }
            return call < answers.count ? try await answers[call]() : []
        }
    }

    /// An aggregator whose first call gets the first answers, and so on.
    func aggregator(users: [Request.Answer], posts: [Request.Answer], comments: [Request.Answer])
        -> DataAggregator
    {
        let requests = [users, posts, comments].map { Request($0) }
        return aggregator(users: requests[0].fetch, posts: requests[1].fetch, comments: requests[2].fetch)
    }

    @Test func eachCallFetchesAgain() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let aggregator = aggregator(
            users: [{ [numbers[0]] }, { [numbers[3]] }], posts: [{ [numbers[1]] }, { [numbers[4]] }],
            comments: [{ [numbers[2]] }, { [numbers[5]] }])
        for numbers in [numbers[0..<3], numbers[3..<6]].map(Array.init) {
            let call = Task { try await aggregator.fetchAllData() }
            let expected = ["users [\(numbers[0])]", "posts [\(numbers[1])]", "comments [\(numbers[2])]"]
            try KataSupport.expect(try await parts(of: call), equals: expected)
        }
    }

    @Test func twoCallsDoNotMix() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let requests = KataSupport.Log<String>()
        func recorded(_ part: String, _ answers: Request.Answer...) -> [Request.Answer] {
            answers.map { answer in
                {
                    requests.record(part)
                    return try await answer()
                }
            }
        }
        let aggregator = aggregator(
            users: recorded("users", request([numbers[0]], takes: 100), request([numbers[3]], takes: 300)),
            posts: recorded("posts", request([numbers[1]], takes: 400), request([numbers[4]], takes: 200)),
            comments: recorded("comments", request([numbers[2]], takes: 600), request([numbers[5]], takes: 500)))
        let first = Task { try await aggregator.fetchAllData() }
        await KataSupport.settle()
        let second = Task { try await aggregator.fetchAllData() }
        await KataSupport.settle()
        let whileTheFirstRuns = requests.events.sorted()
        await clock.advance(by: .seconds(1))
        let inBothCalls = ["comments", "comments", "posts", "posts", "users", "users"]
        if whileTheFirstRuns != inBothCalls, requests.events.sorted() == inBothCalls {
            throw KataSupport.Mismatch(
                expected: inBothCalls.joined(separator: ", "), actual: whileTheFirstRuns.joined(separator: ", "),
                kind: .late)
        }
        let results = [try await parts(of: first), try await parts(of: second)]
        try KataSupport.expect(requests.events.sorted(), equals: inBothCalls)
        for (result, numbers) in zip(results, [numbers[0..<3], numbers[3..<6]].map(Array.init)) {
            let expected = ["users [\(numbers[0])]", "posts [\(numbers[1])]", "comments [\(numbers[2])]"]
            try KataSupport.expect(result, equals: expected)
        }
    }

    @Test func aCallThatEndsLeavesTheOthersAlone() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        for (first, isCancelled) in [(request([0], takes: 900), true), (failing("offline", after: 100), false)] {
            let long = request([0], takes: 900)
            let aggregator = aggregator(
                users: [first, request([numbers[0]], takes: 300)], posts: [long, request([numbers[1]], takes: 300)],
                comments: [long, request([numbers[2]], takes: 300)])
            let ending = Task { try await aggregator.fetchAllData() }
            await KataSupport.settle()
            let going = Task { try await aggregator.fetchAllData() }
            await KataSupport.settle()
            if isCancelled { ending.cancel() }
            await clock.advance(by: .seconds(1))
            let expected = ["users [\(numbers[0])]", "posts [\(numbers[1])]", "comments [\(numbers[2])]"]
            try KataSupport.expect(try await parts(of: going), equals: expected)
        }
    }

    // MARK: - Threads

    @Test func aCallBlocksNoThread() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let aggregator = aggregator(
            users: request([numbers[0]], takes: 100), posts: request([numbers[1]], takes: 200),
            comments: request([numbers[2]], takes: 300))
        let results = KataSupport.Log<String>()
        try await KataSupport.expectNoBlockedThread {
            Task {
                for part in try await aggregator.fetchAllData().parts { results.record(part) }
            }
            for _ in 1..<KataSupport.manyWaits { Task { try await aggregator.fetchAllData() } }
        } afterwards: {
            await clock.advance(by: .seconds(1))
        }
        let expected = ["users [\(numbers[0])]", "posts [\(numbers[1])]", "comments [\(numbers[2])]"]
        try KataSupport.expect(results.events, equals: expected)
    }

    // MARK: - Races

    // Parts, errors, a cancellation and the beginning of a call meet: each request ends as soon as it has begun. Two calls begin
    // together. Left out: what comes of one call with what comes of another, since the two share nothing after they have begun.

    @Test func partsThatComeAtTheSameMomentAreKept() async throws {
        let expected = ["users [0]", "posts [1]", "comments [2]"]
        try await race([.comes, .comes, .comes]) { try KataSupport.expect($0.outcome, equals: expected) }
        try await KataSupport.explore { race in
            let gates = [KataSupport.Gate(), KataSupport.Gate()]
            let aggregator = aggregator(users: { [0] }, posts: { [1] }, comments: { [2] })
            let calls = gates.map { gate in
                Task {
                    await gate.passEvenIfCancelled()
                    return try await aggregator.fetchAllData()
                }
            }
            for gate in gates { try await gate.untilWaiting(atLeast: 1) }
            try await race.threads({ gates[0].open() }, { gates[1].open() })
            for call in calls { try await KataSupport.expect(self.parts(of: call), equals: expected) }
        }
    }

    @Test func anErrorMayMeetAnything() async throws {
        try await race([.fails, .fails, .isMissing]) {
            try KataSupport.expect($0.outcome, throws: Failure("offline"))
            try await $0.missing.cancelled($0.missing.starts)
        }
    }

    @Test func aCancellationMayMeetAnything() async throws {
        try await race([.comes, .fails, .isMissing], { $0.cancel() }) {
            if case .failure(is Failure) = $0.outcome {} else { try KataSupport.expectCancellation($0.outcome) }
            try await $0.missing.cancelled($0.missing.starts)
        }
    }

    /// What becomes of a request.
    private enum Part {
        case comes
        case fails
        /// It runs until it is cancelled.
        case isMissing
    }

    /// How a call has ended, and the requests that ran until they were cancelled.
    private struct End {
        var outcome: Result<[String], any Error>
        var missing: KataSupport.CancellationProbe
    }

    /// Lets a call begin while its requests run and end.
    ///
    /// - Parameter act: What another thread does meanwhile with the caller.
    private func race(
        _ parts: [Part], _ act: (@Sendable (Call) -> Void)? = nil,
        then check: @escaping @Sendable (End) async throws -> Void
    ) async throws {
        try await KataSupport.explore { race in
            let missing = KataSupport.CancellationProbe()
            func request(_ place: Int) -> Request.Answer {
                {
                    if parts[place] == .isMissing { try await missing.run() }
                    if parts[place] == .fails { throw Failure("offline") }
                    return [place]
                }
            }
            let aggregator = aggregator(users: request(0), posts: request(1), comments: request(2))
            let gate = KataSupport.Gate()
            let caller = Task {
                await gate.passEvenIfCancelled()
                return try await aggregator.fetchAllData()
            }
            try await gate.untilWaiting(atLeast: 1)
            // The call begins first, unless it is interrupted.
            try await race.threads({
                gate.open()
                if let act { Task { act(caller) } }
            })
            try await check(End(outcome: self.parts(of: caller), missing: missing))
        }
    }
}

extension AggregatedData {
    /// The three parts as a learner reads them.
    var parts: [String] {
        ["users \(users.map(\.id))", "posts \(posts.map(\.id))", "comments \(comments.map(\.id))"]
    }
}
