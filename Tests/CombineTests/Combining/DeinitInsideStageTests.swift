import Combine
import Testing

/// What a stage lets go of may call the stage from its deinit. With the stage's lock that would trap.
@Suite("What goes inside of a stage's call")
struct DeinitInsideStageTests {
    private let downstream = Downstream<Int, Never>()

    private func cancel() { downstream.subscription?.cancel() }

    // MARK: flatMap

    @Test func `a subscriber that cancels with a value and goes, where the publisher is known`() {
        let upstream = PassthroughSubject<Int, Never>()
        weak var subscriber = Leaving.subscribe(to: upstream.flatMap { Just($0) })
        #expect(subscriber != nil)
        upstream.send(1)
        #expect(subscriber == nil)
    }

    @Test func `a subscriber that cancels with a value and goes`() {
        let upstream = PassthroughSubject<Int, Never>()
        let publisher = PassthroughSubject<Int, Never>()
        weak var subscriber = Leaving.subscribe(to: upstream.flatMap { _ in publisher })
        upstream.send(1)
        publisher.send(1)
        #expect(subscriber == nil)
    }

    @Test func `a subscriber that cancels with a value that has waited and goes`() {
        let upstream = PassthroughSubject<Int, Never>()
        let publisher = PassthroughSubject<Int, Never>()
        weak var subscriber = Leaving.subscribe(to: upstream.flatMap { _ in publisher }, requesting: nil)
        upstream.send(1)
        publisher.send(1)
        let subscription = subscriber?.subscription
        subscription?.request(.max(1))
        #expect(subscriber == nil)
    }

    @Test func `an upstream's subscription that goes when flatMap requests from it`() {
        let upstream = Source<PassthroughSubject<Int, Never>, Never>()
        let publisher = PassthroughSubject<Int, Never>()
        upstream.flatMap(maxPublishers: .max(1)) { $0 }.subscribe(downstream)
        upstream.send(publisher)
        upstream.whenRequested = cancel
        upstream.whenGone = cancel
        publisher.send(completion: .finished)
        #expect(upstream.isGone)
    }

    @Test func `a value that has waited for demand in flatMap`() {
        let upstream = PassthroughSubject<Int, Never>()
        let publisher = PassthroughSubject<Closing, Never>()
        let downstream = Downstream<Closing, Never>()
        upstream.flatMap { _ in publisher }.subscribe(downstream)
        upstream.send(1)
        var isGone = false
        publisher.send(
            Closing {
                isGone = true
                downstream.subscription?.cancel()
            })
        downstream.subscription?.request(.max(1))
        #expect(isGone)
    }

    // MARK: merge and zip

    @Test func `a subscription that goes when merge or zip requests from it`() {
        for isZip in [false, true] {
            let downstream = Downstream<Int, Never>()
            let source = Source<Int, Never>()
            let other = PassthroughSubject<Int, Never>()
            if isZip {
                source.zip(other, +).subscribe(downstream)
            } else {
                source.merge(with: other).subscribe(downstream)
            }
            source.whenRequested = { downstream.subscription?.cancel() }
            source.whenGone = { downstream.subscription?.cancel() }
            downstream.subscription?.request(.unlimited)
            #expect(source.isGone)
        }
    }

    @Test func `a subscription that is cancelled at the end`() {
        let source = Source<Int, Never>()
        let other = PassthroughSubject<Int, Never>()
        source.zip(other, +).subscribe(downstream)
        source.whenGone = cancel
        other.send(completion: .finished)
        #expect(source.isGone)
        #expect(downstream.isEnded)
    }

    @Test func `a value that has waited for demand in merge`() {
        let source = PassthroughSubject<Closing, Never>()
        let downstream = Downstream<Closing, Never>()
        source.merge(with: Empty(completeImmediately: false)).subscribe(downstream)
        var isGone = false
        source.send(
            Closing {
                isGone = true
                downstream.subscription?.cancel()
            })
        downstream.subscription?.request(.max(1))
        #expect(isGone)
    }

    // MARK: switchToLatest

    @Test func `a subscription that goes when switchToLatest requests from it`() {
        let upstream = PassthroughSubject<Source<Int, Never>, Never>()
        let first = Source<Int, Never>()
        let latest = Source<Int, Never>()
        upstream.switchToLatest().subscribe(downstream)
        downstream.subscription?.request(.max(2))
        upstream.send(first)
        downstream.more = .max(1)
        downstream.whenReceived = {
            upstream.send(latest)
            latest.whenRequested = cancel
            latest.whenGone = cancel
        }
        first.send(1)
        #expect(latest.isGone)
    }

