import Combine
import KataSupport
import Testing

@Suite(.ownProcess) struct ProbePublisherTests {
    @Test func aSubscriberReturnsDemandForEachValue() {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(1), returning: .max(2))
        publisher.subscribe(subscriber)
        publisher.send(1)
        #expect(publisher.asked == .max(3))
        #expect(subscriber.values == [1])
    }

    @Test func sendsOnlyWhatWasAskedFor() {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(1))
        publisher.subscribe(subscriber)
        publisher.send(1)
        publisher.send(2)
        #expect(subscriber.values == [1])
        #expect(publisher.events == [.subscribed, .requested(.max(1))])
    }

    @Test func countsDemandThatIsReturnedForAValue() {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        var values: [Int] = []
        publisher.subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: { value in
                    values.append(value)
                    return .max(values.count < 2 ? 1 : 0)
                }))
        for value in 1...3 { publisher.send(value) }
        #expect(values == [1, 2])
        #expect(publisher.asked == .max(2))
    }

    @Test func sendsNothingAfterACancellation() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>(.ignoresDemand)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .none)
        publisher.subscribe(subscriber)
        publisher.send(1)
        subscriber.cancel()
        publisher.send(2)
        publisher.send(completion: .finished)
        try await publisher.cancelled()
        #expect(subscriber.history == ["1"])
        #expect(publisher.cancellations == 1)
    }

    @Test func sendsNothingAfterTheEnd() {
        let publisher = KataSupport.ProbePublisher<Int, KataSupport.Failure>()
        let subscriber = KataSupport.ProbeSubscriber<Int, KataSupport.Failure>()
        publisher.subscribe(subscriber)
        publisher.send(completion: .failure(KataSupport.Failure("offline")))
        publisher.send(1)
        publisher.send(completion: .finished)
        #expect(subscriber.history == ["x offline"])
    }

    @Test func breaksEveryRuleWhereItIsToldTo() {
        let publisher = KataSupport.ProbePublisher<Int, Never>(.ignoresTheEnd)
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .none)
        publisher.subscribe(subscriber)
        subscriber.cancel()
        publisher.send(1)
        publisher.send(completion: .finished)
        publisher.send(completion: .finished)
        #expect(subscriber.history == ["1", "|", "|"])
    }

    @Test func tellsTheVirtualTimeOfWhatASubscriberReceives() async {
        let clock = KataSupport.TestClock()
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(time: clock)
        publisher.subscribe(subscriber)
        await clock.advance(by: .milliseconds(100))
        publisher.send(7)
        publisher.send(completion: .finished)
        #expect(throws: Never.self) {
            try subscriber.expect([("7", .milliseconds(100)), ("|", .milliseconds(100))])
        }
        #expect(throws: KataSupport.Mismatch.self) { try subscriber.expect([("7", .zero)]) }
    }

    @Test("A mirror does not show a submission what the suite waits for")
    func mirror() async throws {
        func reach(_ value: Any, _ depth: Int = 0) -> [String] {
            if depth > 9 { return [] }
            return Mirror(reflecting: value).children.flatMap { child in
                ["\(type(of: child.value))"] + reach(child.value, depth + 1)
            }
        }
        let publisher = KataSupport.ProbePublisher<Int, Never>(holding: KataSupport.LeakProbe().token())
        let waiting = Task { try await publisher.cancelled() }
        await KataSupport.settle()
        let seen = reach(publisher) + reach(KataSupport.TestClock())
        #expect(seen.contains { $0.contains("Locked") })
        #expect(
            !seen.contains {
                $0.contains("Continuation") || $0.contains("Waiter") || $0.contains("Line") && !$0.contains("Locked")
            })
        publisher.subscribe(KataSupport.ProbeSubscriber<Int, Never>())
        publisher.sink { _ in }.cancel()
        try await waiting.value
    }

    @Test func tooMuchDemandAndTooLittleAreMistakesOfTheirOwn() throws {
        func kind(_ actual: Subscribers.Demand) -> Finding.Kind? {
            do { try KataSupport.expect(actual, equals: .max(2)) } catch { return (error as? Mismatch)?.kind }
            return nil
        }
        #expect(kind(.max(2)) == nil)
        #expect(kind(.max(3)) == .extra)
        #expect(kind(.unlimited) == .extra)
        #expect(kind(.max(1)) == .missing)
        #expect(kind(.none) == .nothing)
    }
}
