import Workbook

/// The files of a class, for what a report shows of several learners at once.
public struct ClassCode: Sendable {
    /// The file of a digest as it was submitted; `nil` where it was not kept.
    let text: @Sendable (_ digest: String) -> String?
    /// Takes out of a text what these learners must not be known by.
    let shown: @Sendable (_ text: String, _ learners: [String]) -> String
    /// What learners of a kata were given, and the answers that they can have read.
    let known: @Sendable (_ kata: String) -> KnownSources

    public init(
        known: @escaping @Sendable (String) -> KnownSources = { _ in KnownSources() },
        text: @escaping @Sendable (String) -> String? = { _ in nil },
        shown: @escaping @Sendable (String, [String]) -> String = { text, _ in text }
    ) {
        self.known = known
        self.text = text
        self.shown = shown
    }
}

/// Two files that have much in common, and where they have it.
public struct SimilarPair: Sendable, Equatable {
    /// One of the two files: the learners who handed it in, and what is shown of it.
    public struct Side: Sendable, Equatable {
        public var learners: [String]
        var digest: String
    }

    /// What is compared and shown of a file: its first lines, and how many bytes are left out.
    struct Code: Sendable, Equatable {
        static let mostBytes = 16_384
        static let mostLines = 1000
        var text: String
        var leftOut: Int

        init(_ whole: String) {
            let start = whole.prefix(bytes: Self.mostBytes)
            // A line is shown as a whole: half a name would not be found in it.
            let end = start.utf8.lastIndex(of: UInt8(ascii: "\n")).map(start.utf8.index(after:)) ?? start.startIndex
            let lines = start.endIndex == whole.endIndex ? start : start[..<end]
            text = String(String(lines).prefix(lines: Self.mostLines))
            leftOut = whole.utf8.count - text.utf8.count
        }
    }

    /// How many pairs of a class are listed, and how much code is shown with all of them.
    public static let most = 100
    static let mostBytes = 1_000_000
    /// How many pairs of a group are drawn.
    static let mostLinks = 400

    public var similarity: Double
    public var first: Side
    public var second: Side
    /// `nil` where one of the files was not kept.
    public var lines: MatchingLines?
}

extension SimilarPair: Encodable {
    private struct Match: Encodable {
        var first: [Int]
        var second: [Int]
    }

    enum Key: String, CodingKey { case similarity, first, second, matches }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(similarity, forKey: .similarity)
        try container.encode(first.learners, forKey: .first)
        try container.encode(second.learners, forKey: .second)
        let matches = lines?.matches.map { match in
            let (first, second) = (match.first, match.second)
            return Match(
                first: [first.lowerBound, first.upperBound], second: [second.lowerBound, second.upperBound])
        }
        try container.encode(matches, forKey: .matches)
    }
}
