import Foundation

/// Operation queues and run loops both count time in dates, but a moment of one is not a moment of the other: each has its own
/// type, and here is what these types have in common.
public protocol DateMoment: Strideable, Codable, Hashable, Sendable where Stride: DateStride {
    /// The moment as a date.
    var date: Date { get set }

    /// The moment of a date.
    init(_ date: Date)
}

extension DateMoment {
    public func distance(to other: Self) -> Stride { Stride(date.distance(to: other.date)) }

    public func advanced(by n: Stride) -> Self { Self(date.advanced(by: n.magnitude)) }
}

/// A length of time, in seconds.
public protocol DateStride: SchedulerTimeIntervalConvertible, SignedNumeric, ExpressibleByFloatLiteral, Comparable,
    Hashable, Codable, Sendable
where Magnitude == TimeInterval, FloatLiteralType == TimeInterval, IntegerLiteralType == TimeInterval {
    /// The number of seconds.
    var magnitude: TimeInterval { get set }

    /// A number of seconds.
    init(_ timeInterval: TimeInterval)
}

extension DateStride {
    /// The number of seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// A number of seconds.
    public init(floatLiteral value: TimeInterval) { self.init(value) }

    /// A number of seconds.
    public init(integerLiteral value: TimeInterval) { self.init(value) }

    /// A number of seconds, where it can be counted.
    public init?<T>(exactly source: T) where T: BinaryInteger {
        guard let seconds = TimeInterval(exactly: source) else { return nil }
        self.init(seconds)
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
