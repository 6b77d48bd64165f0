import Combine
import Testing

@Suite struct AnyCancellableTests {
    @Test func `Its work is cancelled once, whether by call or by letting go`() {
        var count = 0
        var cancellable: AnyCancellable? = AnyCancellable { count += 1 }
        cancellable?.cancel()
        cancellable?.cancel()
        cancellable = nil
        #expect(count == 1)
        _ = AnyCancellable { count += 1 }
        #expect(count == 2)
    }

    @Test func `It lets go of its work when cancelled`() {
        weak var left: Witness?
        let cancellable: AnyCancellable
        do {
            let witness = Witness()
            left = witness
            cancellable = AnyCancellable { _ = witness }
        }
        #expect(left != nil)
        cancellable.cancel()
        #expect(left == nil)
    }

    @Test func `It is kept by a set or a collection`() {
        let subscription = ProbeSubscription()
        var set: Set<AnyCancellable> = []
        var list: [AnyCancellable] = []
        AnyCancellable(subscription).store(in: &set)
        AnyCancellable(subscription).store(in: &list)
        subscription.store(in: &set)
        subscription.store(in: &list)
        #expect(subscription.events.isEmpty)
        #expect(set.count == 2 && list.count == 2)
        set = []
        list = []
        #expect(subscription.events == [.cancelled, .cancelled, .cancelled, .cancelled])
    }
}
