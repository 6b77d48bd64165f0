/// One thing that happens in a run, as the harness tells it to the engine.
public struct RunEvent: Codable, Sendable, Equatable {
    public enum Kind: String, Codable, Sendable {
        /// The harness has begun. Nothing of the submission has been loaded before.
        case opened
        case started, issue, skipped, ended
        /// Every task and thread waits for something that can no longer happen.
        case deadlock
        /// A test cannot end, because code of it computes without end.
        case endless
        /// The process crashes in this order of steps.
        case schedule
        /// An address by which libraries call each other has changed.
        case tampered
        /// The harness could not run the suite: why.
        case broken
        case closed
    }

    public var kind: Kind
    public var test: String?
    public var texts: [String]?
    /// The suite's finding as JSON, or the order of steps alone.
    public var finding: String?
    /// How many bytes of the texts were left out.
    public var cut: Int?
    /// Whether code seems to compute without end at the end of a test.
    public var endless: Bool?
    /// How many expectations a test has looked at.
    public var expectations: Int?
    /// How many orders of steps a test has tried.
    public var orders: Int?

    public init(
        _ kind: Kind, test: String? = nil, texts: [String]? = nil, finding: String? = nil, cut: Int? = nil,
        endless: Bool? = nil, expectations: Int? = nil, orders: Int? = nil
    ) {
        self.kind = kind
        self.test = test
        self.texts = texts
        self.finding = finding
        self.cut = cut
        self.endless = endless
        self.expectations = expectations
        self.orders = orders
    }
}
