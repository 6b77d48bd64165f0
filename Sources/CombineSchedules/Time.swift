import Combine
import Dispatch

/// A scheduler whose clock jumps to whatever is due next, when one of the threads says so.
final class HandClock: Scheduler {
    typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    typealias SchedulerOptions = Never

    private struct Item {
        var time: SchedulerTimeType
        var run: () -> Void
    }

    private var time = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))
    private var items: [Item] = []

    var now: SchedulerTimeType { quietly { time } }
    var minimumTolerance: SchedulerTimeType.Stride { .zero }

    func schedule(options: Never?, _ action: @escaping () -> Void) {
        quietly { items.append(Item(time: time, run: action)) }
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        quietly { items.append(Item(time: Swift.max(date, time), run: action)) }
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        var isCancelled = false
        func tick(_ date: SchedulerTimeType) {
            if quietly({ isCancelled }) { return }
            action()
            quietly { items.append(Item(time: date.advanced(by: interval)) { tick(date.advanced(by: interval)) }) }
        }
        quietly { items.append(Item(time: date) { tick(date) }) }
        return AnyCancellable { quietly { isCancelled = true } }
    }

    /// Runs what is there and what it adds, but not without an end where something repeats itself.
    func run() {
        for _ in 0..<10 {
            let item: Item? = quietly {
                guard let first = items.indices.min(by: { items[$0].time < items[$1].time }) else { return nil }
                let item = items.remove(at: first)
                time = item.time
                return item
            }
            guard let item else { return }
            item.run()
        }
    }
}

extension Scenario {
    /// An operator that sends from scheduled actions. The clock is one of the threads.
    private static func scheduling<Chain: Publisher>(
        _ name: String, _ promise: Promise = .serial, prepare: @escaping (Source<Int>) -> Void = { _ in },
        _ build: @escaping (Source<Int>, HandClock) -> Chain
    ) -> [Scenario] {
        [nil, 1, 0].map { demand in
            Scenario(name: named(name, demand), leftOut: promise.leftOut) { bothAreSent in
                let source = Source<Int>()
                let clock = HandClock()
                let probe = Probe<Chain.Output, Chain.Failure>(
                    requesting: demand, bothAreSent ? promise.whenBothSend : .serial)
                build(source, clock).subscribe(probe)
                prepare(source)
                return Situation(
                    actions: source.actions() + probe.actions + [
                        Action(name: "the clock", isSent: true, run: clock.run)
                    ],
                    check: {
                        clock.run()
                        probe.check([source], passes: promise.passes, then: clock.run)
                    })
            }
        }
    }

    static let time: [Scenario] =
        scheduling("receive(on:)", prepare: { $0.send(0) }) { $0.receive(on: $1) }
        + scheduling("subscribe(on:)", .free) { $0.subscribe(on: $1) }
        + scheduling("delay", prepare: { $0.send(0) }) { $0.delay(for: 1, scheduler: $1) }
        + scheduling("debounce", Promise(whenBothSend: .serial, passes: false), prepare: { $0.send(0) }) {
            $0.debounce(for: 1, scheduler: $1)
        }
        + scheduling("throttle to the latest", prepare: { $0.send(0) }) {
            $0.throttle(for: 1, scheduler: $1, latest: true)
        }
        + scheduling("throttle to the first", prepare: { $0.send(0) }) {
            $0.throttle(for: 1, scheduler: $1, latest: false)
        }
        + scheduling("collect by time", .skips, prepare: { $0.send(0) }) { $0.collect(.byTime($1, 1)) }
        + scheduling("collect by time or count", .skips, prepare: { $0.send(0) }) {
            $0.collect(.byTimeOrCount($1, 1, 2))
        }
        + scheduling("timeout", Promise(whenBothSend: .free, passes: false)) { $0.timeout(1, scheduler: $1) }
}
