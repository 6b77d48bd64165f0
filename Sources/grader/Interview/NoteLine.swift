import Reports
import Workbook

/// A note while it is typed.
struct NoteLine: Equatable, Sendable {
    /// When it was begun: what it speaks of was on the screen then.
    let begun: InterviewMoment
    /// The kata that was on the screen then.
    let kata: String
    private(set) var text = ""

    /// The most scalars that a note may have.
    static let limit = 500

    init(begun: InterviewMoment, kata: String) {
        self.begun = begun
        self.kata = kata
    }

    /// How the typing of a note ends.
    enum End: Equatable, Sendable { case kept, dropped }

    /// What a key does while the note is typed; `nil` while the typing goes on.
    mutating func answer(_ key: Key) -> End? {
        switch key {
        case .enter: return .kept
        case .escape: return .dropped
        case .letter(let character): type(character)
        case .backspace: backspace()
        default: break
        }
        return nil
    }

    private mutating func type(_ character: Character) {
        if text.unicodeScalars.count < Self.limit { text.append(character) }
    }

    /// Takes back what was typed last: a whole character, but only the mark where marks are typed one by one, as in Thai.
    private mutating func backspace() {
        guard let last = text.unicodeScalars.last else { return }
        if Language.allCases.contains(where: { $0.separatelyTypedMarks?.contains(last) == true }) {
            text.unicodeScalars.removeLast()
        } else {
            text.removeLast()
        }
    }

    /// What is kept of it; `nil` where nothing was typed.
    var kept: String? {
        let text = String(text.drop { $0 == " " })
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// The end of the text, as much as fits into so many cells.
    func tail(cells: Int) -> String {
        var width = 0
        let shown = text.reversed().prefix { character in
            width += CellWidth.of(character)
            return width <= cells
        }
        return String(shown.reversed())
    }
}
