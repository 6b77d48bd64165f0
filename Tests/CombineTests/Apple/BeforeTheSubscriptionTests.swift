import Combine
import Foundation
import Testing

/// What operators do with events that break the rules and come before their subscription: the same as Apple's.
@Suite struct BeforeTheSubscriptionTests {
    /// An operator on a publisher that gives no subscription by itself.
    private func subscribe<P: Publisher>(
        _ build: (ProbePublisher<Int, Never>) -> P
    ) -> (ProbePublisher<Int, Never>, Recorder<P.Output, P.Failure>) where P.Output: Equatable {
        let upstream = ProbePublisher<Int, Never>(subscription: nil)
        let recorder = Recorder<P.Output, P.Failure>(requesting: nil, perValue: .max(42))
        build(upstream).subscribe(recorder)
        return (upstream, recorder)
    }

    /// Cancels the operator before its subscription has come, and returns what that subscription is asked.
    private func cancelEarly<P: Publisher>(_ build: (ProbeOfSubscriber) -> P) -> [ProbeSubscription.Event] {
        let upstream = ProbeOfSubscriber()
        build(upstream).subscribe(AnySubscriber())
        (upstream.subscriber as? any Subscription)?.cancel()
        let subscription = ProbeSubscription()
        upstream.give(subscription)
        return subscription.events
    }

    @Test func `a filter that is cancelled early cancels the subscription that comes`() {
        #expect(cancelEarly { $0.tryFilter { _ in true } } == [.cancelled])
        #expect(cancelEarly { $0.prefix { _ in true } } == [.cancelled])
        #expect(cancelEarly { $0.removeDuplicates() } == [.cancelled])
        #expect(cancelEarly { $0.retry(3) } == [.cancelled])
        #expect(
            cancelEarly { $0.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true) } == [.cancelled])
    }

    @Test func `other operators do not know any more that they were cancelled`() {
        let all: [ProbeSubscription.Event] = [.requested(.unlimited)]
        #expect(cancelEarly { $0.allSatisfy { _ in true } } == all)
        #expect(cancelEarly { $0.collect() } == all)
        #expect(cancelEarly { $0.first() } == all)
        #expect(cancelEarly { $0.replaceEmpty(with: 0) } == all)
        #expect(cancelEarly { $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest) } == all)
        #expect(
            cancelEarly { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) } == [.requested(.max(2))])
        #expect(cancelEarly { $0.collect(2) } == [])
        #expect(cancelEarly { $0.drop { _ in true } } == [])
        #expect(cancelEarly { $0.dropFirst(0) } == [])
        #expect(cancelEarly { $0.tryMap { $0 } } == [])
        #expect(cancelEarly { $0.output(in: 0..<3) } == [])
        #expect(cancelEarly { $0.handleEvents() } == [])
        #expect(cancelEarly { $0.replaceError(with: 0) } == [])
        #expect(cancelEarly { $0.encode(encoder: JSONEncoder()) } == [])
        #expect(cancelEarly { $0.receive(on: ImmediateScheduler.shared) } == [])
        #expect(cancelEarly { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) } == [])
    }

    @Test func `a sink that is cancelled early takes the subscription, and keeps its closures`() {
        var values: [Int] = []
        let upstream = ProbePublisher<Int, Never>(subscription: nil)
        upstream.sink { values.append($0) }.cancel()
        let subscription = ProbeSubscription()
        upstream.send(subscription: subscription)
        upstream.send(1)
        #expect(subscription.events == [.requested(.unlimited)])
        #expect(values == [1])
    }

    @Test func `some operators pass values that come early`() {
        let (mapped, ofMap) = subscribe { $0.tryMap { $0 * 2 } }
        #expect(mapped.send(1) == .max(42))
        #expect(ofMap.events == [.value(2)])
        let (scanned, ofScan) = subscribe { $0.tryScan(10, +) }
        #expect(scanned.send(1) == .max(42))
        #expect(ofScan.events == [.value(11)])
        let (cut, ofCut) = subscribe { $0.output(in: 1..<3) }
        #expect(cut.send(1) == .max(1))
        #expect(cut.send(2) == .max(42))
        #expect(ofCut.events == [.value(2)])
    }

    @Test func `some operators pass a completion that comes early`() {
        let (collected, ofCollect) = subscribe { $0.collect(3) }
        collected.send(completion: .finished)
        #expect(ofCollect.events == [.finished])
        let (ignored, ofIgnore) = subscribe { $0.ignoreOutput() }
        ignored.send(completion: .finished)
        #expect(ofIgnore.events == [.finished])
        let (retried, ofRetry) = subscribe { $0.retry(2) }
        retried.send(completion: .finished)
        #expect(ofRetry.events == [.finished])
        let (flattened, ofFlatMap) = subscribe { $0.flatMap { Just($0) } }
        flattened.send(completion: .finished)
        #expect(ofFlatMap.events == [.subscription("FlatMap"), .finished])
    }

    @Test func `others do not, and begin when the subscription comes`() {
        let (counted, ofCount) = subscribe { $0.count() }
        counted.send(1)
        counted.send(completion: .finished)
        #expect(ofCount.events == [])
        counted.send(subscription: ProbeSubscription())
        counted.send(2)
        counted.send(completion: .finished)
        ofCount.request(.max(1))
        #expect(ofCount.events == [.subscription("Count"), .value(1), .finished])
    }

    @Test func `what was requested early is requested together with what is dropped`() {
        let (dropped, recorder) = subscribe { $0.dropFirst(3) }
        recorder.request(.max(2))
        let subscription = ProbeSubscription()
        dropped.send(subscription: subscription)
        #expect(subscription.events == [.requested(.max(5))])
    }
}

/// A publisher that shows its subscriber as it is, and gives a subscription on demand.
private final class ProbeOfSubscriber: Publisher {
    typealias Output = Int
    typealias Failure = Never

    private(set) var subscriber: Any?
    private(set) var give: (any Subscription) -> Void = { _ in }

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Int, S.Failure == Never {
        self.subscriber = subscriber
        give = { subscriber.receive(subscription: $0) }
    }
}
