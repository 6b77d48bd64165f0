import Foundation
import KataSupport
import SearchService
import Testing

/// What tests pass as `load`: records each request and its cancellation by the number of the request, from 1, and answers when
/// the test says so.
final class Server: Sendable {
    typealias Reply = (data: Data, status: Int)

    private let state: KataSupport.Observed<(urls: [URL], gates: [Int: KataSupport.Gate])>
    private let log = KataSupport.Log<String>()
    private let isOpen: Bool
    private let hearsCancellation: Bool
    private let reply: @Sendable (Int) throws -> Reply

    /// - Parameters:
    ///   - isOpen: Whether it answers at once.
    ///   - hearsCancellation: Whether a request ends when it is cancelled.
    ///   - reply: The answer to the request of this number; without it, `answer(_:)`.
    init(
        isOpen: Bool = false, hearsCancellation: Bool = true,
        reply: @escaping @Sendable (Int) throws -> Reply = { number in
            (Server.list([Server.answer(number)]), 200)
        }
    ) {
        state = KataSupport.Observed(([], [:]))
        self.isOpen = isOpen
        self.hearsCancellation = hearsCancellation
        self.reply = reply
    }

    /// The title that the request of this number is answered with.
    static func answer(_ number: Int) -> String {
        var values = KataSupport.Values(for: "title")
        return "\(values.strings(1).joined()) (request \(number))"
    }

    static func list(_ titles: [String]) -> Data {
        Data("[\(titles.map { #"{"title":"\#($0)"}"# }.joined(separator: ","))]".utf8)
    }

    var urls: [String] { state.value.urls.map(\.absoluteString) }
    /// What each request asked for, as a server reads it.
    var queries: [String] {
        state.value.urls.map { url in
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            return items.first { $0.name == "q" }?.value ?? url.absoluteString
        }
    }
    /// `request 1`, `cancelled 1` and so on, in the order in which they came.
    var events: [String] { log.events }
    var requests: [String] { log.events.filter { $0.hasPrefix("request") } }
    /// The requests that have not been cancelled.
    var running: [String] {
        let events = log.events
        return requests.filter { !events.contains($0.replacing("request", with: "cancelled")) }
    }

    var service: SearchService { SearchService { try await self.load($0) } }

    func load(_ url: URL) async throws -> Reply {
        let number = state.update { state in
            state.urls.append(url)
            return state.urls.count
        }
        log.record("request \(number)")
        if hearsCancellation {
            do {
                try await gate(number).pass()
            } catch {
                log.record("cancelled \(number)")
                throw error
            }
        } else {
            await gate(number).passEvenIfCancelled()
        }
        return try reply(number)
    }

    /// Answers the request of this number, or lets it be answered as soon as it comes.
    func open(_ number: Int) {
        gate(number).open()
    }

    private func gate(_ number: Int) -> KataSupport.Gate {
        state.update { state in
            let gate = state.gates[number] ?? KataSupport.Gate(isOpen: isOpen)
            state.gates[number] = gate
            return gate
        }
    }
}

/// Begins a search in a task of its own, and lets everything get as far as it can.
func search(_ query: String, on service: SearchService) async -> Task<[String], any Error> {
    let caller = Task { try await titles(of: query, from: service) }
    await KataSupport.settle()
    return caller
}

/// Begins the search so many times, so close together that each call starts as soon as the one before is suspended.
func begin(_ query: String, times: Int, on service: isolated SearchService) -> [Task<[String], any Error>] {
    // The tasks are the actor's, and it runs them one after the other when this function has returned.
    (0..<times).map { _ in
        Task { try await service.performSearch(query: query).map(\.title) }
    }
}

func titles(of query: String, from service: SearchService) async throws -> [String] {
    try await service.performSearch(query: query).map(\.title)
}

@Suite(.ownProcess) struct SearchServiceTests {
    typealias Caller = Task<[String], any Error>

    let server = Server()
    let service: SearchService
    let query: String

    init() {
        var values = KataSupport.Values(for: "query")
        query = values.strings(1).joined()
        service = server.service
    }

    /// Begins the search so many times, each time in a task of its own.
    func sharers(_ count: Int, of service: SearchService) async -> [Caller] {
        var callers: [Caller] = []
        for _ in 0..<count { callers.append(await search(query, on: service)) }
        return callers
    }

