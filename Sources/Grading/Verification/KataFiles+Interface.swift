import Workbook

/// What the manifest promises is what learners read, fill in and find in the answer.
extension KataFiles {
    func shortcomingsOfInterface() -> [Shortcoming] {
        let english = briefs.first { $0.language == .english }?.file
        // The code of the other briefs is that of the English one.
        let places = [
            (stub, stub.text), (modelAnswer, modelAnswer.text),
            (english, english?.text.map { MarkdownCode($0).blocks.joined().joined(separator: "\n") }),
        ]
        return kata.interface.flatMap { entry in
            let declarations = InterfaceEntry(entry).declarations
            return places.compactMap { file, text -> Shortcoming? in
                guard let file, let text else { return nil }
                let code = InterfaceEntry.bare(text)
                return declarations.allSatisfy(code.contains)
                    ? nil : shortcoming(.interfaceMissing, entry, manifest, file.path)
            }
        }
    }
}

/// A line of a kata's interface, as the code that has to stand somewhere.
struct InterfaceEntry {
    /// Without spaces, access levels and bodies: what a stub, an answer and a brief write in different ways.
    let declarations: [String]

    init(_ entry: String) {
        var text = Substring(entry)
        // What an extension has may stand in it with others.
        if let match = entry.wholeMatch(of: /\s*extension [^{]*\{(.*)\}\s*/.dotMatchesNewlines()) { text = match.1 }
        let head = text.prefix { $0 != "{" }
        if let match = head.wholeMatch(of: /.*\bvar (\w+(?:, \w+)+)\s*/) {
            declarations = match.1.split(separator: ", ").map { "var\($0)" }
        } else {
            declarations = [Self.bare(String(head))]
        }
    }

    static func bare(_ code: String) -> String {
        SwiftText(code).withoutComments.replacing(/\b(public|open|internal|final|private\(set\)|any)\s+/, with: "")
            .filter { !$0.isWhitespace && $0 != "`" }.replacing(",)", with: ")")
    }
}
