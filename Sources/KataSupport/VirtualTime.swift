/// A clock or scheduler that a test moves by hand.
public protocol VirtualTime: AnyObject, Sendable {
    /// The virtual time that has passed since the test began.
    var elapsed: Duration { get }
}

extension Duration {
    /// Whole and fractional milliseconds, as marble diagrams count them.
    public var inMilliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
    }
}
