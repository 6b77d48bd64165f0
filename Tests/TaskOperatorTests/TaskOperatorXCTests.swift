import Combine
import KataSupport
import TaskOperator
import XCTest

final class TaskOperatorXCTests: XCTestCase {
    typealias Failure = KataSupport.Failure

    func testAThrownErrorIsTheFailure() async throws {
        for failsAlready in [false, true] {
            let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
            let upstream = endless([1, 2])
            await act {
                if failsAlready {
                    upstream.setFailureType(to: (any Error).self).task { try self.refuse($0) }.subscribe(subscriber)
                } else {
                    upstream.task { try self.refuse($0) }.subscribe(subscriber)
                }
            }
            defer { Task { subscriber.cancel() } }
            try KataSupport.expect(subscriber.history.filter { $0.hasPrefix("x") }, equals: ["x offline"])
            try KataSupport.expect(subscriber.result, throws: Failure("offline"))
        }
        try await KataSupport.inCase("what waits") { try await expectNoFurtherStart() }
    }

    private func refuse(_ value: Int) throws -> Int {
        if value == 2 { throw Failure("offline") }
        return value
    }

    func testEmptySinkRunsThePipeline() async throws {
        let transforms = Transforms([1, 2, 3])
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscription = publisher.task(maxPublishers: .max(1)) { await transforms.run($0) }.emptySink()
        defer {
            subscription.cancel()
            transforms.endAll()
        }
        for value in [1, 2, 3] {
            await send([value], to: publisher)
            transforms.end(value)
        }
        await KataSupport.settle()
        try KataSupport.expect(transforms.started, equals: [1, 2, 3])

        // A subject does not wait until it is asked.
        let received = KataSupport.Log<Int>()
        let subject = KataSupport.ProbePublisher<Int, Never>()
        let other = subject.handleEvents(receiveOutput: { received.record($0) }).emptySink()
        defer { other.cancel() }
        await act { (1...3).forEach(subject.send) }
        try KataSupport.expect(received.events, equals: [1, 2, 3])

        // What is sent right after the call counts as well.
        try await KataSupport.inCase("at once") {
            let taken = KataSupport.Log<Int>()
            let sender = PassthroughSubject<Int, Never>()
            let running = sender.handleEvents(receiveOutput: { taken.record($0) }).emptySink()
            sender.send(1)
            await KataSupport.settle()
            try KataSupport.expect(taken.events, equals: [1])
            running.cancel()
        }
    }

    func testDroppingTheResultOfEmptySinkCancels() async throws {
        let transforms = KataSupport.CancellationProbe()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        var subscription: AnyCancellable? =
            publisher
            .task { value in
                try? await transforms.run()
                return value
            }
            .emptySink()
        await send([1, 2], to: publisher)
        try await transforms.started(2)
        withExtendedLifetime(subscription) {}
        subscription = nil
        try await transforms.cancelled(2)
        try await KataSupport.inCase("same moment") { try await raceCancellation() }
    }

    func testCancellingCancelsTheUpstream() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { $0 }.subscribe(subscriber)
        await KataSupport.settle()
        subscriber.cancel()
        try await publisher.cancelled()
        try await KataSupport.inCase("what waits") { try await expectNoStartAfterCancelling() }
        try await KataSupport.inCase("receive(_:)") { try await expectCancellationInsideReceive() }
    }

    /// What waits does not start after it.
    private func expectNoFurtherStart() async throws {
        let started = KataSupport.Log<Int>()
        let subscriber = KataSupport.ProbeSubscriber<Int, any Error>()
        await act {
            endless([1, 2, 3])
                .task(maxPublishers: .max(1)) { value in
                    started.record(value)
                    if value == 2 { throw Failure("offline") }
                    return value
                }
                .subscribe(subscriber)
        }
        defer { Task { subscriber.cancel() } }
        try KataSupport.expect(started.events, equals: [1, 2])
    }

    /// What waits does not start after it.
    private func expectNoStartAfterCancelling() async throws {
        let transforms = Transforms([1, 2, 3])
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        await act {
            endless([1, 2, 3]).task(maxPublishers: .max(1)) { await transforms.run($0) }.subscribe(subscriber)
        }
        await act { subscriber.cancel() }
        transforms.endAll()
        await KataSupport.settle()
        try KataSupport.expect(transforms.started, equals: [1])
    }

    /// A subscriber may cancel while it receives.
    private func expectCancellationInsideReceive() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        publisher.task { $0 }.first().subscribe(subscriber)
        await send([1], to: publisher)
        try KataSupport.expect(subscriber.history, equals: ["1", "|"])
        try await publisher.cancelled()
    }

    /// It may be cancelled at any moment.
    private func raceCancellation() async throws {
        try await KataSupport.explore { race in
            let publisher = KataSupport.ProbePublisher<Int, Never>()
            let subscription = publisher.emptySink()
            try await publisher.asked(for: .max(1))
            try await race.threads(
                {
                    publisher.send(1)
                    publisher.send(completion: .finished)
                }, { subscription.cancel() })
        }
    }
}
