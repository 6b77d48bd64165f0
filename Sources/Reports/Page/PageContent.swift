import Workbook

/// What the script of the page reads that goes back to the author of the code: a learner, or a candidate.
struct PageContent: Encodable {
    var language: Language
    var words: PageStringTable
    var name: String
    /// Those that count; `nil` where none are counted together.
    var points: Int?
    /// Why they are others than those of the tests.
    var adjustments: [String] = []
    var problem: String?
    var katas: [Row]

    struct Row: Encodable {
        var kata: PageKata
        var path: String?
        /// `true` where there was no file.
        var isMissing: Bool?
        var verdict: PageVerdict
        /// Why no test ran; `nil` where one did. Each of them would say the same.
        var notRun: String?
        /// `nil` where no file could be read.
        var code: Code?
        /// The hints that were taken; `nil` where that is not known.
        var hints: [Hint]?
    }

    struct Hint: Encodable {
        var title: String
        var words: String
    }

    struct Code: Encodable, Equatable {
        /// `nil` where it was not kept.
        var text: String?
        var colors: CodeColors?
        /// What is not shown.
        var note: String?
        var marks: [Mark]
    }

    /// What was said about a line.
    struct Mark: Encodable, Equatable {
        var line: Int
        var severity: Diagnostic.Severity
        var message: String
    }

    static let mostBytesOfCode = 65_536
}

extension PageContent.Code {
    /// More lines than that are no kata, and would keep a browser busy.
    private static let mostLines = 4000

    /// The code, as much of it as is shown, with what was said about its lines.
    init(
        _ text: String, of kata: CheckReport.KataReport, strings: ReportStrings, most: Int = PageContent.mostBytesOfCode
    ) {
        marks = kata.diagnostics
            .filter { $0.line > 0 && $0.file.split(separator: "/").last.map(String.init) == "\(kata.kata).swift" }
            .map { PageContent.Mark(line: $0.line, severity: $0.severity, message: $0.message) }
        let shown = String(text.prefix(bytes: most)).prefix(lines: Self.mostLines)
        let leftOut = text.utf8.count - shown.utf8.count
        note = leftOut > 0 ? strings(.codeCut, .integer(leftOut)) : nil
        self.text = String(shown)
        colors = CodeColors(String(shown))
    }
}

extension String {
    /// The beginning that fits into so many bytes, and ends where a character of Unicode does.
    func prefix(bytes most: Int) -> Substring {
        guard utf8.count > most else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: most)
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }

    /// The first lines.
    func prefix(lines most: Int) -> Substring {
        var left = most
        let end = utf8.firstIndex { byte in
            if byte == UInt8(ascii: "\n") { left -= 1 }
            return left == 0
        }
        return end.map { self[...$0] } ?? self[...]
    }
}
