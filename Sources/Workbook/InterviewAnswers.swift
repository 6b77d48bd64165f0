/// What a good answer to each interview question of a kata mentions, as `Solutions/<Kata>/Interview.md` says it.
public struct InterviewAnswers: Sendable, Equatable {
    public struct Question: Sendable, Equatable {
        public var text: String
        public var points: [String]
    }

    /// In the order in which the brief asks them.
    public private(set) var questions: [Question] = []

    /// Each question is a heading of the second level, each point an item of the list below it.
    public init(_ markdown: String) {
        for line in markdown.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("## ") {
                questions.append(Question(text: String(line.dropFirst(3)), points: []))
            } else if questions.isEmpty {
                continue
            } else if line.hasPrefix("- ") {
                questions[questions.count - 1].points.append(String(line.dropFirst(2)))
            } else if let last = questions[questions.count - 1].points.indices.last {
                questions[questions.count - 1].points[last] += " " + line.drop { $0 == " " }
            }
        }
    }
}
