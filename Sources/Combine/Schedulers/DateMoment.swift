import Foundation

/// Operation queues and run loops both count time in dates, and a moment of one is none of the other's: a date that says
/// whose moment it is.
public struct DateMoment<Owner>: Strideable, Codable, Hashable, Sendable {
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
