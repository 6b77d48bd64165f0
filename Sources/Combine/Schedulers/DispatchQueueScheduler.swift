import Dispatch

/// Work that must happen on a queue is scheduled on the queue itself.
extension DispatchQueue: Scheduler {
    /// A moment as dispatch queues count them: nanoseconds since the machine started, while it is awake.
    public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
        /// The moment as dispatch calls it.
        public var dispatchTime: DispatchTime

        /// The moment of a dispatch time.
        public init(_ time: DispatchTime) {
            dispatchTime = time
        }

        public init(from decoder: any Decoder) throws {
            let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
            dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(dispatchTime.uptimeNanoseconds)
        }

        /// How far it is from this moment to the other. What cannot be counted is the longest stride there is, in Apple's
        /// also where the other moment is the earlier one.
        public func distance(to other: Self) -> Stride {
            let (start, end) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            guard let distance = Int(exactly: end >= start ? end - start : start - end) else {
                return Stride(magnitude: .max)
            }
            return Stride(magnitude: end >= start ? distance : -distance)
        }

        public func advanced(by n: Stride) -> Self {
            Self(dispatchTime + n.timeInterval)
        }

        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.dispatchTime == rhs.dispatchTime
        }

        public static func < (lhs: Self, rhs: Self) -> Bool {
            lhs.dispatchTime < rhs.dispatchTime
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(dispatchTime.rawValue)
        }

        /// A length of time, in nanoseconds.
        public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
            Hashable, Codable, Sendable
        {
            public typealias FloatLiteralType = Double
            public typealias IntegerLiteralType = Int
            public typealias Magnitude = Int

            /// The number of nanoseconds.
            public var magnitude: Int

            /// The length as dispatch calls it.
            public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

            init(magnitude: Int) {
                self.magnitude = magnitude
            }

            /// The length of a dispatch interval. `never` is the longest there is.
            public init(_ timeInterval: DispatchTimeInterval) {
                switch timeInterval {
                case .seconds(let seconds): self = .seconds(seconds)
                case .milliseconds(let milliseconds): self = .milliseconds(milliseconds)
                case .microseconds(let microseconds): self = .microseconds(microseconds)
                case .nanoseconds(let nanoseconds): self = .nanoseconds(nanoseconds)
                case .never: magnitude = .max
                @unknown default: magnitude = .max
                }
            }

            /// A number of seconds.
            public init(floatLiteral value: Double) {
                self = .seconds(value)
            }

            /// A number of seconds.
            public init(integerLiteral value: Int) {
                self = .seconds(value)
            }

            /// A number of seconds, where it can be counted.
            public init?<T>(exactly source: T) where T: BinaryInteger {
                guard let seconds = Int(exactly: source) else { return nil }
                self = .seconds(seconds)
            }

            // The names are Apple's, so that either reads what the other wrote.
            private enum CodingKeys: String, CodingKey {
                case magnitude = "_nanoseconds"
            }

            public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

            public static func + (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude + rhs.magnitude) }

            public static func - (lhs: Self, rhs: Self) -> Self { Self(magnitude: lhs.magnitude - rhs.magnitude) }

            /// The product of both, each in seconds.
            public static func * (lhs: Self, rhs: Self) -> Self {
                .seconds(lhs.seconds * rhs.seconds)
            }

            public static func += (lhs: inout Self, rhs: Self) { lhs.magnitude += rhs.magnitude }

            public static func -= (lhs: inout Self, rhs: Self) { lhs.magnitude -= rhs.magnitude }

            public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

            public static func seconds(_ s: Double) -> Self {
                let nanoseconds = s * 1_000_000_000
                return Self(magnitude: Int(exactly: nanoseconds.rounded(.towardZero)) ?? (s < 0 ? .min : .max))
            }

            public static func seconds(_ s: Int) -> Self { clamped(s, times: 1_000_000_000) }

            public static func milliseconds(_ ms: Int) -> Self { clamped(ms, times: 1_000_000) }

            public static func microseconds(_ us: Int) -> Self { clamped(us, times: 1000) }

            public static func nanoseconds(_ ns: Int) -> Self { Self(magnitude: ns) }

            private var seconds: Double { Double(magnitude) / 1_000_000_000 }

            /// What cannot be counted is the longest stride there is.
            private static func clamped(_ count: Int, times nanoseconds: Int) -> Self {
                let (product, overflow) = count.multipliedReportingOverflow(by: nanoseconds)
                return Self(magnitude: overflow ? (count < 0 ? .min : .max) : product)
            }
        }
    }

    /// How a queue is to run what is scheduled on it.
    public struct SchedulerOptions {
        /// How important the work is.
        public var qos: DispatchQoS

        /// How the work is put on the queue.
        public var flags: DispatchWorkItemFlags

        /// The group that the work belongs to.
        public var group: DispatchGroup?

        public init(
            qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
        ) {
            self.qos = qos
            self.flags = flags
            self.group = group
        }
    }

    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

    public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let options = options ?? SchedulerOptions()
        async(group: options.group, qos: options.qos, flags: options.flags) { action() }
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let options = options ?? SchedulerOptions()
        // Only `async` takes a group: what is to come later enters and leaves it by hand.
        options.group?.enter()
        asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
            defer { options.group?.leave() }
            action()
        }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let options = options ?? SchedulerOptions()
        let timer = DispatchSource.makeTimerSource(queue: self)
        timer.setEventHandler(qos: options.qos, flags: options.flags, handler: action)
        timer.schedule(deadline: date.dispatchTime, repeating: interval.timeInterval, leeway: tolerance.timeInterval)
        timer.resume()
        return AnyCancellable(timer.cancel)
    }
}
