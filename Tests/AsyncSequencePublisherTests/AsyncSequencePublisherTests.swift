import AsyncSequencePublisher
import Combine
import KataSupport
import Testing

@Suite(.ownProcess) struct AsyncSequencePublisherTests {
    typealias Probe = KataSupport.ProbeSubscriber<Int, any Error>

    let clock = KataSupport.TestClock()

    // MARK: - Elements and ends

    @Test func elementsComeInOrder() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(20)
        let subscriber = Probe()
        defer { subscriber.cancel() }
        let source = Source(numbers) { position in
            guard position == numbers.count else { return }
            // What the answer has started arrives before the end.
            for _ in 0..<60 { await Task.yield() }
        }
        await source.connect(subscriber)
        try KataSupport.expect(subscriber.values, equals: numbers)
        // Elements that are delivered by tasks of their own overtake each other.
        let first = Array(numbers.prefix(2))
        try await KataSupport.explore { race in
            let (start, end) = (KataSupport.Gate(), KataSupport.Gate())
            let subscriber = Probe()
            let source = Source(first) { position in
                try await start.pass()
                if position == first.count { try await end.pass() }
            }
            await source.connect(subscriber)
            try await race.threads({ start.open() })
            end.open()
            await rest()
            try KataSupport.expect(subscriber.values, equals: first)
        }
    }

    @Test func theEndOfTheSequenceFinishesThePipeline() async throws {
        var values = KataSupport.Values()
        for numbers in [values.integers(2), []] {
            let subscriber = Probe()
            await Source(numbers).connect(subscriber)
            defer { subscriber.cancel() }
            try KataSupport.expect(subscriber.history, equals: numbers.map { "\($0)" } + ["|"])
        }
    }

    @Test func eachElementArrivesAtOnce() async throws {
        var values = KataSupport.Values()
        let names = values.labels(3)
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>(time: clock)
        let end = KataSupport.Gate()
        let source = Source(names) { [clock] position in
            if position == 3 { try await end.pass() }
            try await clock.sleep(for: .milliseconds(100))
            if position < 3 { subscriber.input(names[position]) }
        }
        await source.connect(subscriber)
        defer { subscriber.cancel() }
        await clock.advance(by: .seconds(1))
        let times = [100, 200, 300].map(Duration.milliseconds)
        try subscriber.expect(zip(names, times).map { ($0, $1) })
    }

    @Test func eachSubscriberHasAnIterationOfItsOwn() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        try await expectTwoIterations(of: Source(numbers), numbers)
        try await expectTwoIterations(of: SequenceOfObjects(numbers: numbers), numbers)
    }

    private func expectTwoIterations<S: AsyncSequence & Sendable>(
        of sequence: S, _ numbers: [Int]
    ) async throws where S.Element == Int {
        let publisher = AsyncSequencePublisher(sequence)
        let subscribers = [Probe(), Probe()]
        for subscriber in subscribers {
            await step { publisher.subscribe(subscriber) }
        }
        defer { subscribers.forEach { $0.cancel() } }
        try KataSupport.expect(subscribers.map(\.values), equals: [numbers, numbers])
    }

    @Test func aCancellationErrorOfTheSequenceIsAFailure() async throws {
        let subscriber = Probe()
        await Source<Int>([], failure: CancellationError()).connect(subscriber)
        defer { subscriber.cancel() }
        try KataSupport.expect(subscriber.history, equals: ["x CancellationError()"])
    }

    // MARK: - Demand

    @Test func nothingIsFetchedBeforeTheFirstRequest() async throws {
        let source = Source([1, 2])
        let subscriber = Probe(demand: .none)
        await source.connect(subscriber)
        source.calls.record("request(_:)")
        await step { subscriber.request(.unlimited) }
        defer { subscriber.cancel() }
        try KataSupport.expect(Array(source.calls.events.prefix(2)), equals: ["request(_:)", "next()"])
    }

    private func expectRestAfterAnElement() async throws {
        let subscriber = try await waiting()
        defer { subscriber.cancel() }
        // An answer that looks for demand again and again goes on meanwhile.
        try await KataSupport.expectNothingLeftToRun()
    }

    /// A subscriber that has the one element that it asked for.
    private func waiting() async throws -> Probe {
        let subscriber = Probe(demand: .max(1))
        await Source([1, 2]).connect(subscriber)
        try KataSupport.expect(subscriber.values.first, equals: 1)
        return subscriber
    }

    @Test func noMoreElementsArriveThanWereAskedFor() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let subscriber = Probe(demand: .max(2))
        await Source(numbers).connect(subscriber)
        defer { subscriber.cancel() }
        try KataSupport.expect(subscriber.history, equals: numbers.prefix(2).map { "\($0)" })
    }

    @Test func aLaterRequestContinuesTheIteration() async throws {
        try await KataSupport.inCase("elements") {
            var values = KataSupport.Values()
            let numbers = values.integers(5)
            let subscriber = Probe(demand: .max(2))
            await Source(numbers).connect(subscriber)
            await step { subscriber.request(.max(2)) }
            defer { subscriber.cancel() }
            try KataSupport.expect(subscriber.history, equals: numbers.prefix(4).map { "\($0)" })
        }
        try await KataSupport.inCase("next()") { try await expectNothingAhead() }
    }

    /// Nothing is fetched ahead.
    private func expectNothingAhead() async throws {
        let source = Source(Array(1...5))
        let subscriber = Probe(demand: .max(2))
        await source.connect(subscriber)
        source.calls.record("request(_:)")
        await step { subscriber.request(.max(1)) }
        defer { subscriber.cancel() }
        try KataSupport.expect(source.calls.events, equals: ["next()", "next()", "request(_:)", "next()"])
    }

    @Test func nextIsNotCalledWhileItRuns() async throws {
        let gate = KataSupport.Gate()
        let source = Source(Array(1...5)) { _ in try await gate.pass() }
        let subscriber = Probe(demand: .max(1))
        await source.connect(subscriber)
        await step { subscriber.request(.max(1)) }
        defer { subscriber.cancel() }
        try KataSupport.expect(source.calls.events, equals: ["next()"])
    }

    @Test func requestsAddUp() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(8)
        let gate = KataSupport.Gate()
        let subscriber = Probe(demand: .max(2))
        await Source(numbers) { _ in try await gate.pass() }.connect(subscriber)
        for count in 1...2 {
            await step { subscriber.request(.max(count)) }
        }
        gate.open()
        await rest()
        defer { subscriber.cancel() }
        try KataSupport.expect(subscriber.history, equals: numbers.prefix(5).map { "\($0)" })
        try await KataSupport.inCase(".unlimited") { try await expectUnlimited() }
        try await KataSupport.inCase("receive(_:)") { try await expectReturnedDemand() }
    }

    /// What is unlimited stays so.
    private func expectUnlimited() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let gate = KataSupport.Gate()
        let subscriber = Probe(demand: .unlimited)
        await Source(numbers) { _ in try await gate.pass() }.connect(subscriber)
        await step { subscriber.request(.max(3)) }
        gate.open()
        await rest()
        defer { subscriber.cancel() }
        try KataSupport.expect(subscriber.values, equals: numbers)
    }

    /// What `receive(_:)` returns is demand, too.
    private func expectReturnedDemand() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let subscriber = Replier(demand: .max(1)) { _, count in count == 1 ? .max(2) : .none }
        await Source(numbers).connect(subscriber)
        defer { subscriber.cancel() }
        try KataSupport.expect(subscriber.history.events, equals: numbers.prefix(3).map { "\($0)" })
    }

    @Test func aRequestInsideReceiveCounts() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let subscriber = Replier(demand: .max(1)) { subscription, count in
            if count == 1 { subscription.request(.max(2)) }
            return .none
        }
        try await KataSupport.expectNoBlockedThread {
            await Source(numbers).connect(subscriber)
            await step { subscriber.cancel() }
        }
        try KataSupport.expect(subscriber.history.events, equals: numbers.prefix(3).map { "\($0)" })
        try await KataSupport.inCase("cancel()") { try await expectCancellationInside() }
    }

    @Test func aRequestAfterTheEndDoesNothing() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let subscriber = Probe()
        await Source(numbers).connect(subscriber)
        await step { subscriber.request(.max(3)) }
        try KataSupport.expect(subscriber.history, equals: numbers.map { "\($0)" } + ["|"])
        try await KataSupport.inCase("next()") { try await expectNoNext() }
        try await KataSupport.inCase("cancel()") { try await expectNothingAfterCancelling() }
    }

    /// Not even `next()` is called.
    private func expectNoNext() async throws {
        for failure in [nil, KataSupport.Failure("offline")] {
            // Some demand is left at the end, and more comes after it.
            let source = Source([1, 2], failure: failure)
            let subscriber = Probe(demand: .max(5))
            await source.connect(subscriber)
            await step { subscriber.request(.max(2)) }
            try KataSupport.expect(source.calls.events, equals: ["next()", "next()", "next()"])
            // Requests that come while the end is looked for.
            let gate = KataSupport.Gate()
            let slow = Source<Int>([], failure: failure) { _ in await gate.passEvenIfCancelled() }
            let eager = Probe(demand: .max(1))
            await slow.connect(eager)
            for _ in 0..<2 {
                await step { eager.request(.max(1)) }
            }
            gate.open()
            await rest()
            try KataSupport.expect(slow.calls.events, equals: ["next()"])
        }
        // A request that comes with the end.
        for failure in [nil, KataSupport.Failure("offline")] {
            try await KataSupport.explore { race in
                let gate = KataSupport.Gate()
                let source = Source<Int>([], failure: failure) { _ in await gate.passEvenIfCancelled() }
                let subscriber = Probe(demand: .max(1))
                await source.connect(subscriber)
                try await race.threads({
                    gate.open()
                    Task { subscriber.request(.max(1)) }
                })
                try KataSupport.expect(source.calls.events, equals: ["next()"])
            }
        }
    }

    // MARK: - Cancellation

    /// Neither a failure nor an end.
    private func expectNoEnd() async throws {
        for endsQuietly in [false, true] {
            let subscriber = Probe()
            let gate = KataSupport.Gate()
            let source = Source([1]) { position in
                guard position > 0 else { return }
                // A cancelled sequence throws, or ends as `AsyncStream` does.
                do { try await gate.pass() } catch { if !endsQuietly { throw error } }
            }
            await source.connect(subscriber)
            await step { subscriber.cancel() }
            try KataSupport.expect(subscriber.history, equals: ["1"])
        }
    }

    @Test func nothingArrivesAfterCancelling() async throws {
        let gate = KataSupport.Gate()
        let subscriber = Probe()
        let source = Source([1, 2, 3]) { position in
            if position > 0 { await gate.passEvenIfCancelled() }
        }
        await source.connect(subscriber)
        await step { subscriber.cancel() }
        gate.open()
        await rest()
        try KataSupport.expect(subscriber.history, equals: ["1"])
        try await KataSupport.inCase("end") { try await expectNoEnd() }
    }

    /// A subscriber may cancel there as well.
    private func expectCancellationInside() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(5)
        let subscriber = Replier { subscription, count in
            if count == 2 { subscription.cancel() }
            return .none
        }
        try await KataSupport.expectNoBlockedThread {
            await Source(numbers).connect(subscriber)
        }
        try KataSupport.expect(subscriber.history.events, equals: numbers.prefix(2).map { "\($0)" })
    }

    @Test func cancellingAfterSeveralRequestsCancelsAllWork() async throws {
        let work = KataSupport.CancellationProbe()
        let subscriber = Probe(demand: .max(1))
        await Source([1]) { _ in try await work.run() }.connect(subscriber)
        for _ in 0..<2 {
            await step { subscriber.request(.max(1)) }
        }
        await step { subscriber.cancel() }
        try await work.started()
        try await work.cancelled(work.starts)
        try await KataSupport.inCase("two subscribers") { try await expectTheOther() }
    }

    /// The other subscribers are left alone.
    private func expectTheOther() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        for cancelled in 0..<2 {
            let gate = KataSupport.Gate()
            let source = Source(numbers) { position in
                if position > 0 { try await gate.pass() }
            }
            let publisher = AsyncSequencePublisher(source)
            let subscribers = [Probe(), Probe()]
            for subscriber in subscribers {
                await step { publisher.subscribe(subscriber) }
            }
            await step { subscribers[cancelled].cancel() }
            gate.open()
            await rest()
            try KataSupport.expect(subscribers[1 - cancelled].history, equals: numbers.map { "\($0)" } + ["|"])
        }
    }

    /// The same after cancelling.
    private func expectNothingAfterCancelling() async throws {
        let source = Source([1, 2, 3])
        let subscriber = Replier(demand: .max(1))
        await source.connect(subscriber)
        await step { subscriber.cancel() }
        let before = source.calls.events.count
        await step { subscriber.request(.max(1)) }
        try KataSupport.expect(subscriber.history.events, equals: ["1"])
        try KataSupport.expect(Array(source.calls.events.dropFirst(before)), equals: [])
    }

    // MARK: - Threads

    @Test func waitingBlocksNoThread() async throws {
        let subscriber = Probe(demand: .max(1))
        try await KataSupport.expectNoBlockedThread {
            await Source([1, 2]).connect(subscriber)
            await step { subscriber.cancel() }
        }
        try KataSupport.expect(subscriber.values.first, equals: 1)
        try await KataSupport.inCase("processor time") { try await expectRestAfterAnElement() }
    }

    // What does not meet: elements and ends, which one iteration finds one after the other; what comes while the subscriber
    // gets its subscription, as it cannot call anything before; two cancellations, as a subscriber cancels once; two
    // subscribers, who share nothing but the sequence.

    @Test func requestsOfManyThreadsAddUp() async throws {
        try await KataSupport.explore { race in
            let gate = KataSupport.Gate()
            let subscriber = Probe(demand: .none)
            await Source([1, 2, 3]) { _ in try await gate.pass() }.connect(subscriber)
            try await race.threads({ subscriber.request(.max(1)) }, { subscriber.request(.max(1)) })
            gate.open()
            await rest()
            try KataSupport.expect(subscriber.values, equals: [1, 2])
            subscriber.cancel()
        }
        try await KataSupport.inCase("element") { try await raceWithAnElement() }
    }

    /// A request that comes while an element uses up the demand.
    private func raceWithAnElement() async throws {
        // Orders come to no end where code that waits goes on and on.
        try await expectRestAfterAnElement()
        try await KataSupport.explore { race in
            let gate = KataSupport.Gate()
            let subscriber = Probe(demand: .max(1))
            await Source([1, 2, 3]) { if $0 == 0 { try await gate.pass() } }.connect(subscriber)
            // The element uses up the demand, and more is asked for at any moment of that.
            try await race.threads({ gate.open() }, { subscriber.request(.max(1)) })
            try KataSupport.expect(subscriber.values, equals: [1, 2])
            subscriber.cancel()
        }
    }

    @Test func aCancellationMayMeetAnything() async throws {
        try await waiting().cancel()
        try await KataSupport.explore { race in
            let work = KataSupport.CancellationProbe()
            let subscriber = Replier(demand: .none)
            await Source([1]) { _ in try await work.run() }.connect(subscriber)
            try await race.threads({ subscriber.request(.unlimited) }, { subscriber.cancel() })
            try KataSupport.expect(work.cancellations, equals: work.starts)
        }
        try await KataSupport.inCase("wait for demand") { try await raceWithTheWaitForDemand() }
        try await KataSupport.inCase("element, end") { try await raceWithWhatArrives() }
    }

    /// A cancellation, and an iteration that begins to wait for the next request: none may wait for ever.
    private func raceWithTheWaitForDemand() async throws {
        try await KataSupport.explore { race in
            let (gate, probe) = (KataSupport.Gate(), KataSupport.LeakProbe())
            let subscriber = Replier(demand: .max(1))
            await Source([1, 2], holding: probe.token()) { _ in await gate.passEvenIfCancelled() }.connect(subscriber)
            try await race.threads({ gate.open() }, { subscriber.cancel() })
            try await probe.released()
        }
    }

    /// A cancellation, and an element or the end.
    private func raceWithWhatArrives() async throws {
        try await waiting().cancel()
        try await KataSupport.explore { race in
            let (first, second) = (KataSupport.Gate(), KataSupport.Gate())
            let source = Source([1, 2]) { position in
                if position == 0 { await first.passEvenIfCancelled() } else { try await second.pass() }
            }
            let subscriber = Replier()
            await source.connect(subscriber)
            try await race.threads({ first.open() }, { subscriber.cancel() })
            try KataSupport.expect(subscriber.history.events.joined(separator: ", "), isOneOf: ["", "1"])
            // No iteration waits for the second element.
            try KataSupport.expect(second.waiting, equals: 0)
        }
        for failure in [nil, KataSupport.Failure("offline")] {
            try await KataSupport.explore { race in
                let gate = KataSupport.Gate()
                let subscriber = Replier()
                await Source<Int>([], failure: failure) { _ in await gate.passEvenIfCancelled() }.connect(subscriber)
                try await race.threads({ gate.open() }, { subscriber.cancel() })
                try KataSupport.expect(subscriber.history.events.count, isOneOf: [0, 1])
            }
        }
    }

    // MARK: - Memory

    @Test func whatIsOverIsReleased() async throws {
        try await KataSupport.inCase("finished") {
            try await expectRelease(of: [1], failure: nil, history: ["1", "|"])
        }
        try await KataSupport.inCase("failed") {
            try await expectRelease(of: [1], failure: KataSupport.Failure("offline"), history: ["1", "x offline"])
        }
        try await KataSupport.inCase("cancelled") {
            try await expectRelease(of: [1, 2], failure: nil, demand: .max(1), history: ["1"])
        }
        try await KataSupport.inCase("sequence") { try await expectReleasedSequence() }
    }

    /// Each round ends a subscription in another way; the subscriber keeps it all the time.
    /// So is the sequence, which the subscription has to let go of.
    private func expectReleasedSequence() async throws {
        let rounds: [(failure: (any Error)?, demand: Subscribers.Demand, history: [String])] = [
            (nil, .unlimited, ["1", "|"]), (KataSupport.Failure("offline"), .unlimited, ["1", "x offline"]),
            (nil, .max(1), ["1", "cancel()"]), (nil, .none, ["cancel()"]),
        ]
        var kept: [String] = []
        for round in rounds {
            let probe = KataSupport.LeakProbe()
            let subscriber = Replier(demand: round.demand)
            await Source([1], failure: round.failure, holding: probe.token()).connect(subscriber)
            if round.demand != .unlimited {
                await step { subscriber.cancel() }
                subscriber.history.record("cancel()")
            }
            // What else arrives is not the point here.
            try KataSupport.expect(Array(subscriber.history.events.prefix(1)), equals: Array(round.history.prefix(1)))
            do {
                try await probe.released()
            } catch is KataSupport.DeadlineExceeded {
                kept.append(round.history.joined(separator: " "))
            }
            withExtendedLifetime(subscriber) {}
        }
        try KataSupport.expect(kept, equals: [])
    }
}

