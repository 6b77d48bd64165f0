import Combine
import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A scheduler of one thread, whose clock jumps to whatever is due next: everything that waits is at hand at once, and
/// meets what other threads do. A dispatch queue would do the same, but ThreadSanitizer cannot see how one hands over.
final class VirtualThread: Scheduler {
    typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    typealias SchedulerOptions = Never

    private struct Item {
        var time: SchedulerTimeType
        var number: Int
        var action: () -> Void
    }

    private struct State {
        var now = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))
        var items: [Item] = []
        var count = 0
        var isClosed = false

        mutating func add(_ time: SchedulerTimeType, _ action: @escaping () -> Void) {
            count += 1
            items.append(Item(time: Swift.max(time, now), number: count, action: action))
        }

        mutating func next() -> (() -> Void)? {
            guard let first = items.indices.min(by: { isEarlier(items[$0], items[$1]) }) else { return nil }
            let item = items.remove(at: first)
            now = item.time
            return item.action
        }

        private func isEarlier(_ one: Item, _ other: Item) -> Bool {
            one.time == other.time ? one.number < other.number : one.time < other.time
        }
    }

    /// Not a `Mutex`: the sanitizer has to see who waits for whom.
    private let lock = NSLock()
    private var state = State()

    var now: SchedulerTimeType { lock.withLock { state.now } }
    var minimumTolerance: SchedulerTimeType.Stride { .zero }

    func schedule(options: Never?, _ action: @escaping () -> Void) {
        lock.withLock { state.add(state.now, action) }
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        lock.withLock { state.add(date, action) }
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let isCancelled = Flag()
        func tick(_ date: SchedulerTimeType) {
            if isCancelled.isSet { return }
            action()
            lock.withLock { state.add(date.advanced(by: interval)) { tick(date.advanced(by: interval)) } }
        }
        lock.withLock { state.add(date) { tick(date) } }
        return AnyCancellable { isCancelled.set() }
    }

    /// The thread itself: it ends when it is closed and nothing is due any more.
    func run() {
        while true {
            let (action, isOver) = lock.withLock { (state.next(), state.isClosed) }
            if let action {
                action()
            } else if isOver {
                return
            } else {
                sched_yield()
            }
        }
    }

    func close() { lock.withLock { state.isClosed = true } }
}

private final class Flag {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
}
