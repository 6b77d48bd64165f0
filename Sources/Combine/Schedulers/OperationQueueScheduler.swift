import Dispatch
import Foundation

/// Work that must happen among a queue's operations is scheduled on the queue itself.
extension OperationQueue: Scheduler {
    /// A moment as operation queues count them: a date.
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

    /// An operation queue has nothing to choose for what is scheduled on it.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    public var minimumTolerance: SchedulerTimeType.Stride { 0.0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        addOperation { action() }
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.global().asyncAfter(deadline: date.deadline) {
            self.addOperation { action() }
        }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        // What is already among the operations when the timer is cancelled is not to run any more.
        timer.setEventHandler {
            self.addOperation {
                if !timer.isCancelled { action() }
            }
        }
        timer.schedule(
            deadline: date.deadline, repeating: interval.timeInterval,
            leeway: .nanoseconds(Int(tolerance.timeInterval * 1_000_000_000)))
        timer.resume()
        return AnyCancellable(timer.cancel)
    }
}

extension OperationQueue.SchedulerTimeType {
    /// An operation queue has no timer: a dispatch queue's puts the operation on it.
    fileprivate var deadline: DispatchTime { .now() + Swift.max(0, date.timeIntervalSinceNow) }
}
