import Combine

/// A pipeline with `debounce` or `delay` would make its test wait as long as its users do.
///
/// A scheduler of Combine's whose time moves only when the test says so. Due actions run in the order of their times, those
/// of one time in the order in which they were scheduled, on the thread that moves the time.
///
///     let scheduler = KataSupport.TestScheduler()
///     let pipeline = subject.debounce(for: .milliseconds(300), scheduler: scheduler)
///     scheduler.advance(by: .milliseconds(300))
public final class TestScheduler: Scheduler, VirtualTime {
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// The time since the scheduler was made.
        public var offset: Duration

        public func distance(to other: SchedulerTimeType) -> Stride { Stride(other.offset - offset) }
        public func advanced(by stride: Stride) -> SchedulerTimeType { .init(offset: offset + stride.duration) }

        /// A length of time, as exact as a `Duration`.
        public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable, Sendable {
            public var duration: Duration

            public init(_ duration: Duration) {
                self.duration = duration
            }

            /// A number without a unit is a number of seconds.
            public init(integerLiteral seconds: Int) {
                duration = .seconds(seconds)
            }

            public init?<Source: BinaryInteger>(exactly source: Source) {
                guard let seconds = Int64(exactly: source) else { return nil }
                duration = .seconds(seconds)
            }

            public var magnitude: Stride { duration < .zero ? Stride(.zero - duration) : self }

            public static func seconds(_ s: Int) -> Stride { .init(.seconds(s)) }
            public static func seconds(_ s: Double) -> Stride { .init(.seconds(s)) }
            public static func milliseconds(_ ms: Int) -> Stride { .init(.milliseconds(ms)) }
            public static func microseconds(_ us: Int) -> Stride { .init(.microseconds(us)) }
            public static func nanoseconds(_ ns: Int) -> Stride { .init(.nanoseconds(ns)) }

            public static func < (left: Stride, right: Stride) -> Bool { left.duration < right.duration }
            public static func + (left: Stride, right: Stride) -> Stride { .init(left.duration + right.duration) }
            public static func - (left: Stride, right: Stride) -> Stride { .init(left.duration - right.duration) }
            public static func += (left: inout Stride, right: Stride) { left.duration += right.duration }
            public static func -= (left: inout Stride, right: Stride) { left.duration -= right.duration }
            public static func * (left: Stride, right: Stride) -> Stride {
                .init(left.duration * (right.duration / .seconds(1)))
            }
            public static func *= (left: inout Stride, right: Stride) { left = left * right }
        }
    }

    /// There is nothing to choose.
    public enum SchedulerOptions: Sendable {}

    private struct Action {
        var id: Int
        var time: Duration
        var interval: Duration?
        var run: () -> Void
    }

    private struct State {
        var elapsed = Duration.zero
        var lastID = 0
        var actions: [Action] = []

        /// Takes the next action that is due by then, puts it back if it repeats, and moves the time to it.
        mutating func takeNext(by end: Duration) -> Action? {
            let next = actions.enumerated().min { ($0.element.time, $0.element.id) < ($1.element.time, $1.element.id) }
            guard let (index, action) = next, action.time <= end else { return nil }
            elapsed = max(elapsed, action.time)
            if let interval = action.interval {
                actions[index].time += interval
            } else {
                actions.remove(at: index)
            }
            return action
        }
    }

    private let state = Locked(State())

    public init() {}

    public var elapsed: Duration { state.withLock { $0.elapsed } }
    public var now: SchedulerTimeType { SchedulerTimeType(offset: elapsed) }
    public var minimumTolerance: SchedulerTimeType.Stride { .init(.zero) }

    /// How many actions wait for their time.
    public var waiting: Int { state.withLock { $0.actions.count } }

    /// Moves the time on and runs what becomes due, each action at its own time, those included that an action schedules.
    public func advance(by duration: Duration = .zero) {
        let end = elapsed + duration
        while let action = state.withLock({ $0.takeNext(by: end) }) {
            action.run()
        }
        state.withLock { $0.elapsed = max($0.elapsed, end) }
    }

    /// Runs the action when the time is moved next, even by nothing.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        add(action, at: elapsed)
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        add(action, at: date.offset)
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        precondition(interval.duration > .zero, "An action that repeats needs an interval longer than nothing.")
        let id = add(action, at: date.offset, every: interval.duration)
        return AnyCancellable { [state] in
            state.withLock { $0.actions.removeAll { $0.id == id } }
        }
    }

    @discardableResult
    private func add(_ run: @escaping () -> Void, at time: Duration, every interval: Duration? = nil) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.actions.append(Action(id: state.lastID, time: time, interval: interval, run: run))
            return state.lastID
        }
    }
}