/// Waits for all that follows. An answer that never comes to rest uses all the steps that it is given, each time.
func rest(steps: Int = 120) async {
    await KataSupport.settle(limit: steps)
}

/// Does this in a task of its own, as an answer may block its thread, and waits for all that follows.
func step(_ action: @escaping @Sendable () -> Void) async {
    await rest()
    Task { action() }
    await rest()
}

/// The subscriber, which keeps its subscription, and the sequence are released when all is over: with the end of the
/// sequence, or else by cancelling.
func expectRelease(
    of elements: [Int], failure: (any Error)?, demand: Subscribers.Demand = .unlimited, history: [String]
) async throws {
    let probe = KataSupport.LeakProbe()
    do {
        let subscriber = Replier(demand: demand) { [token = probe.token()] _, _ in
            withExtendedLifetime(token) { .none }
        }
        let source = Source(elements, failure: failure) { [token = probe.token()] _ in withExtendedLifetime(token) {} }
        await source.connect(subscriber)
        try KataSupport.expect(subscriber.history.events, equals: history)
        if demand != .unlimited { await step { subscriber.cancel() } }
    }
    try await probe.released()
}

/// Its iterators are objects, so that a copy of one goes on where the other is.
private struct SequenceOfObjects: AsyncSequence, Sendable {
    let numbers: [Int]

