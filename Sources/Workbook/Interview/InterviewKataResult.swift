/// How one kata of a session went: what was reached, when, and what broke on the way.
public struct InterviewKataResult: Codable, Sendable, Equatable {
    public struct Test: Codable, Sendable, Equatable {
        public var id: String
        /// The session's seconds at the save with which it first passed.
        @OrNull public var firstPassed: Double?
        /// The session's seconds at each save with which it passed no more.
        public var broke: [Double]
        public var passesAtEnd: Bool
    }

    public var kata: String
    /// Of the last save that was graded.
    public var outcome: Verdict.Outcome
    public var points: Int
    public var maxPoints: Int
    public var saves: Int
    /// The saves with which text arrived at once.
    @OrNull public var bursts: Int?
    /// The saves that were made while the session's time stood still.
    @OrNull public var savesWhileStopped: Int?
    public var hints: Int
    /// The session's seconds spent with this kata open.
    public var seconds: Double
    /// The session's seconds at the save with which a core test first passed that does not pass with the stub, every core test
    /// did, and every test did.
    @OrNull public var firstCorePass: Double?
    @OrNull public var passed: Double?
    @OrNull public var mastered: Double?
    public var tests: [Test]
}
