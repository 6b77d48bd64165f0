import Combine
import Dispatch
import KataSupport
import ProfileViewModel
import Testing

@MainActor @Suite(.ownProcess) struct ProfileViewModelTests {
    // MARK: - Loading and failing

    @Test func aLoadIsLoadingUntilTheUserComes() async throws {
        try await KataSupport.inCase("init") { try await ProfileScreen().expectLoading(false) }
        try await throughBoth { door in
            try await expectLoading(through: door) { try await $0.answer($1, through: door, with: "Ana") }
        }
    }

    @Test func loadUserReturnsWhenTheLoadIsOver() async throws {
        var values = KataSupport.Values()
        let words = values.strings(2)
        let screen = await ProfileScreen()
        let log = KataSupport.Log<String>()
        let caller = await screen.load(words[0], through: .loadUser)
        Task {
            await caller.value
            log.record("returned")
        }
        await KataSupport.settle()
        let load = try screen.running(words[0], through: .loadUser)
        log.record("answered")
        load.end(.success(User(id: words[0], name: words[1])))
        await KataSupport.settle()
        try KataSupport.expect(log.events, equals: ["answered", "returned"])
    }

    @Test func aFailureShowsItsMessage() async throws {
        var values = KataSupport.Values()
        try await throughBoth { door in
            let words = values.strings(2)
            let screen = await ProfileScreen()
            await screen.load(words[0], through: door)
            try screen.expectMessage(nil)
            try await screen.fail(words[0], through: door, with: words[1])
            try screen.expectMessage(words[1])
        }
    }

    @Test func aFailureEndsTheLoading() async throws {
        try await throughBoth { door in
            try await expectLoading(through: door) { try await $0.fail($1, through: door, with: "offline") }
        }
    }

    @Test func aNewLoadClearsTheMessage() async throws {
        var values = KataSupport.Values()
        try await throughBoth { door in
            let words = values.strings(3)
            let screen = await ProfileScreen()
            await screen.load(words[0], through: door)
            try await screen.fail(words[0], through: door, with: words[2])
            try screen.expectMessage(words[2])
            await screen.load(words[1], through: door)
            try screen.expectMessage(nil)
        }
    }

    @Test func aPublisherWithoutAUserEndsTheLoading() async throws {
        try await expectLoading(through: .loadUserPublisher) {
            try await $0.finish($1)
        }
    }

