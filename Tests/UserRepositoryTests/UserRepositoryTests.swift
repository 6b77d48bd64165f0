import Combine
import Foundation
import KataSupport
import Testing
import UserRepository

@Suite(.ownProcess) struct UserRepositoryTests {
    typealias Failure = KataSupport.Failure
    typealias Subscriber = KataSupport.ProbeSubscriber<String, any Error>

    /// A repository of the suite's own, which has no publisher but the one that every repository has.
    final class Repository: UserRepositoryProtocol {
        private let token: KataSupport.LeakProbe.Token?
        private let fetch: @Sendable (_ number: Int) async throws -> String
        private let log = KataSupport.Log<String>()

        /// - Parameter fetch: Returns the user's name, and is given the number of the fetch, from 0.
        init(
            holding token: KataSupport.LeakProbe.Token? = nil,
            fetch: @escaping @Sendable (_ number: Int) async throws -> String
        ) {
            self.token = token
            self.fetch = fetch
        }

        /// The identifiers that were fetched.
        var fetched: [String] { log.events }

        func fetchUser(id: String) async throws -> User {
            let number = log.events.count
            log.record(id)
            return User(id: id, name: try await fetch(number))
        }
    }

    /// A subscriber of the user's name, which has subscribed when all has settled.
    func subscriber(
        of publisher: AnyPublisher<User, any Error>, demand: Subscribers.Demand = .unlimited
    ) -> Subscriber {
        let subscriber = Subscriber(demand: demand)
        // In a task of its own, as it may block.
        Task { publisher.map(\.name).subscribe(subscriber) }
        return subscriber
    }

    /// The repository of a server that answers every request in this way. Behind the protocol, as it may have a publisher of
    /// its own.
    func server(_ answer: @escaping @Sendable () throws -> String) -> any UserRepositoryProtocol {
        UserRepository { _ in Data(try answer().utf8) }
    }

    // MARK: - fetchUser

    @Test func errorsAreThrownAsTheyAre() async throws {
        try await KataSupport.inCase("load") {
            await KataSupport.settle()
            var values = KataSupport.Values()
            let words = values.strings(2)
            let repository = server { throw Failure(words[1]) }
            let fetch = Task { try await repository.fetchUser(id: words[0]) }
            try KataSupport.expect(try await KataSupport.result(of: fetch), throws: Failure(words[1]))
        }
        try await KataSupport.inCase("DecodingError") { try await expectDecodingError() }
    }