    func makeAsyncIterator() -> Iterator { Iterator(numbers) }

    final class Iterator: AsyncIteratorProtocol {
        private var rest: ArraySlice<Int>

        init(_ numbers: [Int]) { rest = numbers[...] }

        func next() async throws -> Int? { rest.popFirst() }
    }
}

/// Elements one after the other, then the end or a failure. Each iterator begins anew.
struct Source<Element: Sendable>: AsyncSequence, Sendable {
    /// Each call of `next()`.
    let calls = KataSupport.Log<String>()

    private let elements: [Element]
    private let failure: (any Error)?
    private let token: KataSupport.LeakProbe.Token?
    private let wait: @Sendable (_ position: Int) async throws -> Void

    /// - Parameters:
    ///   - token: What the sequence keeps alive, and its iterators do not.
    ///   - wait: What `next()` does before it returns the element at this position, or the end.
    init(
        _ elements: [Element], failure: (any Error)? = nil, holding token: KataSupport.LeakProbe.Token? = nil,
        wait: @escaping @Sendable (_ position: Int) async throws -> Void = { _ in }
    ) {
        self.elements = elements
        self.failure = failure
        self.token = token
        self.wait = wait
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(calls: calls, rest: elements[...], failure: failure, wait: wait)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let calls: KataSupport.Log<String>
        fileprivate var rest: ArraySlice<Element>
        fileprivate let failure: (any Error)?
        fileprivate let wait: @Sendable (_ position: Int) async throws -> Void

        mutating func next() async throws -> Element? {
            calls.record("next()")
            try await wait(rest.startIndex)
            if let element = rest.popFirst() { return element }
            if let failure { throw failure }
            return nil
        }
    }