    // MARK: - One search

    @Test func resultsComeInTheOrderOfTheServer() async throws {
        try await KataSupport.inCase("results") {
            var values = KataSupport.Values()
            let names = values.strings(4)
            // Two books may have the same title.
            let expected = values.reordered((names + [names[0]]).sorted())
            let service = Server(isOpen: true) { _ in (Server.list(expected), 200) }.service
            try await KataSupport.expect(
                KataSupport.result { try await titles(of: query, from: service) }, equals: expected)
        }
        try await KataSupport.inCase("[]") { try await Self().expectNoResults() }
    }

    /// A response without results is an empty array.
    private func expectNoResults() async throws {
        let service = Server(isOpen: true) { _ in (Server.list([]), 200) }.service
        let caller = await search(query, on: service)
        try KataSupport.expect(try await KataSupport.result(of: caller), equals: [])
    }

    @Test func aShortQueryIsNotSent() async throws {
        try await KataSupport.inCase("short") {
            let short = (0...2).map { String(query.prefix($0)) }
            let long = String(query.prefix(3))
            let server = Server(isOpen: true)
            let service = server.service
            let results = try await results(of: short, from: service)
            _ = try await KataSupport.result { try await titles(of: long, from: service) }
            try KataSupport.expect(server.queries, equals: [long])
            for result in results { try KataSupport.expect(result, equals: []) }
        }
        try await KataSupport.inCase("characters") { try await Self().expectCharacters() }
    }

    /// Characters are counted, and neither bytes nor scalars.
    private func expectCharacters() async throws {
        let letter = query.prefix(1)
        let server = Server(isOpen: true)
        let service = server.service
        let results = try await results(of: ["日本", "é\(letter)", "👩‍👩‍👧‍👦", "👍🏽\(letter)"], from: service)
        try KataSupport.expect(server.queries, equals: [])
        // A space is a character. How it reaches the server is another test's question.
        let spaced = "\(letter)  "
        _ = try await KataSupport.result { try await titles(of: spaced, from: service) }
        try KataSupport.expect(server.queries.isEmpty ? [] : [spaced], equals: [spaced])
        for result in results { try KataSupport.expect(result, equals: []) }
    }

    private func results(
        of queries: [String], from service: SearchService
    ) async throws -> [Result<[String], any Error>] {
        var results: [Result<[String], any Error>] = []
        for query in queries {
            results.append(try await KataSupport.result { try await titles(of: query, from: service) })
        }
        return results
    }

    @Test func differentSearchesRunAtTheSameTime() async throws {
        var values = KataSupport.Values()
        let queries = values.strings(3)
        var callers: [Caller] = []
        try await KataSupport.expectNoBlockedThread {
            for query in queries { callers.append(await search(query, on: service)) }
        }
        try KataSupport.expect(server.events, equals: ["request 1", "request 2", "request 3"])
        for (number, caller) in zip(1..., callers).reversed() {
            server.open(number)
            try await KataSupport.expect(KataSupport.result(of: caller), equals: [Server.answer(number)])
        }
    }

    @Test func theWordsArriveWhateverTheyContain() async throws {
        let server = Server(isOpen: true)
        let service = server.service
        let queries = [
            "\(query.uppercased()) and More", "\(query)&b=c", "q=\(query)", "\(query) #1", "100%25 \(query)",
            "100%25\(query)", "\(query)%2F\(query)", "¿\(query)?",
            "a/\(query);:@,", "ＳＷＩＦＴ ①\(query)", "“\(query)” 日本語 🙂", " \(query) ", "\(query.prefix(1))  ",
        ]
        for (number, query) in queries.enumerated() {
            _ = try await KataSupport.result { try await titles(of: query, from: service) }
            try KataSupport.expect(Array(server.queries.dropFirst(number)), equals: [query])
        }
        // What differs only in its capital letters or spaces is another search, also at the same time.
        let similar = [query, query.uppercased(), " \(query)", "\(query) "]
        let busy = Server()
        let busyService = busy.service
        var callers: [Caller] = []
        for query in similar { callers.append(await search(query, on: busyService)) }
        try KataSupport.expect(busy.queries, equals: similar)
        withExtendedLifetime(callers) {}
    }

