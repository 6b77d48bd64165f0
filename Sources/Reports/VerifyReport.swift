import Workbook

/// What `grader kata verify --json` prints.
public struct VerifyReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var katas: [KataReport] = []

    /// Whether everything holds of every kata.
    public var holds: Bool { katas.allSatisfy(\.holds) }

    public struct KataReport: Codable, Sendable, Equatable {
        public var kata: String
        public var holds: Bool
        /// How many answers were graded.
        public var gradings: Int
        public var seconds: Double
        public var shortcomings: [ShortcomingReport]

        public init(kata: String, gradings: Int, seconds: Double, shortcomings: [ShortcomingReport]) {
            self.kata = kata
            holds = shortcomings.isEmpty
            self.gradings = gradings
            self.seconds = seconds
            self.shortcomings = shortcomings
        }
    }

    public struct ShortcomingReport: Codable, Sendable, Equatable {
        /// Which rule does not hold, in a word that stays the same in every language.
        public var rule: String
        public var message: String
        /// What the compiler or a test said.
        public var details: [String]

        public init(rule: String, message: String, details: [String]) {
            self.rule = rule
            self.message = message
            self.details = details
        }
    }

    public init(language: Language) {
        self.language = language
    }
}