    /// What the decoder throws, too.
    private func expectDecodingError() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let id = values.strings(1)[0]
        for body in ["", "Not found", "[]", #"{"id":"\#(id)"}"#] {
            let repository = server { body }
            let fetch = Task { try await repository.fetchUser(id: id) }
            switch try await KataSupport.result(of: fetch) {
            case .failure(is DecodingError): break
            case .failure(let error):
                throw KataSupport.Mismatch(expected: "DecodingError", actual: "\(error)", kind: .otherError)
            case .success(let user):
                throw KataSupport.Mismatch(expected: "DecodingError", actual: "\(user)", kind: .noError)
            }
        }
    }

    // MARK: - The publisher

    @Test func thePublisherSendsTheUser() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(2)
        let repository = server { #"{"id":"\#(words[0])","name":"\#(words[1])"}"# }
        let subscriber = KataSupport.ProbeSubscriber<User, any Error>()
        repository.fetchUserPublisher(id: words[0]).subscribe(subscriber)
        defer { subscriber.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(subscriber.values.map(\.parts), equals: ["id \(words[0]), name \(words[1])"])
        try await KataSupport.inCase("finished") { try await expectEnd() }
    }

    /// It finishes after the user.
    private func expectEnd() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(2)
        let repository = server { #"{"id":"\#(words[0])","name":"\#(words[1])"}"# }
        let subscriber = subscriber(of: repository.fetchUserPublisher(id: words[0]))
        defer { subscriber.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: [words[1], "|"])
    }

    @Test func everyRepositoryHasThePublisher() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(2)
        let repository = Repository { _ in words[1] }
        let subscriber = subscriber(of: repository.fetchUserPublisher(id: words[0]))
        defer { subscriber.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(repository.fetched, equals: [words[0]])
        try KataSupport.expect(subscriber.values, equals: [words[1]])
    }

    @Test func thePublisherFailsWithTheErrorAsItIs() async throws {
        try await KataSupport.inCase("load") {
            await KataSupport.settle()
            var values = KataSupport.Values()
            let name = values.strings(1)[0]
            let repository = Repository { _ in throw Failure(name) }
            let subscriber = subscriber(of: repository.fetchUserPublisher(id: "1"))
            defer { subscriber.cancel() }
            try await subscriber.ended()
            try KataSupport.expect(subscriber.result.map { _ in subscriber.history }, throws: Failure(name))
        }
        try await KataSupport.inCase("CancellationError") { try await expectOwnCancellation() }
    }

    /// A `CancellationError` of the fetch is an error like any other.
    private func expectOwnCancellation() async throws {
        await KataSupport.settle()
        let repository = Repository { _ in throw CancellationError() }
        let subscriber = subscriber(of: repository.fetchUserPublisher(id: "1"))
        defer { subscriber.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["x CancellationError()"])
    }

    /// A subscriber may cancel while it receives.
    private func expectCancellationInsideReceive() async throws {
        await KataSupport.settle()
        let repository = Repository { _ in "user" }
        let subscriber = subscriber(of: repository.fetchUserPublisher(id: "1").first().eraseToAnyPublisher())
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: ["user", "|"])
    }

    /// A second request starts no second fetch.
    private func expectOneFetch() async throws {
        await KataSupport.settle()
        let gate = KataSupport.Gate()
        defer { gate.open() }
        let repository = Repository { _ in
            await gate.passEvenIfCancelled()
            return "user"
        }
        let subscriber = subscriber(of: repository.fetchUserPublisher(id: "1"), demand: .max(1))
        defer { subscriber.cancel() }
        await KataSupport.settle()
        Task { subscriber.request(.max(1)) }
        await KataSupport.settle()
        try KataSupport.expect(repository.fetched, equals: ["1"])
    }

    /// A repository with a publisher of its own.
    private struct Cache: UserRepositoryProtocol {
        var name: String

        func fetchUser(id: String) async throws -> User { User(id: id, name: "fetched") }

        func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
            Just(User(id: id, name: name)).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        }
    }

    @Test func aRepositorysOwnPublisherIsUsed() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(2)
        let repositories: [any UserRepositoryProtocol] = [Repository { _ in words[0] }, Cache(name: words[1])]
        var names: [String] = []
        for repository in repositories {
            let subscriber = subscriber(of: repository.fetchUserPublisher(id: "1"))
            defer { subscriber.cancel() }
            await KataSupport.settle()
            names += subscriber.values
        }
        try KataSupport.expect(names, equals: words)
    }

    // MARK: - Subscriptions

    @Test func aFetchBlocksNoThread() async throws {
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let clock = KataSupport.TestClock()
        let repository = Repository { _ in
            try await clock.sleep(for: .milliseconds(100))
            return name
        }
        let subscriber = Subscriber()
        try await KataSupport.expectNoBlockedThread {
            // In a task of its own, as it may block.
            Task { repository.fetchUserPublisher(id: "1").map(\.name).subscribe(subscriber) }
            await clock.advance(by: .seconds(1))
        }
        try KataSupport.expect(subscriber.values, equals: [name])

        let subscribers = (0..<KataSupport.manyWaits).map { _ in Subscriber() }
        try await KataSupport.expectNoBlockedThread {
            for subscriber in subscribers {
                Task { repository.fetchUserPublisher(id: "1").map(\.name).subscribe(subscriber) }
            }
        } afterwards: {
            await clock.advance(by: .seconds(1))
        }
    }

    @Test func nothingIsFetchedBeforeSomebodySubscribes() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let words = values.strings(2)
        let repository = Repository { _ in words[1] }
        let publisher = repository.fetchUserPublisher(id: words[0])
        await KataSupport.settle()
        let early = repository.fetched
        let subscriber = subscriber(of: publisher)
        defer { subscriber.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(early, equals: [])
        try KataSupport.expect(subscriber.values, equals: [words[1]])
    }

    @Test func thePublisherHoldsItsRepository() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let publisher = Repository { _ in name }.fetchUserPublisher(id: "1")
        await KataSupport.settle()
        let subscriber = subscriber(of: publisher)
        defer { subscriber.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(subscriber.values, equals: [name])
    }

    @Test func eachSubscriptionFetchesForItself() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let names = values.strings(3)
        let gate = KataSupport.Gate()
        let repository = Repository { number in
            await gate.passEvenIfCancelled()
            return number < names.count ? names[number] : "one more"
        }
        let publisher = repository.fetchUserPublisher(id: "1")
        var subscribers: [Subscriber] = []
        for _ in names {
            subscribers.append(subscriber(of: publisher))
            await KataSupport.settle()
        }
        defer { subscribers.forEach { $0.cancel() } }
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(subscribers.flatMap(\.values), equals: names)
        try await KataSupport.inCase("retry") { try await expectRetry() }
    }

    @Test func theUserIsKeptUntilItIsAskedFor() async throws {
        try await KataSupport.inCase("demand") {
            await KataSupport.settle()
            var values = KataSupport.Values()
            let name = values.strings(1)[0]
            let repository = Repository { _ in name }
            let subscriber = subscriber(of: repository.fetchUserPublisher(id: "1"), demand: .none)
            defer { subscriber.cancel() }
            await KataSupport.settle()
            try KataSupport.expect(subscriber.values, equals: [])
            subscriber.request(.max(1))
            await KataSupport.settle()
            try KataSupport.expect(subscriber.values, equals: [name])
        }
        try await KataSupport.inCase("request, request") { try await expectOneFetch() }
    }

    // MARK: - Cancellation

    @Test func cancellingTheSubscriptionCancelsTheFetch() async throws {
        await KataSupport.settle()
        let fetch = KataSupport.CancellationProbe()
        let repository = Repository { _ in
            try await fetch.run()
            return ""
        }
        let subscriber = subscriber(of: repository.fetchUserPublisher(id: "1"))
        await KataSupport.settle()
        try await fetch.started()
        subscriber.cancel()
        try await fetch.cancelled()
        try await KataSupport.inCase("late user") { try await expectNothingMore() }
        try await KataSupport.inCase("first()") { try await expectCancellationInsideReceive() }
        try await KataSupport.inCase("before the first request") { try await expectNoFetch() }
    }

    /// Each round cancels at another moment before the first request; a request that comes late begins nothing.
    private func expectNoFetch() async throws {
        try await expectThatTheUserArrives()
        let rounds: [(isClosed: Bool, demand: Subscribers.Demand, calls: String)] = [
            (true, .none, "receive(subscription:) cancel()"),
            (true, .unlimited, "receive(subscription:) cancel() request(_:)"),
            (false, .none, "receive(subscription:) … cancel() request(_:)"),
        ]
        var running: [String] = []
        for round in rounds {
            let fetch = KataSupport.CancellationProbe()
            let screen = Screen(isClosed: round.isClosed, demand: round.demand)
            await screen.subscribe {
                Repository { _ in
                    try await fetch.run()
                    return ""
                }
            }
            if !round.isClosed {
                screen.cancel()
                screen.request(.unlimited)
            }
            await KataSupport.settle()
            // A fetch may begin with the subscription. Then it learns that it is cancelled.
            if fetch.starts > fetch.cancellations { running.append(round.calls) }
            withExtendedLifetime(screen) {}
        }
        try KataSupport.expect(running, equals: [])
    }

    /// Nothing arrives after that.
    private func expectNothingMore() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let gate = KataSupport.Gate()
        let repository = Repository { _ in
            await gate.passEvenIfCancelled()
            return name
        }
        let subscribers = (0..<2).map { _ in subscriber(of: repository.fetchUserPublisher(id: "1")) }
        await KataSupport.settle()
        subscribers[0].cancel()
        await KataSupport.settle()
        gate.open()
        await KataSupport.settle()
        try KataSupport.expect(subscribers[1].values, equals: [name])
        try KataSupport.expect(subscribers[0].history, equals: [])
        // A fetch that is cancelled may end with an error.
        let fetch = KataSupport.CancellationProbe()
        let failing = Repository { _ in
            try await fetch.run()
            return ""
        }
        let cancelled = subscriber(of: failing.fetchUserPublisher(id: "1"))
        try await fetch.started()
        cancelled.cancel()
        await KataSupport.settle()
        try KataSupport.expect(cancelled.history, equals: [])
    }

    @Test func cancellingOneSubscriptionLeavesTheOther() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        for cancelled in 0..<2 {
            let gate = KataSupport.Gate()
            let repository = Repository { _ in
                try await gate.pass()
                return name
            }
            let publisher = repository.fetchUserPublisher(id: "1")
            let subscribers = (0..<2).map { _ in subscriber(of: publisher) }
            await KataSupport.settle()
            subscribers[cancelled].cancel()
            await KataSupport.settle()
            gate.open()
            await KataSupport.settle()
            try KataSupport.expect(subscribers[1 - cancelled].history, equals: [name, "|"])
        }
        // One is cancelled while the other begins.
        try await KataSupport.explore { race in
            let gate = KataSupport.Gate()
            let repository = Repository { _ in
                await gate.passEvenIfCancelled()
                return name
            }
            nonisolated(unsafe) let publisher = repository.fetchUserPublisher(id: "1")
            let screens = [Screen(), Screen()]
            publisher.subscribe(screens[0])
            await KataSupport.settle()
            try await race.threads({ screens[0].cancel() }, { publisher.subscribe(screens[1]) })
            gate.open()
            await KataSupport.settle()
            try KataSupport.expect(screens.map(\.shown.events), equals: [[], [name, "|"]])
        }
    }

    // MARK: - Threads

    // What does not meet: two calls of `fetchUser`, which promises nothing for that; two cancellations, since a subscriber
    // cancels once; what comes while it subscribes, as it has nothing then that it could call.

    /// A subscriber that has subscribed. The user arrives when the gate is open.
    private func screen(
        waitingAt gate: KataSupport.Gate = .init(isOpen: true), demand: Subscribers.Demand,
        for result: Result<String, Failure>
    ) async -> (Screen, Repository) {
        let screen = Screen(demand: demand)
        let repository = Repository { _ in
            await gate.passEvenIfCancelled()
            return try result.get()
        }
        await screen.subscribe { repository }
        return (screen, repository)
    }

    @Test func aUserAndARequestMayMeet() async throws {
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        try await KataSupport.explore { race in
            let gate = KataSupport.Gate()
            let (screen, repository) = await screen(waitingAt: gate, demand: .none, for: .success(name))
            try await race.threads({ gate.open() }, { screen.request(.unlimited) })
            try KataSupport.expect(screen.shown.events, equals: [name, "|"])
            withExtendedLifetime(repository) {}
        }
        try await KataSupport.explore { race in
            let (screen, repository) = await screen(demand: .none, for: .success(name))
            try await race.threads({ screen.request(.max(1)) }, { screen.request(.max(1)) })
            try KataSupport.expect(screen.shown.events, equals: [name, "|"])
            try KataSupport.expect(repository.fetched, equals: ["1"])
        }
        try await KataSupport.inCase("cancel()") { try await raceCancellation() }
    }

    /// A cancellation, and the user or a request.
    private func raceCancellation() async throws {
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let results: [(Result<String, Failure>, [String])] = [
            (.success(name), ["", name, "\(name), |"]), (.failure(Failure("offline")), ["", "x offline"]),
        ]
        for (result, histories) in results {
            try await KataSupport.explore { race in
                let gate = KataSupport.Gate()
                let (screen, repository) = await screen(waitingAt: gate, demand: .unlimited, for: result)
                try await race.threads({ gate.open() }, { screen.cancel() })
                try KataSupport.expect(screen.shown.events.joined(separator: ", "), isOneOf: histories)
                withExtendedLifetime(repository) {}
            }
        }
        try await KataSupport.explore { race in
            let (screen, repository) = await screen(demand: .none, for: .success(name))
            try await race.threads({ screen.request(.unlimited) }, { screen.cancel() })
            try KataSupport.expect(screen.shown.events.joined(separator: ", "), isOneOf: results[0].1)
            withExtendedLifetime(repository) {}
        }
        // The first request may begin the fetch.
        try await KataSupport.explore { race in
            let fetch = KataSupport.CancellationProbe()
            let screen = Screen(demand: .none)
            await screen.subscribe {
                Repository { _ in
                    try await fetch.run()
                    return name
                }
            }
            try await race.threads({ screen.request(.unlimited) }, { screen.cancel() })
            try KataSupport.expect(fetch.cancellations, equals: fetch.starts)
        }
    }

    // MARK: - Memory

    /// A subscriber that keeps its subscription, whatever comes, to a repository that nothing else holds.
    private final class Screen: Combine.Subscriber, @unchecked Sendable {  // set before it is read
        typealias Input = User
        typealias Failure = any Error

        let shown = KataSupport.Log<String>()
        private let isClosed: Bool
        private let demand: Subscribers.Demand
        private var subscription: (any Subscription)?

        /// - Parameters:
        ///   - isClosed: Whether it cancels as soon as it has a subscription.
        ///   - demand: What it asks for after that.
        init(isClosed: Bool = false, demand: Subscribers.Demand = .unlimited) {
            self.isClosed = isClosed
            self.demand = demand
        }

        func subscribe(to repository: @escaping () -> Repository) async {
            // In a task of its own, as it may block.
            Task { repository().fetchUserPublisher(id: "1").subscribe(self) }
            await KataSupport.settle()
        }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            if isClosed { subscription.cancel() }
            if demand > .none { subscription.request(demand) }
        }

        func receive(_ user: User) -> Subscribers.Demand {
            shown.record(user.name)
            return .none
        }

        func receive(completion: Subscribers.Completion<any Error>) {
            switch completion {
            case .finished: shown.record("|")
            case .failure(let error):
                shown.record("x \((error as? KataSupport.Failure)?.name ?? String(describing: error))")
            }
        }

        func request(_ demand: Subscribers.Demand) {
            subscription?.request(demand)
        }

        func cancel() {
            subscription?.cancel()
        }
    }

    /// Code that fetches nothing at all has no fetch that could be left, and nothing to hold.
    private func expectThatTheUserArrives() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let screen = Screen()
        let repository = Repository { _ in name }
        await screen.subscribe { repository }
        withExtendedLifetime(repository) {}
        try KataSupport.expect(Array(screen.shown.events.prefix(1)), equals: [name])
    }

    @Test func theRepositoryIsReleasedAfterTheEnd() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let probe = KataSupport.LeakProbe()
        let screen = Screen()
        await screen.subscribe { Repository(holding: probe.token()) { _ in name } }
        try KataSupport.expect(screen.shown.events, equals: [name, "|"])
        try await probe.released()
        withExtendedLifetime(screen) {}
        try await KataSupport.inCase("failed") { try await expectReleaseAfterAFailure() }
        try await KataSupport.inCase("cancelled") { try await expectReleaseAfterCancelling() }
        try await KataSupport.inCase("cancelled before the first request") {
            try await expectReleaseAfterEarlyCancellation()
        }
    }

    /// After a failure.
    private func expectReleaseAfterAFailure() async throws {
        await KataSupport.settle()
        let probe = KataSupport.LeakProbe()
        let screen = Screen()
        await screen.subscribe { Repository(holding: probe.token()) { _ in throw Failure("offline") } }
        try KataSupport.expect(screen.shown.events, equals: ["x offline"])
        try await probe.released()
        withExtendedLifetime(screen) {}
    }

    /// After cancelling.
    private func expectReleaseAfterCancelling() async throws {
        await KataSupport.settle()
        let probe = KataSupport.LeakProbe()
        let fetch = KataSupport.CancellationProbe()
        let screen = Screen()
        await screen.subscribe {
            Repository(holding: probe.token()) { _ in
                try await fetch.run()
                return ""
            }
        }
        try await fetch.started()
        screen.cancel()
        try await probe.released()
        withExtendedLifetime(screen) {}
    }

    /// After cancelling before the first request.
    private func expectReleaseAfterEarlyCancellation() async throws {
        try await expectThatTheUserArrives()
        for isClosed in [false, true] {
            let probe = KataSupport.LeakProbe()
            let screen = Screen(isClosed: isClosed, demand: .none)
            await screen.subscribe { Repository(holding: probe.token()) { _ in "" } }
            if !isClosed { screen.cancel() }
            try await probe.released()
            withExtendedLifetime(screen) {}
        }
    }

    /// `retry` subscribes again.
    private func expectRetry() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let name = values.strings(1)[0]
        let repository = Repository { number in
            guard number > 0 else { throw KataSupport.Failure("offline") }
            return name
        }
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>()
        repository.fetchUserPublisher(id: "1").retry(1).map(\.name).subscribe(subscriber)
        defer { subscriber.cancel() }
        await KataSupport.settle()
        try KataSupport.expect(subscriber.history, equals: [name, "|"])
    }
}
