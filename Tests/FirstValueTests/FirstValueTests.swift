import Combine
import Dispatch
import FirstValue
import KataSupport
import Testing

@Suite(.ownProcess) struct FirstValueTests {
    typealias Failure = KataSupport.Failure

    // MARK: - The subscription

    @Test func aValueIsAskedFor() async throws {
        let publishers = (0..<2).map { _ in KataSupport.ProbePublisher<Int, Never>() }
        Task { await publishers[0].firstValue }
        let throwing = Task { try await publishers[1].firstValueThrowing }
        defer { throwing.cancel() }
        await KataSupport.settle()
        for publisher in publishers {
            // It stays for ever, so that the wait may go on: what a value does is for other tests.
            _ = Unmanaged.passRetained(publisher)
            let first = publisher.events.prefix(2).map { if case .requested = $0 { "requested" } else { "\($0)" } }
            try KataSupport.expect(first, equals: ["subscribed", "requested"])
        }
    }

    // MARK: - firstValue

    @Test func firstValueOfASynchronousPublisher() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let value = Task { await numbers.publisher.firstValue }
        try await KataSupport.expect(KataSupport.result(of: value), equals: numbers[0])
    }

    @Test func firstValueThatComesLater() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let value = Task { await publisher.firstValue }
        await KataSupport.settle()
        numbers.forEach(publisher.send)
        try await KataSupport.expect(KataSupport.result(of: value), equals: numbers[0])
    }

    @Test func firstValueFromAnotherThread() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        try await KataSupport.explore { race in
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let value = Task { await publisher.firstValue }
            await KataSupport.settle()
            try await race.threads({ publisher.send(number) })
            try await KataSupport.expect(KataSupport.result(of: value), equals: number)
        }
    }

    @Test func upstreamIsCancelledAfterTheValue() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        Task { await publisher.firstValue }
        await KataSupport.settle()
        publisher.send(1)
        try await publisher.cancelled()
    }

    // MARK: - firstValueThrowing

    @Test func throwingValueOfASynchronousPublisher() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let value = Task {
            try await numbers.publisher.setFailureType(to: Failure.self).firstValueThrowing
        }
        try await KataSupport.expect(KataSupport.result(of: value), equals: numbers[0])
    }

    @Test func aPublisherThatEndsAtOnceThrows() async throws {
        let failing = Task { try await Fail<Int, Failure>(error: Failure("offline")).firstValueThrowing }
        try await KataSupport.expect(KataSupport.result(of: failing), throws: Failure("offline"))
        let finishing = Task { try await Empty<Int, Failure>().firstValueThrowing }
        try await expectNoValue(KataSupport.result(of: finishing))
    }

    @Test func throwingValueThatComesLater() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(2)
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { try await publisher.firstValueThrowing }
        await KataSupport.settle()
        numbers.forEach(publisher.send)
        try await KataSupport.expect(KataSupport.result(of: value), equals: numbers[0])
    }

    // MARK: - The wait

    @Test func theSubscriptionLastsUntilTheValue() async throws {
        try await expectSubscription { await $0.firstValue }
        try await expectSubscription { try await $0.firstValueThrowing }
    }

    private func expectSubscription(
        of wait: @escaping @Sendable (KataSupport.ProbePublisher<Int, Never>) async throws -> Int
    ) async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        Task { try await wait(publisher) }
        await KataSupport.settle()
        let begunOrCancelled = publisher.events.filter { $0 == .subscribed || $0 == .cancelled }
        publisher.send(1)
        try KataSupport.expect(begunOrCancelled, equals: [.subscribed])
    }

    @Test func aWaitBlocksNoThread() async throws {
        let publishers = (0..<KataSupport.manyWaits).map { _ in KataSupport.ProbePublisher<Int, Never>() }
        var waits: [Task<Int, any Error>] = []
        try await KataSupport.expectNoBlockedThread {
            for publisher in publishers {
                waits += [Task { await publisher.firstValue }, Task { try await publisher.firstValueThrowing }]
            }
        } afterwards: {
            for publisher in publishers { publisher.send(1) }
        }
        for wait in waits { try await KataSupport.expect(KataSupport.result(of: wait), equals: 1) }
        // A wait that looks again and again has something to do meanwhile.
        try await KataSupport.inCase("polls") {
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let waits = [Task { await publisher.firstValue }, Task { try await publisher.firstValueThrowing }]
            defer { publisher.send(1) }
            try await publisher.subscribed(2)
            try await KataSupport.expectNothingLeftToRun()
            withExtendedLifetime(waits) {}
        }
    }

    @Test func anUpstreamThatSendsAtOnceIsCancelled() async throws {
        let publishers = (0..<2).map { _ in Endless() }
        defer { publishers.forEach { $0.cancel() } }
        Task { await publishers[0].firstValue }
        Task { try await publishers[1].firstValueThrowing }
        await KataSupport.settle()
        for publisher in publishers { try KataSupport.expect(publisher.events, equals: ["cancelled"]) }
    }

    @Test func nilIsAValue() async throws {
        try await expectNil { await $0.firstValue }
        try await expectNil { try await $0.firstValueThrowing }
    }

    private func expectNil(
        from wait: @escaping @Sendable (KataSupport.ProbePublisher<Int?, Never>) async throws -> Int?
    ) async throws {
        let publisher = KataSupport.ProbePublisher<Int?, Never>()
        let value = Task { try await wait(publisher) }
        await KataSupport.settle()
        publisher.send(nil)
        publisher.send(1)
        try await KataSupport.expect(KataSupport.result(of: value), equals: nil)
    }

    @Test func theCompletionDoesNotOvertakeTheValue() async throws {
        // What the wait begins, be it tasks or queues, runs in each order.
        try await KataSupport.explore { race in
            let gate = KataSupport.Gate()
            let value = Task {
                await gate.passEvenIfCancelled()
                return try await Just(1).firstValueThrowing
            }
            try await gate.untilWaiting(atLeast: 1)
            try await race.threads({ gate.open() })
            try await KataSupport.expect(KataSupport.result(of: value), equals: 1)
        }
    }

    @Test func severalTasksWaitForOnePublisher() async throws {
        var values = KataSupport.Values()
        let number = values.integer()
        try await expectTwo(equal: number) { await $0.firstValue }
        try await expectTwo(equal: number) { try await $0.firstValueThrowing }
    }

    private func expectTwo(
        equal number: Int, _ wait: @escaping @Sendable (KataSupport.ProbePublisher<Int, Never>) async throws -> Int
    ) async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let waits = (0..<2).map { _ in Task { try await wait(publisher) } }
        await KataSupport.settle()
        publisher.send(number)
        await KataSupport.settle()
        for wait in waits { try await KataSupport.expect(KataSupport.result(of: wait), equals: number) }
    }

    // MARK: - Cancellation

    @Test func cancellingTheTaskThrowsAtOnce() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { try await publisher.firstValueThrowing }
        await KataSupport.settle()
        value.cancel()
        defer { publisher.send(1) }  // ends a wait that goes on in a loop
        try await KataSupport.expectCancellation(KataSupport.result(of: value))
    }

    @Test func aTaskThatIsCancelledBeforehandDoesNotHang() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        defer { publisher.send(1) }
        let value = cancelledTask(waitingFor: publisher)
        _ = try await KataSupport.result(of: value)
        try await expectThatOthersGetTheirValue()
    }

    @Test func aTaskThatIsCancelledBeforehandLeavesNoSubscription() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        defer { publisher.send(1) }
        _ = cancelledTask(waitingFor: publisher)
        await KataSupport.settle()
        try await publisher.cancelled(publisher.subscriptions)
        try await expectThatOthersGetTheirValue()
    }

    private func expectThatOthersGetTheirValue() async throws {
        try await KataSupport.expect(KataSupport.result(of: Task { try await Just(1).firstValueThrowing }), equals: 1)
    }

    /// A task that is cancelled before it begins to wait.
    private func cancelledTask(
        waitingFor publisher: KataSupport.ProbePublisher<Int, Failure>
    ) -> Task<Int, any Error> {
        let gate = KataSupport.Gate()
        let task = Task {
            await gate.passEvenIfCancelled()
            return try await publisher.firstValueThrowing
        }
        task.cancel()
        gate.open()
        return task
    }

    // MARK: - Races

    // A value, a failure, the end of the publisher, a cancellation and the beginning of the wait meet. Left out: pairs in which a
    // failure and an end go the same way, and two waits, which share nothing.

    @Test func aRaceOfThreadsResumesOnce() async throws {
        try await KataSupport.explore { race in
            // Also sends where the first value has cancelled it just now.
            let publisher = KataSupport.ProbePublisher<Int, Never>(.ignoresTheEnd)
            let value = Task { await publisher.firstValue }
            try await publisher.asked(for: .max(1))
            let mayBothSend = publisher.asked >= .max(2)
            try await race.threads({ publisher.send(1) }, { if mayBothSend { publisher.send(2) } })
            try await KataSupport.expect(outcome(of: value), isOneOf: ["1", "2"])
        }
        try await race(.value, .finish)
    }

    @Test func aValueAndACancellationResumeOnce() async throws {
        for end in [Ending.value, .failure] { try await race(.cancellation, end) }
    }

    /// What ends a wait, and how the wait ends then.
    private struct Ending: Sendable {
        var outcome: String
        var act: @Sendable (KataSupport.ProbePublisher<Int, Failure>, Task<Int, any Error>) -> Void

        static let value = Ending(outcome: "1") { publisher, _ in publisher.send(1) }
        static let finish = Ending(outcome: "finishedWithoutValue") { publisher, _ in
            publisher.send(completion: .finished)
        }
        static let failure = Ending(outcome: "\(Failure("offline"))") { publisher, _ in
            publisher.send(completion: .failure(Failure("offline")))
        }
        static let cancellation = Ending(outcome: "\(CancellationError())") { _, value in value.cancel() }
    }

    private func race(_ first: Ending, _ second: Ending) async throws {
        try await KataSupport.explore { race in
            let publisher = KataSupport.ProbePublisher<Int, Failure>(.ignoresTheEnd)
            let value = Task { try await publisher.firstValueThrowing }
            try await publisher.asked(for: .max(1))
            try await race.threads({ first.act(publisher, value) }, { second.act(publisher, value) })
            try await KataSupport.expect(outcome(of: value), isOneOf: [first.outcome, second.outcome])
        }
    }

    private func outcome<Failure>(of value: Task<Int, Failure>) async throws -> String {
        switch try await KataSupport.result(of: value) {
        case .success(let value): "\(value)"
        case .failure(FirstValueError.finishedWithoutValue): "finishedWithoutValue"
        case .failure(let error): "\(error)"
        }
    }

    @Test func aCancellationAsTheWaitBeginsEndsIt() async throws {
        try await KataSupport.explore { race in
            let gate = KataSupport.Gate()
            let publisher = KataSupport.ProbePublisher<Int, Failure>()
            defer { publisher.send(1) }  // ends a wait that goes on
            let value = Task {
                await gate.passEvenIfCancelled()
                return try await publisher.firstValueThrowing
            }
            try await gate.untilWaiting(atLeast: 1)
            // The wait begins first, unless it is interrupted.
            try await race.threads({
                gate.open()
                Task { value.cancel() }
            })
            try await KataSupport.expectCancellation(KataSupport.result(of: value))
        }
    }

    @Test func aValueAsTheWaitBeginsArrives() async throws {
        try await raceWithTheBeginning { await $0.firstValue }
        try await raceWithTheBeginning { try await $0.firstValueThrowing }
    }

    private func raceWithTheBeginning(
        of wait: @escaping @Sendable (KataSupport.ProbePublisher<Int, Never>) async throws -> Int
    ) async throws {
        try await KataSupport.explore { race in
            let gate = KataSupport.Gate()
            let asked = DispatchSemaphore(value: 0)
            let publisher = KataSupport.ProbePublisher<Int, Never>(whenRequested: { asked.signal() })
            let value = Task {
                await gate.passEvenIfCancelled()
                return try await wait(publisher)
            }
            try await gate.untilWaiting(atLeast: 1)
            try await race.threads(
                { gate.open() },
                {
                    asked.wait()
                    publisher.send(1)
                })
            try await KataSupport.expect(outcome(of: value), isOneOf: ["1"])
            try await publisher.cancelled()
        }
    }

    // MARK: - Memory

    @Test func nothingIsKeptAliveAfterTheValue() async throws {
        let end: End<Never> = { publisher, _ in publisher.send(1) }
        try await expectRelease(of: { await $0.firstValue }, after: end)
        try await expectRelease(of: { try await $0.firstValueThrowing }, after: end)
    }

    @Test func nothingIsKeptAliveAfterAFailure() async throws {
        // Finishing without a value is a failure, too.
        for completion in [Subscribers.Completion<Failure>.failure(Failure("offline")), .finished] {
            let end: End<Failure> = { publisher, _ in publisher.send(completion: completion) }
            try await expectRelease(of: { try await $0.firstValueThrowing }, after: end)
        }
    }

    @Test func nothingIsKeptAliveAfterCancelling() async throws {
        let end: End<Failure> = { _, value in value.cancel() }
        try await expectRelease(of: { try await $0.firstValueThrowing }, after: end)
    }

    private typealias End<Failure: Error> = (
        KataSupport.ProbePublisher<Int, Failure>, Task<Int, any Error>
    ) -> Void

    /// What the pipeline holds is released when the wait has ended.
    private func expectRelease<Failure: Error>(
        of wait: @escaping @Sendable (AnyPublisher<Int, Failure>) async throws -> Int, after end: End<Failure>
    ) async throws {
        let probe = KataSupport.LeakProbe()
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { [token = probe.token()] in
            let pipeline = publisher.handleEvents(receiveOutput: { _ in _ = token })
            return try await wait(Holding(upstream: pipeline, token: token).eraseToAnyPublisher())
        }
        await KataSupport.settle()
        try KataSupport.expect(publisher.subscriptions, equals: 1)
        end(publisher, value)
        defer { publisher.send(1) }
        try await probe.released()
    }
}

