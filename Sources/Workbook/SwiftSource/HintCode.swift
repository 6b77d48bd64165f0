/// The code of a hint: what a learner has written already does not help.
public struct HintCode: Sendable, Equatable {
    /// The words of each line; what is up to the learner, such as the name of a variable, is empty.
    private let lines: [[String]]

    /// - Parameter text: a hint with its code between fences; `nil` where there is too little code to tell it from other code.
    public init?(_ text: String) {
        var lines: [[String]] = []
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if isCode {
                let words = SwiftTokens.words(of: Array(line.utf8))
                // A line with a gap says less than the code that belongs there, and a declaration stands in the stub as well.
                guard !words.contains(where: { $0.contains("…") }), !words.contains(where: Self.declaring.contains)
                else {
                    continue
                }
                lines.append(Self.pattern(words))
            }
        }
        // One name alone stands in any code.
        lines = lines.filter { $0.count { $0.contains(where: \.isLetter) } > 1 }
        guard lines.count > 1 else { return nil }
        self.lines = lines
    }

    private static let declaring: Set = ["func", "extension", "class", "struct", "actor", "init", "deinit", "import"]

    /// How many words of other code may stand between two lines.
    private static let longestGap = 12

    /// Whether its lines stand in a source in their order and close together, with any names for variables.
    public func stands(in source: [UInt8]) -> Bool {
        let words = SwiftTokens.words(of: source)
        func stands(_ line: [String], at start: Int) -> Bool {
            start + line.count <= words.count
                && line.indices.allSatisfy { line[$0].isEmpty || line[$0] == words[start + $0] }
        }
        return words.indices.contains { first in
            guard stands(lines[0], at: first) else { return false }
            var end = first + lines[0].count
            return lines.dropFirst().allSatisfy { line in
                guard let start = (end...end + Self.longestGap).first(where: { stands(line, at: $0) }) else {
                    return false
                }
                end = start + line.count
                return true
            }
        }
    }

    /// A name that is not called, no member and no keyword is the learner's own.
    private static func pattern(_ words: [String]) -> [String] {
        words.indices.map { index in
            let next = index + 1 < words.count ? words[index + 1] : ""
            let isMember = index > 0 && words[index - 1] == "."
            let isOwn = SwiftTokens.isName(words[index]) && !isMember && !["(", "{"].contains(next)
            return isOwn ? "" : words[index]
        }
    }
}
