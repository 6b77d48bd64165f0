import Combine
import Testing

/// A publisher may give its subscription while the others are asked for what downstream wants.
@Suite struct LateSubscriptionTests {
    private let first = ProbePublisher<Int, Never>()
    private let late = ProbePublisher<Int, Never>(subscription: nil)
    private let lateSubscription = ProbeSubscription()
    private let recorder = Recorder<Int, Never>(requesting: nil)

    /// Where the first is asked, the late one gives its subscription: from this thread, or from another.
    private func subscribe(to publisher: some Publisher<Int, Never>, fromAnotherThread: Bool) {
        publisher.subscribe(recorder)
        first.subscription?.onRequest = { [first, late, lateSubscription] _ in
            first.subscription?.onRequest = { _ in }
            if fromAnotherThread {
                onAnotherThread { late.send(subscription: lateSubscription) }
            } else {
                late.send(subscription: lateSubscription)
            }
        }
    }

    private func expectsEachRequestOnce() {
        recorder.request(.max(2))
        #expect(lateSubscription.events == [.requested(.max(2))])
        recorder.request(.max(1))
        #expect(first.events == [.requested(.max(2)), .requested(.max(1))])
        #expect(lateSubscription.events == [.requested(.max(2)), .requested(.max(1))])
    }

    @Test(arguments: [true, false])
    func `zip asks it once`(fromAnotherThread: Bool) {
        subscribe(to: first.zip(late) { $0 + $1 }, fromAnotherThread: fromAnotherThread)
        expectsEachRequestOnce()
    }

    @Test(arguments: [true, false])
    func `combineLatest asks it once`(fromAnotherThread: Bool) {
        subscribe(to: first.combineLatest(late) { $0 + $1 }, fromAnotherThread: fromAnotherThread)
        expectsEachRequestOnce()
    }

    @Test(arguments: [true, false])
    func `merge asks it once`(fromAnotherThread: Bool) {
        subscribe(to: first.merge(with: late), fromAnotherThread: fromAnotherThread)
        // The first value is asked for ahead of the demand.
        #expect(first.events == [.requested(.max(1))])
        recorder.request(.unlimited)
        #expect(first.events == [.requested(.max(1)), .requested(.unlimited)])
        #expect(lateSubscription.events == [.requested(.unlimited)])
    }
}
