/// A part of a kata as a learner wrote it, to be shown again.
public enum PartSource {
    /// More is not read beside a hint.
    public static let mostLines = 14

    /// The lines of the declaration, set out to the left; `nil` where the text has none of this name, or where it is longer than
    /// a reader would look at.
    ///
    /// - Parameter part: as `StubParts` names it: `merge`, `receive(completion:)`, `task where Failure == Never`.
    public static func lines(of part: String, in text: String) -> [String]? {
        let name = String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let words = lines.map { SwiftTokens.words(of: Array($0.utf8)) }
        let begin = words.indices.first { index in
            zip(words[index], words[index].dropFirst()).contains { ["func", "var"].contains($0) && $1 == name }
        }
        guard let begin else { return nil }
        var depth = 0
        var isOpen = false
        for index in begin..<min(lines.count, begin + mostLines) {
            for word in words[index] where word == "{" || word == "}" {
                isOpen = true
                depth += word == "{" ? 1 : -1
            }
            if isOpen, depth <= 0 { return setOut(lines[begin...index]) }
        }
        return nil
    }

    private static func setOut(_ lines: ArraySlice<Substring>) -> [String] {
        let indent = lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(indent)) }
    }
}
