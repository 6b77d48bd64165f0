/// A scheduler without time: what is scheduled on it runs at once, on the spot.
public struct ImmediateScheduler: Scheduler {
    public typealias SchedulerOptions = Never

    /// A moment on this scheduler, where nothing takes any time.
    public struct SchedulerTimeType: Strideable {
        fileprivate init() {}

        public func distance(to other: SchedulerTimeType) -> Stride { 0 }

        public func advanced(by n: Stride) -> SchedulerTimeType { self }

        /// A distance in time, which counts nothing.
        public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable,
            SchedulerTimeIntervalConvertible
        {
            public typealias FloatLiteralType = Double
            public typealias IntegerLiteralType = Int
            public typealias Magnitude = Int

            public var magnitude: Int

            @inlinable
            public init(_ value: Int) {
                magnitude = value
            }

            @inlinable
            public init(integerLiteral value: Int) {
                self.init(value)
            }

            @inlinable
            public init(floatLiteral value: Double) {
                self.init(Int(value))
            }

            @inlinable
            public init?<T>(exactly source: T) where T: BinaryInteger {
                guard let value = Int(exactly: source) else { return nil }
                self.init(value)
            }

            @inlinable
            public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

            @inlinable
            public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

            @inlinable
            public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

            @inlinable
            public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

            @inlinable
            public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

            @inlinable
            public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

            @inlinable
            public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

            @inlinable
            public static func seconds(_ s: Int) -> Self { 0 }

            @inlinable
            public static func seconds(_ s: Double) -> Self { 0 }

            @inlinable
            public static func milliseconds(_ ms: Int) -> Self { 0 }

            @inlinable
            public static func microseconds(_ us: Int) -> Self { 0 }

            @inlinable
            public static func nanoseconds(_ ns: Int) -> Self { 0 }
        }
    }

    /// The scheduler; all of them are the same.
    public static let shared = ImmediateScheduler()

    public var now: SchedulerTimeType { SchedulerTimeType() }

    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    public func schedule(options: Never?, _ action: @escaping () -> Void) {
        action()
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        action()
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}
