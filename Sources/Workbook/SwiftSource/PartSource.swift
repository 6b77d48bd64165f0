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

    /// Where a part's name is declared, in lines and in bytes from 1, as compilers count; `nil` where it is not. Of several of
    /// one name it is the one whose labels and constraints are the part's.
    public static func place(of part: String, in text: String) -> (line: Int, column: Int)? {
        let pieces = part.split(separator: " where ", maxSplits: 1).map(String.init)
        guard let signature = pieces.first else { return nil }
        let name = String(signature.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        let labels = SwiftTokens.words(of: Array(signature.dropFirst(name.count).utf8)).filter {
            $0 != "_" && $0 != ":"
        }
        let wanted = pieces.dropFirst().first.map { SwiftTokens.words(of: Array($0.utf8)) } ?? []
        var constraints: [String] = []
        var found: [(place: (line: Int, column: Int), fits: Bool)] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = SwiftTokens.words(of: Array(line.utf8))
            if words.contains("extension") {
                constraints = Array(words.drop { $0 != "where" }.dropFirst().prefix { $0 != "{" })
            }
            let isDeclared =
                name == "init"
                ? words.starts(with: ["init"]) || words.starts(with: ["public", "init"])
                : zip(words, words.dropFirst()).contains { ["func", "var"].contains($0) && $1 == name }
            guard isDeclared, let range = line.range(of: name) else { continue }
            let column = line.utf8.distance(from: line.startIndex, to: range.lowerBound) + 1
            let fits = constraints == wanted && labels.allSatisfy(words.contains)
            found.append(((index + 1, column), fits))
        }
        return (found.first { $0.fits } ?? found.first)?.place
    }
}
