import Foundation

/// Work that must happen on a run loop's thread is scheduled on the run loop itself, in its default mode.
extension RunLoop: Scheduler {
    /// A moment as run loops count them: a date.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The moment as a date.
        public var date: Date

        /// The moment of a date.
        public init(_ date: Date) {
            self.date = date
        }

        public func distance(to other: Self) -> Stride {
            Stride(date.distance(to: other.date))
        }

        public func advanced(by n: Stride) -> Self {
            Self(date.advanced(by: n.magnitude))
        }

        /// A length of time, in seconds.
        public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
            Hashable, Codable, Sendable
        {
            public typealias FloatLiteralType = TimeInterval
            public typealias IntegerLiteralType = TimeInterval
            public typealias Magnitude = TimeInterval

            /// The number of seconds.
            public var magnitude: TimeInterval

            /// The number of seconds.
            public var timeInterval: TimeInterval { magnitude }

            /// A number of seconds.
            public init(_ timeInterval: TimeInterval) {
                magnitude = timeInterval
            }

            /// A number of seconds.
            public init(floatLiteral value: TimeInterval) {
                magnitude = value
            }

            /// A number of seconds.
            public init(integerLiteral value: TimeInterval) {
                magnitude = value
            }

            /// A number of seconds, where it can be counted.
            public init?<T>(exactly source: T) where T: BinaryInteger {
                guard let seconds = TimeInterval(exactly: source) else { return nil }
                magnitude = seconds
            }

            public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

            public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

            public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

            public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

            public static func += (lhs: inout Self, rhs: Self) { lhs.magnitude += rhs.magnitude }

            public static func -= (lhs: inout Self, rhs: Self) { lhs.magnitude -= rhs.magnitude }

            public static func *= (lhs: inout Self, rhs: Self) { lhs.magnitude *= rhs.magnitude }

            public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }

            public static func seconds(_ s: Double) -> Self { Self(s) }

            public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1000) }

            public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1_000_000) }

            public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1_000_000_000) }
        }
    }

    /// A run loop has nothing to choose for what is scheduled on it.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    public var minimumTolerance: SchedulerTimeType.Stride { 0.0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        perform { action() }
        wake()
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let timer = Timer(fire: date.date, interval: 0, repeats: false) { _ in action() }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: .default)
        wake()
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in action() }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: .default)
        wake()
        return AnyCancellable(timer.invalidate)
    }

    /// A run loop that sleeps does not look at what it is to do before something wakes it. The main one wakes for the main
    /// queue; Foundation has no way to wake another than a timer, which it may notice late.
    private func wake() {
        if self === RunLoop.current { return }
        if self === RunLoop.main {
            DispatchQueue.main.async {}
        } else {
            add(Timer(fire: Date(), interval: 0, repeats: false) { _ in }, forMode: .default)
        }
    }
}
