/// How one kata of a session went: what was reached, when, and what broke on the way.
public struct KataStory: Codable, Sendable, Equatable {
    public struct Test: Codable, Sendable, Equatable {
        public var id: String
        /// The session's seconds at the save with which it first passed.
        public var firstPassed: Double?
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
    public var hints: Int
    /// The session's seconds spent with this kata open.
    public var seconds: Double
    /// The session's seconds at the save with which a core test first passed, every core test did, and every test did.
    public var firstCorePass: Double?
    public var passed: Double?
    public var mastered: Double?
    public var tests: [Test]
}

/// Every key is there, whatever it holds: a reader of session.json need not know which may be missing.
extension KataStory {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kata, forKey: .kata)
        try container.encode(outcome, forKey: .outcome)
        try container.encode(points, forKey: .points)
        try container.encode(maxPoints, forKey: .maxPoints)
        try container.encode(saves, forKey: .saves)
        try container.encode(hints, forKey: .hints)
        try container.encode(seconds, forKey: .seconds)
        try container.encode(firstCorePass, forKey: .firstCorePass)
        try container.encode(passed, forKey: .passed)
        try container.encode(mastered, forKey: .mastered)
        try container.encode(tests, forKey: .tests)
    }
}

extension KataStory.Test {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(firstPassed, forKey: .firstPassed)
        try container.encode(broke, forKey: .broke)
        try container.encode(passesAtEnd, forKey: .passesAtEnd)
    }
}