/// Gives each subscriber a subscription that holds a token as long as it is there, also when it was cancelled.
private struct Holding<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let token: KataSupport.LeakProbe.Token

    func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
        upstream.subscribe(
            AnySubscriber(
                receiveSubscription: { subscriber.receive(subscription: Held(subscription: $0, token: token)) },
                receiveValue: { subscriber.receive($0) },
                receiveCompletion: { subscriber.receive(completion: $0) }))
    }

    private final class Held: Subscription {
        private let subscription: any Subscription
        private let token: KataSupport.LeakProbe.Token

        init(subscription: any Subscription, token: KataSupport.LeakProbe.Token) {
            (self.subscription, self.token) = (subscription, token)
        }

        func request(_ demand: Subscribers.Demand) { subscription.request(demand) }
        func cancel() { subscription.cancel() }
    }
}

/// Sends its values while it is being asked. If it was asked for more than it has, it does not return before it is cancelled.
private final class Endless: Publisher, Subscription, @unchecked Sendable {  // its one subscriber is set first
    typealias Output = Int
    typealias Failure = Never

    private let log = KataSupport.Log<String>()
    private let cancelled = DispatchSemaphore(value: 0)
    private var subscriber: (any Subscriber<Int, Never>)?

    var events: [String] { log.events }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        self.subscriber = subscriber
        subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) {
        for value in 1...3 where demand >= .max(value) && events.isEmpty {
            _ = subscriber?.receive(value)
        }
        guard demand > .max(3) else { return }
        cancelled.wait()
        cancelled.signal()
    }

    func cancel() {
        guard events.isEmpty else { return }
        log.record("cancelled")
        cancelled.signal()
    }
}
