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
}
