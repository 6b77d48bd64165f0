/// What a suite found wrong, said so that a program can tell it in any language.
///
/// A failure's text reaches the grader as a string. English prose could not be told in Korean, so a finding is one line
/// of JSON, which begins with `finding: `; `swift test` shows the text before it.
public struct Finding: Sendable, Codable, Equatable {
    /// The raw value of one of the workbook's statement keys, such as `mismatch` or `deadline`.
    public var key: String
    public var arguments: [String]
    public var marbles: MarblePair?

    /// Expected and actual events on one axis of virtual time.
    public struct MarblePair: Sendable, Codable, Equatable {
        public struct Event: Sendable, Codable, Equatable {
            public var milliseconds: Double
            public var label: String
        }
        public var expected: [Event]
        public var actual: [Event]
    }
}
