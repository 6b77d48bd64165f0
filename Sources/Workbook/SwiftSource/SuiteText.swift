/// A suite's source, and where in it each test is.
public struct SuiteText: Sendable {
    public let text: [Character]
    /// The text with blanks in place of what is not code.
    public let code: [Character]
    private let types: [Declaration]
    private let functions: [Declaration]

    public struct Declaration: Sendable {
        public var name: String
        /// Where its keyword is.
        public var start: Int
        /// From the opening brace to behind the closing one.
        public var body: Range<Int>
    }

    public init(_ source: String) {
        text = Array(source)
        let code = Array(SwiftText(source).codeOnly)
        self.code = code
        types = Self.declarations(#/\b(?:struct|class|actor|enum|extension)\s+([A-Za-z0-9_.]+)/#, code)
        functions = Self.declarations(#/\bfunc\s+([A-Za-z0-9_]+)/#, code)
    }

    /// The test of the name `Type/function()`.
    public func test(_ id: KataTest.ID) -> Declaration? {
        let names = id.prefix { $0 != "(" }.split(separator: "/").map(String.init)
        guard let function = names.last, names.count >= 2 else { return nil }
        for type in types where type.name.split(separator: ".").last.map(String.init) == names[names.count - 2] {
            if let found = functions.first(where: { $0.name == function && type.body.contains($0.start) }) {
                return found
            }
        }
        return nil
    }

    /// The types that have a trait, such as `.ownProcess`, and the functions that have it themselves.
    public func names(withTrait trait: String) -> Set<String> {
        Set((types + functions).filter { heading(of: $0).contains(trait) }.map(\.name))
    }

    /// The names of the test's function and of the types around it.
    public func names(around id: KataTest.ID) -> Set<String> {
        guard let test = test(id) else { return [] }
        return Set([test.name] + types.filter { $0.body.contains(test.start) }.map(\.name))
    }

    private func heading(of declaration: Declaration) -> String {
        String(code[..<declaration.start].reversed().prefix { !"{};".contains($0) }.reversed())
    }

    /// What stands between the braces of a test, as if it began at the left margin.
    public func body(of id: KataTest.ID) -> String? {
        guard let body = test(id)?.body else { return nil }
        let lines = String(text[(body.lowerBound + 1)..<(body.upperBound - 1)])
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
        let isEmpty = { (line: String) in line.isEmpty }
        let shown = Array(lines.drop(while: isEmpty).reversed().drop(while: isEmpty).reversed())
        let margin = shown.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return shown.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
    }

    /// The declarations that the pattern finds, and what stands between their braces.
    private static func declarations(_ pattern: Regex<(Substring, Substring)>, _ code: [Character]) -> [Declaration] {
        let text = String(code)
        // Counted on from match to match: a suite is long.
        var (place, offset) = (text.startIndex, 0)
        func count(to index: String.Index) -> Int {
            offset += text.distance(from: place, to: index)
            place = index
            return offset
        }
        return text.matches(of: pattern).compactMap { match in
            let start = count(to: match.range.lowerBound)
            var index = count(to: match.range.upperBound)
            var parentheses = 0
            var braces = 0
            var open: Int?
            while index < code.count {
                switch code[index] {
                case "(", "[": parentheses += 1
                case ")", "]": parentheses -= 1
                case "{" where parentheses == 0 || open != nil:
                    open = open ?? index
                    braces += 1
                case "}" where open != nil:
                    braces -= 1
                    if braces == 0, let open {
                        return Declaration(name: String(match.output.1), start: start, body: open..<(index + 1))
                    }
                default: break
                }
                index += 1
            }
            return nil
        }
    }
}
