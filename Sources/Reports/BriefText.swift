import Storage
import Workbook

/// A brief as a terminal shows it: each paragraph is one line, to be broken at the terminal's width and not at the file's.
///
/// The title is left out: the caller has already named the kata.
public enum BriefText {
    public static func lines(of markdown: String, style: TextStyle) -> [String] {
        var lines: [String] = []
        var isCode = false
        var continues = false
        for line in TextStyle.lines(of: markdown) {
            if line.hasPrefix("```") {
                isCode.toggle()
                continues = false
            } else if isCode {
                lines.append("    " + line)
            } else if line.isEmpty {
                if lines.last?.isEmpty == false { lines.append("") }
                continues = false
            } else if line.hasPrefix("#") {
                let heading = line.drop { $0 == "#" || $0 == " " }
                if !line.hasPrefix("# ") { lines.append(style.bold(String(heading))) }
                continues = false
            } else if continues, !line.hasPrefix("- ") {
                lines[lines.count - 1] += " " + line.drop { $0 == " " }
            } else {
                lines.append(line)
                continues = true
            }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// What stands before a section of the second level; `nil` where there is no such section.
    ///
    /// - Parameter place: the section's place among those of its level, from 0: headings have other words in each language.
    public static func text(_ markdown: String, beforeSection place: Int) -> String? {
        let lines = TextStyle.lines(of: markdown)
        let sections = lines.indices.filter { lines[$0].hasPrefix("## ") }
        guard sections.indices.contains(place) else { return nil }
        return lines[..<sections[place]].joined(separator: "\n")
    }

    /// The place of a section of an English brief.
    public static func place(of heading: String, in english: String) -> Int? {
        TextStyle.lines(of: english).filter { $0.hasPrefix("## ") }.firstIndex(of: "## \(heading)")
    }
}

extension WorkbookFolder {
    /// The brief for a learner whose saves are graded: its last section says which command grades the kata.
    public func briefWithoutNext(_ kata: String, _ language: Language) -> String {
        let brief = brief(kata, language) ?? ""
        let next = self.brief(kata, .english).flatMap { BriefText.place(of: "Next", in: $0) }
        return next.flatMap { BriefText.text(brief, beforeSection: $0) } ?? brief
    }
}
