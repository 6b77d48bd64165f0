import Combine

/// A scheduler whose time changes only when a test changes it. It records everything that it is asked.
final class VirtualScheduler: Scheduler {
    /// Nanoseconds since the scheduler was made.
    struct SchedulerTimeType: Strideable, Hashable {
        var nanoseconds: Int

        func distance(to other: Self) -> Stride { Stride(nanoseconds: other.nanoseconds - nanoseconds) }

        func advanced(by n: Stride) -> Self { Self(nanoseconds: nanoseconds + n.nanoseconds) }

        struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable {
            var nanoseconds: Int

            init(nanoseconds: Int) { self.nanoseconds = nanoseconds }

            init(integerLiteral value: Int) { nanoseconds = value }

            init?<T>(exactly source: T) where T: BinaryInteger {
                guard let exact = Int(exactly: source) else { return nil }
                nanoseconds = exact
            }

            var magnitude: Int { abs(nanoseconds) }

            static func < (lhs: Self, rhs: Self) -> Bool { lhs.nanoseconds < rhs.nanoseconds }
            static func + (lhs: Self, rhs: Self) -> Self { Self(nanoseconds: lhs.nanoseconds + rhs.nanoseconds) }
            static func - (lhs: Self, rhs: Self) -> Self { Self(nanoseconds: lhs.nanoseconds - rhs.nanoseconds) }
            static func * (lhs: Self, rhs: Self) -> Self { Self(nanoseconds: lhs.nanoseconds * rhs.nanoseconds) }
            static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

            static func seconds(_ s: Int) -> Self { Self(nanoseconds: s * 1_000_000_000) }
            static func seconds(_ s: Double) -> Self { Self(nanoseconds: Int(s * 1_000_000_000)) }
            static func milliseconds(_ ms: Int) -> Self { Self(nanoseconds: ms * 1_000_000) }
            static func microseconds(_ us: Int) -> Self { Self(nanoseconds: us * 1000) }
            static func nanoseconds(_ ns: Int) -> Self { Self(nanoseconds: ns) }
        }
    }

    struct SchedulerOptions: Equatable {
        var name: String
    }

    enum Event: Equatable {
        case soon(options: String?)
        case once(after: Int, tolerance: Int, options: String?)
        case every(after: Int, interval: Int, tolerance: Int, options: String?)
        case cancelled
    }

    private struct Action {
        let id: Int
        var date: Int
        let interval: Int?
        let run: () -> Void
    }

    private(set) var events: [Event] = []
    private var actions: [Action] = []
    private var time = 0
    private var nextID = 0

    /// Is called before the time is read.
    var onNow: () -> Void = {}

    var now: SchedulerTimeType {
        onNow()
        return SchedulerTimeType(nanoseconds: time)
    }

    let minimumTolerance: SchedulerTimeType.Stride = 7

    /// The number of actions that wait for their time.
    var waiting: Int { actions.count }

    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        events.append(.soon(options: options?.name))
        _ = add(time, nil, action)
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        events.append(.once(after: date.nanoseconds, tolerance: tolerance.nanoseconds, options: options?.name))
        _ = add(date.nanoseconds, nil, action)
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        events.append(
            .every(
                after: date.nanoseconds, interval: interval.nanoseconds, tolerance: tolerance.nanoseconds,
                options: options?.name))
        let id = add(date.nanoseconds, interval.nanoseconds, action)
        return AnyCancellable { [weak self] in
            self?.events.append(.cancelled)
            self?.actions.removeAll { $0.id == id }
        }
    }

    private func add(_ date: Int, _ interval: Int?, _ action: @escaping () -> Void) -> Int {
        nextID += 1
        actions.append(Action(id: nextID, date: date, interval: interval, run: action))
        return nextID
    }

    /// Runs what is due until the time, in the order of dates; what is due at once runs in the order of scheduling.
    func run(until end: Int) {
        while let next = actions.indices.min(by: { (actions[$0].date, $0) < (actions[$1].date, $1) }),
            actions[next].date <= end
        {
            var action = actions.remove(at: next)
            time = max(time, action.date)
            if let interval = action.interval {
                action.date += interval
                actions.append(action)
            }
            action.run()
        }
        time = max(time, end)
    }

    /// Runs what is due now.
    func run() {
        run(until: time)
    }
}