    /// Subscribes, and waits for all that follows.
    func connect<S: Subscriber & Sendable>(_ subscriber: S) async where S.Input == Element, S.Failure == any Error {
        await step { publisher.subscribe(subscriber) }
    }
}

/// A subscriber that answers each element as the test says, and keeps its subscription as long as it lives.
final class Replier: Subscriber, @unchecked Sendable {  // the subscription is set first
    typealias Input = Int
    typealias Failure = any Error

    /// What is done for an element, and returned; the count is that of the elements so far.
    typealias Reply = @Sendable (_ subscription: any Subscription, _ count: Int) -> Subscribers.Demand

    let history = KataSupport.Log<String>()
    private let demand: Subscribers.Demand
    private let reply: Reply
    private var subscription: (any Subscription)?

    init(
        demand: Subscribers.Demand = .unlimited,
        reply: @escaping Reply = { _, _ in .none }
    ) {
        self.demand = demand
        self.reply = reply
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        history.record("\(input)")
        return subscription.map { reply($0, history.events.count) } ?? .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        switch completion {
        case .finished: history.record("|")
        case .failure(let error): history.record("x \((error as? KataSupport.Failure)?.name ?? "\(error)")")
        }
    }

    func request(_ demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    func cancel() {
        subscription?.cancel()
    }
}