    // MARK: - The same search at the same time

    @Test func theSameSearchSharesOneRequest() async throws {
        _ = await sharers(3, of: service)
        try KataSupport.expect(server.events, equals: ["request 1"])
        try await KataSupport.inCase("same moment") { try await Self().expectSharingAtOneMoment() }
    }

    /// The same for searches that begin at the same moment.
    private func expectSharingAtOneMoment() async throws {
        let callers = await begin(query, times: 3, on: service)
        await KataSupport.settle()
        try KataSupport.expect(server.events, equals: ["request 1"])
        withExtendedLifetime(callers) {}
        // On two threads, together with another search.
        try await KataSupport.explore { race in
            let server = Server()
            let service = server.service
            let gates = (0..<3).map { _ in KataSupport.Gate() }
            let callers = zip([query, query, query + "s"], gates).map { waitingSearch($0, on: service, behind: $1) }
            await KataSupport.settle()
            try await race.threads(
                { gates[0].open() },
                {
                    gates[1].open()
                    gates[2].open()
                })
            try KataSupport.expect(server.queries.sorted(), equals: [query, query + "s"])
            withExtendedLifetime(callers) {}
        }
    }

    /// A search that begins when the gate is opened.
    private func waitingSearch(_ query: String, on service: SearchService, behind gate: KataSupport.Gate) -> Caller {
        Task {
            await gate.passEvenIfCancelled()
            return try await titles(of: query, from: service)
        }
    }

    @Test func everySharerGetsTheAnswer() async throws {
        let callers = await sharers(3, of: service)
        server.open(1)
        for caller in callers {
            try await KataSupport.expect(KataSupport.result(of: caller), equals: [Server.answer(1)])
        }
        try await KataSupport.inCase("error") { try await Self().expectFailureForAll() }
    }

    /// The same for a failure.
    private func expectFailureForAll() async throws {
        let server = Server { _ in throw KataSupport.Failure("offline") }
        let callers = await sharers(3, of: server.service)
        server.open(1)
        for caller in callers {
            try await KataSupport.expect(KataSupport.result(of: caller), throws: KataSupport.Failure("offline"))
        }
    }

    @Test func whatHasEndedIsAskedForAgain() async throws {
        for fails in [false, true] {
            try await KataSupport.inCase(fails ? "error" : "results") {
                let server = Server { number in
                    if number == 1, fails { throw KataSupport.Failure("offline") }
                    return (Server.list([Server.answer(number)]), 200)
                }
                let service = server.service
                let first = await search(query, on: service)
                server.open(1)
                _ = try await KataSupport.result(of: first)
                await KataSupport.settle()
                let again = await search(query, on: service)
                try KataSupport.expect(server.events, equals: ["request 1", "request 2"])
                server.open(2)
                try await KataSupport.expect(KataSupport.result(of: again), equals: [Server.answer(2)])
            }
        }
    }

    @Test func aSearchRightAfterTheAnswerSendsANewRequest() async throws {
        for fails in [false, true] {
            try await KataSupport.explore { race in
                let server = Server { number in
                    if number == 1, fails { throw KataSupport.Failure("offline") }
                    return (Server.list([Server.answer(number)]), 200)
                }
                let service = server.service
                let gate = KataSupport.Gate()
                // One caller asks again in the same task, with nothing in between, and another one asks as the answer comes.
                let again = Task {
                    _ = try? await titles(of: query, from: service)
                    return try await titles(of: query, from: service)
                }
                let other = waitingSearch(query, on: service, behind: gate)
                await KataSupport.settle()
                try await race.threads({ server.open(1) }, { gate.open() })
                try KataSupport.expect(server.requests, equals: ["request 1", "request 2"])
                server.open(2)
                try await KataSupport.expect(KataSupport.result(of: again), equals: [Server.answer(2)])
                let result = try await KataSupport.result(of: other)
                if case .failure = result, fails { return }
                try KataSupport.expect(result.get(), isOneOf: (1...2).map { [Server.answer($0)] })
            }
        }
    }

    // MARK: - Sharers who leave