    @Test func changesArePublishedOnTheMainQueue() async throws {
        var values = KataSupport.Values()
        let words = values.strings(3)
        let mainQueue = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mainQueue, value: true)
        defer { DispatchQueue.main.setSpecific(key: mainQueue, value: nil) }
        let screen = await ProfileScreen()
        let ends: [Result<User, any Error>] = [
            .success(User(id: words[0], name: words[2])), .failure(Offline(message: "offline")),
        ]
        for (id, end) in zip(words, ends) {
            await screen.load(id, through: .loadUserPublisher)
            let load = try screen.running(id, through: .loadUserPublisher)
            let places = KataSupport.Log<String>()
            let subscription = screen.model?.objectWillChange.sink {
                let isMain = DispatchQueue.getSpecific(key: mainQueue) == true
                places.record(isMain ? "DispatchQueue.main" : "DispatchQueue.global()")
            }
            DispatchQueue.global().async { load.end(end) }
            await KataSupport.settle()
            try KataSupport.expect(Set(places.events).sorted(), equals: ["DispatchQueue.main"])
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func aFailureShowsItsMessageWhileAUserIsShown() async throws {
        var values = KataSupport.Values()
        try await throughBoth { door in
            let words = values.strings(4)
            let screen = await ProfileScreen()
            await screen.load(words[0], through: door)
            try await screen.answer(words[0], through: door, with: words[2])
            try screen.expectName(words[2])
            await screen.load(words[1], through: door)
            try await screen.fail(words[1], through: door, with: words[3])
            try screen.expectMessage(words[3])
        }
    }

    // MARK: - cancelLoading

    @Test func cancelLoadingCancelsThePublisher() async throws {
        try await expectCancellation(through: .loadUserPublisher) { screen, _ in await screen.cancelLoading() }
    }

    @Test func aUserOfACancelledPublisherIsNotShown() async throws {
        try await expectNoLateUser(through: .loadUserPublisher)
    }

    @Test func cancelLoadingEndsTheLoading() async throws {
        try await throughBoth { door in
            let screen = await ProfileScreen(.goesOn)
            await screen.load("1", through: door)
            try screen.expectLoading(true)
            await screen.cancelLoading()
            try screen.expectLoading(false)
        }
    }

    @Test func cancelLoadingCancelsTheFetch() async throws {
        try await expectCancellation(through: .loadUser) { screen, _ in await screen.cancelLoading() }
    }

    @Test func whatACancelledFetchBringsIsNotShown() async throws {
        let test = #function
        try await KataSupport.inCase("user") { try await expectNoLateUser(through: .loadUser, test) }
        try await KataSupport.inCase("error") {
            for reaction: Fetch.Reaction in [.throwsCancellationError, .throwsAnotherError, .goesOn] {
                try await expectNoMessage(reaction) { screen, _ in
                    await screen.cancelLoading()
                    try await screen.fail("1", through: .loadUser, with: "offline")
                }
            }
        }
    }

    // MARK: - The task that awaits loadUser

    @Test func cancellingTheCallerCancelsTheFetch() async throws {
        try await expectCancellation(through: .loadUser) { await $1.cancelAndSettle() }
        try await KataSupport.inCase("isLoading") {
            let screen = await ProfileScreen()
            let caller = await screen.load("1", through: .loadUser)
            try screen.expectLoading(true)
            await caller.cancelAndSettle()
            try screen.expectLoading(false)
        }
    }

    @Test func cancellingTheCallerShowsNoMessage() async throws {
        try await KataSupport.inCase("CancellationError") {
            try await expectNoMessage(.throwsCancellationError) { await $1.cancelAndSettle() }
        }
        try await KataSupport.inCase("URLError") {
            try await expectNoMessage(.throwsAnotherError) { await $1.cancelAndSettle() }
        }
    }

    @Test func cancellingTheCallerOfAnEarlierLoadChangesNothing() async throws {
        var values = KataSupport.Values()
        let words = values.strings(3)
        let screen = await ProfileScreen(.goesOn)
        let caller = await screen.load(words[0], through: .loadUser)
        await screen.load(words[1], through: .loadUser)
        await caller.cancelAndSettle()
        try screen.expectLoading(true)
        try await screen.answer(words[1], through: .loadUser, with: words[2])
        try screen.expectName(words[2])

        // Its fetch may end after a newer load has begun.
        let later = await ProfileScreen(.goesOn)
        let cancelled = await later.load(words[0], through: .loadUser)
        await cancelled.cancelAndSettle()
        await later.load(words[1], through: .loadUser)
        try await later.answer(words[0], through: .loadUser, with: words[0])
        try later.expectLoading(true)
        try await later.answer(words[1], through: .loadUser, with: words[2])
        try later.expectName(words[2])
        try later.expectLoading(false)
    }

    // MARK: - Which load counts

    @Test func aLateUserDoesNotReplaceANewerOne() async throws {
        var values = KataSupport.Values()
        try await throughBoth { door in
            let words = values.strings(4)
            let screen = await ProfileScreen(.goesOn)
            await screen.load(words[0], through: door)
            await screen.load(words[1], through: door)
            try await screen.answer(words[1], through: door, with: words[3])
            try screen.expectName(words[3])
            try await screen.answer(words[0], through: door, with: words[2])
            try screen.expectName(words[3])
        }
        let words = values.strings(3)
        try await KataSupport.inCase("error") {
            let screen = await ProfileScreen(.goesOn)
            await screen.load(words[0], through: .loadUser)
            await screen.load(words[1], through: .loadUser)
            try await screen.answer(words[1], through: .loadUser, with: words[2])
            try await screen.fail(words[0], through: .loadUser, with: "offline")
            try screen.expectName(words[2])
            try screen.expectMessage(nil)
        }
    }

    @Test func whatWaitsForTheMainQueueNoLongerCounts() async throws {
        var values = KataSupport.Values()
        for (isReplaced, fails) in [(false, false), (true, false), (false, true), (true, true)] {
            let words = values.strings(4)
            let screen = await ProfileScreen()
            await screen.load(words[0], through: .loadUserPublisher)
            let result: Result<User, any Error> =
                fails ? .failure(Offline(message: words[2])) : .success(User(id: words[0], name: words[2]))
            try screen.endWhileBusy(words[0], with: result) { model in
                if isReplaced { model?.loadUserPublisher(id: words[1]) } else { model?.cancelLoading() }
            }
            await KataSupport.settle()
            try screen.expectName(nil)
            try screen.expectMessage(nil)
            try screen.expectLoading(isReplaced)
            if !isReplaced { await screen.load(words[1], through: .loadUserPublisher) }
            try await screen.answer(words[1], through: .loadUserPublisher, with: words[3])
            try screen.expectName(words[3])
        }
    }

    @Test func aLateAnswerForTheSameUserIsNotShown() async throws {
        var values = KataSupport.Values()
        let words = values.strings(3)
        let screen = await ProfileScreen(.goesOn)
        await screen.load(words[0], through: .loadUser)
        let first = try screen.running(words[0], through: .loadUser)
        await screen.load(words[0], through: .loadUser)
        try await screen.answer(words[0], through: .loadUser, with: words[2])
        try screen.expectName(words[2])
        first.end(.success(User(id: words[0], name: words[1])))
        await KataSupport.settle()
        try screen.expectName(words[2])
        // The other way round: the first answer comes while the second load still runs.
        let other = await ProfileScreen(.goesOn)
        await other.load(words[0], through: .loadUser)
        let replaced = try other.running(words[0], through: .loadUser)
        await other.load(words[0], through: .loadUser)
        replaced.end(.success(User(id: words[0], name: words[1])))
        await KataSupport.settle()
        try other.expectName(nil)
        try await other.answer(words[0], through: .loadUser, with: words[2])
        try other.expectName(words[2])
    }

    @Test func theSameUserIsLoadedAgain() async throws {
        var values = KataSupport.Values()
        for isShown in [false, true] {
            try await KataSupport.inCase(isShown ? "shown" : "loading") {
                try await throughBoth { door in
                    let words = values.strings(3)
                    let screen = await ProfileScreen()
                    await screen.load(words[0], through: door)
                    if isShown {
                        try await screen.answer(words[0], through: door, with: words[2])
                        try screen.expectName(words[2])
                    }
                    await screen.load(words[0], through: door)
                    try screen.expectCalls([words[0], words[0]], through: door)
                    try await screen.answer(words[0], through: door, with: words[1])
                    try screen.expectName(words[1])
                }
            }
        }
    }

    @Test func aLoadOfTheOtherMethodIsReplaced() async throws {
        var values = KataSupport.Values()
        try await acrossBoth { first, second in
            let words = values.strings(4)
            let screen = await ProfileScreen(.goesOn)
            await screen.load(words[0], through: first)
            await screen.load(words[1], through: second)
            try await screen.answer(words[0], through: first, with: words[2])
            try screen.expectName(nil)
            try await screen.answer(words[1], through: second, with: words[3])
            try screen.expectName(words[3])
        }
    }

    @Test func theLoadingLastsUntilTheLatestLoadIsOver() async throws {
        try await expectLoading(through: .loadUser, then: .loadUser)
        try await acrossBoth { try await expectLoading(through: $0, then: $1) }
    }

    // MARK: - What is cancelled

    @Test func aNewLoadCancelsTheOneBefore() async throws {
        try await throughBoth { door in
            try await expectCancellation(through: door) { screen, _ in await screen.load("2", through: door) }
        }
        try await acrossBoth { first, second in
            try await expectCancellation(through: first) { screen, _ in await screen.load("2", through: second) }
        }
    }

    @Test func theReleaseCancelsThePublisher() async throws {
        try await expectCancellation(through: .loadUserPublisher) { screen, _ in await screen.leave() }
    }

    // MARK: - The same for both methods

    @Test func aPublisherThatAnswersAtOnceEndsTheLoading() async throws {
        let model = ProfileViewModel(repository: CachedRepository())
        await KataSupport.settle()
        for id in ["1", "2"] {
            model.loadUserPublisher(id: id)
            await KataSupport.settle()
            try KataSupport.expect([model.user?.id].compactMap(\.self), equals: [id])
            try KataSupport.expect("isLoading = \(model.isLoading)", equals: "isLoading = false")
        }
    }

    private func throughBoth(_ body: (Door) async throws -> Void) async throws {
        for door: Door in [.loadUser, .loadUserPublisher] {
            try await KataSupport.inCase(door.name) { try await body(door) }
        }
    }

    /// A load of one method, and then one of the other.
    private func acrossBoth(_ body: (_ first: Door, _ second: Door) async throws -> Void) async throws {
        for (first, second): (Door, Door) in [(.loadUserPublisher, .loadUser), (.loadUser, .loadUserPublisher)] {
            try await KataSupport.inCase("\(first.name), \(second.name)") { try await body(first, second) }
        }
    }

    private func expectLoading(
        through door: Door, until end: (ProfileScreen, _ id: String) async throws -> Void
    ) async throws {
        let screen = await ProfileScreen()
        await screen.load("1", through: door)
        try screen.expectLoading(true)
        try await end(screen, "1")
        try screen.expectLoading(false)
    }

    /// A load begins, and something happens that has to cancel it.
    private func expectCancellation(
        through door: Door, by event: (ProfileScreen, _ caller: Task<Void, Never>) async -> Void
    ) async throws {
        let screen = await ProfileScreen()
        let caller = await screen.load("1", through: door)
        let load = try screen.running("1", through: door)
        await event(screen, caller)
        try await load.cancelled()
    }

    /// A load is cancelled and answers nevertheless.
    private func expectNoLateUser(through door: Door, _ test: String = #function) async throws {
        var values = KataSupport.Values(for: test)
        let words = values.strings(4)
        let screen = await ProfileScreen(.goesOn)
        await screen.load(words[0], through: door)
        await screen.cancelLoading()
        try await screen.answer(words[0], through: door, with: words[2])
        try screen.expectName(nil)
        await screen.load(words[1], through: door)
        try await screen.answer(words[1], through: door, with: words[3])
        try screen.expectName(words[3])
    }

    /// `loadUser` is cancelled, and its fetch fails.
    private func expectNoMessage(
        _ whenCancelled: Fetch.Reaction,
        after cancel: (ProfileScreen, _ caller: Task<Void, Never>) async throws -> Void
    ) async throws {
        let screen = await ProfileScreen(whenCancelled)
        let caller = await screen.load("1", through: .loadUser)
        _ = try screen.running("1", through: .loadUser)
        try await cancel(screen, caller)
        try screen.expectMessage(nil)
    }

    private func expectLoading(through first: Door, then second: Door) async throws {
        let screen = await ProfileScreen()
        await screen.load("1", through: first)
        await screen.load("2", through: second)
        try await screen.answer("1", through: first, with: "Ana")
        try screen.expectLoading(true)
        try await screen.answer("2", through: second, with: "Ben")
        try screen.expectLoading(false)
    }
}

extension Task {
    func cancelAndSettle() async {
        cancel()
        await KataSupport.settle()
    }
}

/// Has every user already.
private struct CachedRepository: UserRepositoryProtocol {
    func fetchUser(id: String) async throws -> User { User(id: id, name: "Ana") }

    func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        Just(User(id: id, name: "Ana")).setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
}
