extension Subscribers {
    /// A number of values that a subscriber asks for, or as many as there are.
    public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable {
        /// The unlimited demand is one more than the greatest that can be counted, so that comparing needs no case.
        @usableFromInline
        let rawValue: UInt

        @inlinable
        init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        @inlinable
        static var unlimitedValue: UInt { UInt(Int.max) + 1 }

        /// As many values as there are.
        @inlinable
        public static var unlimited: Demand { Demand(rawValue: unlimitedValue) }

        /// No value.
        @inlinable
        public static var none: Demand { Demand(rawValue: 0) }

        /// At most this many values, which must not be negative.
        @inlinable
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "A demand cannot be negative: max(\(value)) was asked for.")
            return Demand(rawValue: UInt(value))
        }

        public init(from decoder: any Decoder) throws {
            rawValue = Swift.min(try decoder.singleValueContainer().decode(UInt.self), Self.unlimitedValue)
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
        }

        /// The number of values asked for; nil where it is unlimited.
        @inlinable
        public var max: Int? { self == .unlimited ? nil : Int(rawValue) }

        public var description: String {
            self == .unlimited ? "unlimited" : "max(\(rawValue))"
        }
    }
}

// What is unlimited stays so, whatever is added or taken away; what overflows becomes unlimited, or nothing where it is
// taken away.
extension Subscribers.Demand {
    @inlinable
    public static func + (lhs: Self, rhs: Self) -> Self {
        // Two raw values that are at most 2^63 can wrap around exactly when both are unlimited.
        let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
        return overflow || sum > unlimitedValue ? .unlimited : Self(rawValue: sum)
    }

    @inlinable
    public static func += (lhs: inout Self, rhs: Self) {
        lhs = lhs + rhs
    }

    @inlinable
    public static func + (lhs: Self, rhs: Int) -> Self {
        guard lhs != .unlimited else { return .unlimited }
        let (sum, overflow) = Int(lhs.rawValue).addingReportingOverflow(rhs)
        return overflow ? .unlimited : .max(sum)
    }

    @inlinable
    public static func += (lhs: inout Self, rhs: Int) {
        lhs = lhs + rhs
    }

    public static func * (lhs: Self, rhs: Int) -> Self {
        guard lhs != .unlimited else { return .unlimited }
        let (product, overflow) = Int(lhs.rawValue).multipliedReportingOverflow(by: rhs)
        return overflow ? .unlimited : .max(product)
    }

    @inlinable
    public static func *= (lhs: inout Self, rhs: Int) {
        lhs = lhs * rhs
    }

    @inlinable
    public static func - (lhs: Self, rhs: Self) -> Self {
        guard lhs != .unlimited else { return .unlimited }
        guard rhs != .unlimited else { return .none }
        return .max(Int(lhs.rawValue) - Int(rhs.rawValue))
    }

    @inlinable
    public static func -= (lhs: inout Self, rhs: Self) {
        lhs = lhs - rhs
    }

    @inlinable
    public static func - (lhs: Self, rhs: Int) -> Self {
        guard lhs != .unlimited else { return .unlimited }
        let (difference, overflow) = Int(lhs.rawValue).subtractingReportingOverflow(rhs)
        return overflow ? .none : .max(difference)
    }

    @inlinable
    public static func -= (lhs: inout Self, rhs: Int) {
        lhs = lhs - rhs
    }
}

extension Subscribers.Demand {
    @inlinable
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawValue == rhs.rawValue }

    @inlinable
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

    @inlinable
    public static func <= (lhs: Self, rhs: Self) -> Bool { lhs.rawValue <= rhs.rawValue }

    @inlinable
    public static func >= (lhs: Self, rhs: Self) -> Bool { lhs.rawValue >= rhs.rawValue }

    @inlinable
    public static func > (lhs: Self, rhs: Self) -> Bool { lhs.rawValue > rhs.rawValue }

    @inlinable
    public static func == (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs.rawValue == UInt(rhs) }

    @inlinable
    public static func == (lhs: Int, rhs: Self) -> Bool { rhs == lhs }

    @inlinable
    public static func != (lhs: Self, rhs: Int) -> Bool { !(lhs == rhs) }

    @inlinable
    public static func != (lhs: Int, rhs: Self) -> Bool { !(rhs == lhs) }

    @inlinable
    public static func < (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs.rawValue < UInt(rhs) }

    @inlinable
    public static func <= (lhs: Self, rhs: Int) -> Bool { rhs >= 0 && lhs.rawValue <= UInt(rhs) }

    @inlinable
    public static func > (lhs: Self, rhs: Int) -> Bool { !(lhs <= rhs) }

    @inlinable
    public static func >= (lhs: Self, rhs: Int) -> Bool { !(lhs < rhs) }

    @inlinable
    public static func < (lhs: Int, rhs: Self) -> Bool { rhs > lhs }

    @inlinable
    public static func <= (lhs: Int, rhs: Self) -> Bool { rhs >= lhs }

    @inlinable
    public static func > (lhs: Int, rhs: Self) -> Bool { rhs < lhs }

    @inlinable
    public static func >= (lhs: Int, rhs: Self) -> Bool { rhs <= lhs }
}