    @Test func `a subscription and a failure that switchToLatest lets go of at the end`() {
        let downstream = Downstream<Int, Closing>()
        let upstream = Source<Source<Int, Closing>, Closing>()
        let latest = Source<Int, Closing>()
        upstream.switchToLatest().subscribe(downstream)
        downstream.subscription?.request(.unlimited)
        upstream.send(latest)
        upstream.whenGone = { downstream.subscription?.cancel() }
        var isGone = false
        downstream.whenReceived = {
            onAnotherThread {
                latest.fail(
                    Closing {
                        isGone = true
                        downstream.subscription?.cancel()
                    })
            }
        }
        latest.send(1)
        #expect(downstream.isEnded)
        #expect(upstream.isGone)
        #expect(isGone)
    }

    @Test func `a value that has waited for another thread in switchToLatest`() {
        let downstream = Downstream<Closing?, Never>()
        let upstream = PassthroughSubject<PassthroughSubject<Closing?, Never>, Never>()
        let latest = PassthroughSubject<Closing?, Never>()
        upstream.switchToLatest().subscribe(downstream)
        downstream.subscription?.request(.unlimited)
        upstream.send(latest)
        var isGone = false
        downstream.whenReceived = {
            downstream.whenReceived = {}
            onAnotherThread {
                latest.send(
                    Closing {
                        isGone = true
                        downstream.subscription?.cancel()
                    })
            }
        }
        latest.send(nil)
        #expect(isGone)
    }

    // MARK: throttle

    @Test func `a failure that throttle lets go of at a cancel`() {
        let upstream = Source<Int, Closing>()
        let downstream = Downstream<Int, Closing>()
        upstream.throttle(for: 1, scheduler: VirtualScheduler(), latest: true).subscribe(downstream)
        var isGone = false
        upstream.fail(
            Closing {
                isGone = true
                downstream.subscription?.request(.max(1))
            })
        downstream.subscription?.cancel()
        #expect(isGone)
    }
}

/// Runs code when it goes.
private final class Closing: Error, @unchecked Sendable {
    private let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }

    deinit { run() }
}

/// Keeps its subscription, and no values.
private final class Downstream<Input, Failure: Error>: Subscriber {
    private(set) var subscription: (any Subscription)?
    private(set) var isEnded = false
    var more = Subscribers.Demand.none
    var whenReceived: () -> Void = {}

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Input) -> Subscribers.Demand {
        whenReceived()
        return more
    }

    func receive(completion: Subscribers.Completion<Failure>) { isEnded = true }
}

/// A subscriber that only the chain keeps: it cancels with the first value, and once more when it goes.
private final class Leaving: Subscriber {
    private let demand: Subscribers.Demand?
    private(set) var subscription: (any Subscription)?

    init(_ demand: Subscribers.Demand?) { self.demand = demand }

    deinit { subscription?.cancel() }

    static func subscribe(
        to publisher: some Publisher<Int, Never>, requesting demand: Subscribers.Demand? = .unlimited
    ) -> Leaving {
        let subscriber = Leaving(demand)
        publisher.subscribe(subscriber)
        return subscriber
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        if let demand {
            subscription.request(demand)
        }
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        subscription?.cancel()
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}

/// A publisher whose subscription only its subscriber keeps.
private final class Source<Output, Failure: Error>: Publisher {
    private final class Held: Subscription {
        private let source: Source

        init(_ source: Source) { self.source = source }

        deinit {
            source.isGone = true
            source.whenGone()
        }

        func request(_ demand: Subscribers.Demand) { source.whenRequested() }

        func cancel() {}
    }

    private var subscriber: AnySubscriber<Output, Failure>?
    private(set) var isGone = false
    var whenRequested: () -> Void = {}
    var whenGone: () -> Void = {}

    func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
        self.subscriber = AnySubscriber(subscriber)
        subscriber.receive(subscription: Held(self))
    }

    func send(_ value: Output) { _ = subscriber?.receive(value) }

    func fail(_ error: Failure) { subscriber?.receive(completion: .failure(error)) }
}