    /// Runs the body for three callers who share a request, each time with another one of them cancelled.
    func withOneCancelled(_ body: (_ server: Server, _ cancelled: Caller, _ others: [Caller]) async throws -> Void)
        async throws
    {
        for index in 0..<3 {
            let server = Server()
            var callers = await sharers(3, of: server.service)
            let cancelled = callers.remove(at: index)
            cancelled.cancel()
            await KataSupport.settle()
            try await body(server, cancelled, callers)
        }
    }

    @Test func aSharerWhoIsCancelledEndsAtOnce() async throws {
        try await KataSupport.inCase("leave") {
            try await withOneCancelled { _, cancelled, _ in
                try await KataSupport.expectCancellation(KataSupport.result(of: cancelled))
            }
        }
        try await KataSupport.inCase("beforehand") { try await Self().expectEndOfCancelledSharer() }
        try await KataSupport.inCase("beforehand, alone") { try await Self().expectNoRequestLeft() }
    }

    @Test func theOthersKeepTheRequest() async throws {
        try await withOneCancelled { server, _, others in
            try KataSupport.expect(server.events, equals: ["request 1"])
            server.open(1)
            for caller in others {
                try await KataSupport.expect(KataSupport.result(of: caller), equals: [Server.answer(1)])
            }
        }
        try await KataSupport.inCase("later") { try await Self().expectLaterSharer() }
    }

    /// Who comes later shares it as well.
    private func expectLaterSharer() async throws {
        let service = service
        let callers = await sharers(2, of: service)
        for caller in callers.prefix(1) { caller.cancel() }
        await KataSupport.settle()
        let late = await search(query, on: service)
        try KataSupport.expect(server.requests, equals: ["request 1"])
        server.open(1)
        try await KataSupport.expect(KataSupport.result(of: late), equals: [Server.answer(1)])
    }

    /// So does one who was cancelled before the call.
    private func expectEndOfCancelledSharer() async throws {
        let first = await search(query, on: service)
        let cancelled = await cancelledSearch()
        try await KataSupport.expectCancellation(KataSupport.result(of: cancelled))
        server.open(1)
        try await KataSupport.expect(KataSupport.result(of: first), equals: [Server.answer(1)])
    }

    /// One who is alone leaves no request behind.
    private func expectNoRequestLeft() async throws {
        _ = await cancelledSearch()
        try KataSupport.expect(server.running, equals: [])
        let next = server.requests.count + 1
        server.open(next)
        let caller = await search(query, on: service)
        try await KataSupport.expect(KataSupport.result(of: caller), equals: [Server.answer(next)])
    }

    /// A search in a task that is cancelled before it begins.
    private func cancelledSearch() async -> Caller {
        let gate = KataSupport.Gate()
        let caller = waitingSearch(query, on: service, behind: gate)
        caller.cancel()
        gate.open()
        await KataSupport.settle()
        return caller
    }

    // MARK: - The last one leaves

    @Test func theLastToLeaveCancelsTheRequest() async throws {
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let server = Server()
            let callers = await sharers(3, of: server.service)
            for index in order {
                callers[index].cancel()
                await KataSupport.settle()
            }
            try KataSupport.expect(server.events, equals: ["request 1", "cancelled 1"])
        }
        try await KataSupport.inCase("same moment") { try await Self().raceSharersWhoLeave() }
    }

    @Test func aSearchAfterTheLastOneHasLeftBeginsAnew() async throws {
        let (server, _, _, caller) = await searchAfterTheLastOneHasLeft()
        try KataSupport.expect(server.requests, equals: ["request 1", "request 2"])
        server.open(2)
        try await KataSupport.expect(KataSupport.result(of: caller), equals: [Server.answer(2)])
        try await KataSupport.inCase("same moment") { try await Self().raceNextSearch() }
    }

    @Test func theLateAnswerOfACancelledRequestReachesNobody() async throws {
        try await KataSupport.inCase("late answer") {
            let (server, _, last, caller) = await searchAfterTheLastOneHasLeft()
            server.open(1)
            await KataSupport.settle()
            server.open(2)
            try await KataSupport.expect(KataSupport.result(of: caller), equals: [Server.answer(2)])
            // Nor the one who has left.
            if case .success(let titles) = try await KataSupport.result(of: last) {
                try KataSupport.expect(titles, equals: [])
            }
        }
        try await KataSupport.inCase("third search") { try await Self().expectNextRequestIsShared() }
    }

    /// Nor does its end take the next request away.
    private func expectNextRequestIsShared() async throws {
        let (server, service, _, caller) = await searchAfterTheLastOneHasLeft()
        server.open(1)
        await KataSupport.settle()
        let sharer = await search(query, on: service)
        try KataSupport.expect(server.requests, equals: ["request 1", "request 2"])
        server.open(2)
        for caller in [caller, sharer] {
            try await KataSupport.expect(KataSupport.result(of: caller), equals: [Server.answer(2)])
        }
    }

    /// The first request does not hear that it is cancelled, and is still there when the same search comes again.
    private func searchAfterTheLastOneHasLeft() async -> (Server, SearchService, last: Caller, Caller) {
        let server = Server(hearsCancellation: false)
        let service = server.service
        let caller = await search(query, on: service)
        caller.cancel()
        await KataSupport.settle()
        return (server, service, caller, await search(query, on: service))
    }

    /// The same for a search that begins at the same moment.
    private func raceNextSearch() async throws {
        try await KataSupport.explore { race in
            let server = Server()
            let service = server.service
            let last = await search(query, on: service)
            let gate = KataSupport.Gate()
            let next = waitingSearch(query, on: service, behind: gate)
            await KataSupport.settle()
            try await race.threads({ last.cancel() }, { gate.open() })
            let number = server.requests.count
            server.open(number)
            try await KataSupport.expect(KataSupport.result(of: next), equals: [Server.answer(number)])
        }
    }

    // MARK: - Races

    // The beginning of a search, an answer and a cancellation meet, some of them in tests above. Left out: two answers, which belong to
    // two queries and share nothing but the dictionary, as do two searches that begin, and a failure that meets a cancellation, which
    // goes where results go.

    /// The same for two who leave at the same moment.
    private func raceSharersWhoLeave() async throws {
        try await KataSupport.explore { race in
            let server = Server()
            let sharers = await sharers(2, of: server.service)
            try await race.threads({ sharers[0].cancel() }, { sharers[1].cancel() })
            try KataSupport.expect(server.events, equals: ["request 1", "cancelled 1"])
        }
    }

    @Test func aCallerMayBeCancelledAtAnyMoment() async throws {
        // As it begins to wait: it passes through the actor before.
        try await KataSupport.explore(orders: 2000) { race in
            let server = Server()
            let gate = KataSupport.Gate()
            let caller = waitingSearch(query, on: server.service, behind: gate)
            try await gate.untilWaiting(atLeast: 1)
            try await race.threads({ gate.open() }, { caller.cancel() })
            try await KataSupport.expectCancellation(KataSupport.result(of: caller))
            try KataSupport.expect(server.running, equals: [])
        }
        // As the answer comes.
        try await KataSupport.explore { race in
            let server = Server()
            let callers = await sharers(2, of: server.service)
            try await race.threads({ server.open(1) }, { callers[0].cancel() })
            if case .failure(is CancellationError) = try await KataSupport.result(of: callers[0]) {
            } else {
                try await KataSupport.expect(KataSupport.result(of: callers[0]), equals: [Server.answer(1)])
            }
            try await KataSupport.expect(KataSupport.result(of: callers[1]), equals: [Server.answer(1)])
        }
    }

    // MARK: - Memory

    @Test func aServiceThatIsNotUsedAnyMoreIsReleased() async throws {
        let probe = KataSupport.LeakProbe()
        let server = Server { number in
            if number == 2 { throw KataSupport.Failure("offline") }
            return (Server.list([Server.answer(number)]), 200)
        }
        /// Three requests: one succeeds, one fails, and all callers of the last one leave.
        func useAndDrop() async throws {
            let service = SearchService { [token = probe.token()] url in
                defer { withExtendedLifetime(token) {} }
                return try await server.load(url)
            }
            for number in 1...3 {
                let callers = await sharers(3, of: service)
                for caller in callers.prefix(number) { caller.cancel() }
                await KataSupport.settle()
                server.open(number)
                for caller in callers { _ = try await KataSupport.result(of: caller) }
            }
        }
        try await useAndDrop()
        try KataSupport.expect(server.requests, equals: ["request 1", "request 2", "request 3"])
        try await probe.released()
    }
}
