import Workbook

/// `pages/<learner>.html`: what an instructor sends back, with the learner's own code next to what was found.
///
/// It names no other learner, and nothing that a learner should not know, such as the class's seed.
struct LearnerPage: LearnerFilesFormat {
    static let name = "pages"

    static func files(of report: LearnerReport, name: String) throws -> [String: String] {
        ["\(name).html": try text(of: report)]
    }

    /// How large a page may be.
    static let mostBytes = 1_000_000
    /// More lines than that are no kata, and would keep a browser busy.
    static let mostLines = 4000

    /// The most that is shown of one text: of a file, and of anything else.
    private struct Lengths {
        var code: Int
        var others: Int

        /// What a test printed is cut before the learner's code is.
        static let all = [(65_536, 16_384), (65_536, 2048), (32_768, 256), (8192, 64), (1024, 64)].map(Lengths.init)
    }

    private static func text(of report: LearnerReport) throws -> String {
        let shared = try PageStrings(report.localization.language)
        let page = try SelfContainedPage(.learner, title: report.localization.gradebook(.results), strings: shared)
        var text = ""
        for lengths in Lengths.all {
            text = try page.filled(with: data(report.shortened(to: lengths.others), lengths, shared))
            if text.utf8.count <= mostBytes { break }
        }
        return text
    }

    // MARK: The data that the page's script reads

    struct Content: Encodable {
        var language: Language
        var words: PageStringTable
        var name: String
        /// Those that count; `nil` where none are counted together.
        var points: Int?
        /// How late it is, and what that costs.
        var lateness: String?
        var problem: String?
        var katas: [Row]
    }

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

    private static func data(_ report: LearnerReport, _ lengths: Lengths, _ shared: PageStrings) -> Content {
        let localization = report.localization
        let rows = zip(report.katas, report.record.katas).compactMap { kata, record -> Row? in
            guard let manifest = report.manifests[kata.kata] else { return nil }
            return Row(
                kata: PageKata(manifest, texts: localization.texts[kata.kata], showsHints: false), path: record.path,
                isMissing: record.verdict.isHandedIn ? nil : true,
                verdict: PageVerdict(kata, record.verdict, strings: localization.strings) {
                    report.comment(on: $0, of: kata.kata)
                },
                notRun: kata.tests.contains { $0.outcome != .notRun } ? nil : kata.tests.first?.message,
                code: record.digest.map { _ in code(of: kata, in: report, most: lengths.code) })
        }
        return Content(
            language: localization.language,
            words: PageStringTable(localization.gradebook, page: shared, reports: localization.strings),
            name: report.record.learner, points: report.points, lateness: report.latenessText,
            problem: report.problemOfNoKata,
            katas: rows)
    }

    private static func code(of kata: CheckReport.KataReport, in report: LearnerReport, most: Int) -> Code {
        guard let text = report.code[kata.kata] else {
            return Code(note: report.localization.gradebook(.codeNotKept), marks: [])
        }
        return code(text, of: kata, strings: report.localization.strings, most: most)
    }

    /// The code, as much of it as is shown, with what was said about its lines.
    static func code(
        _ text: String, of kata: CheckReport.KataReport, strings: ReportStrings, most: Int = Lengths.all[0].code
    ) -> Code {
        let marks = kata.diagnostics
            .filter { $0.line > 0 && $0.file.split(separator: "/").last.map(String.init) == "\(kata.kata).swift" }
            .map { Mark(line: $0.line, severity: $0.severity, message: $0.message) }
        let shown = String(text.prefix(bytes: most)).prefix(lines: mostLines)
        let leftOut = text.utf8.count - shown.utf8.count
        let note = leftOut > 0 ? strings(.codeCut, .integer(leftOut)) : nil
        return Code(text: String(shown), note: note, marks: marks)
    }
}

extension LearnerReport {
    /// The same with no text longer than so many bytes. What the learner wrote is not one of them.
    fileprivate func shortened(to most: Int) -> LearnerReport {
        var record = record
        for index in record.katas.indices { record.katas[index].verdict.shorten(to: most) }
        var localization = localization
        localization.comments = localization.comments.mapValues { $0.mapValues { $0.cut(to: most) } }
        return LearnerReport(
            record, katas: Array(manifests.values), localization: localization, code: code, lateness: lateness)
    }
}

extension Verdict {
    fileprivate mutating func shorten(to most: Int) {
        for index in diagnostics.indices { _ = diagnostics[index].message.shorten(to: most) }
        for index in tests.indices { tests[index].shorten(to: most) }
    }
}

extension TestVerdict {
    fileprivate mutating func shorten(to most: Int) {
        let printed = output.prefix(bytes: most)
        outputCut += output.utf8.count - printed.utf8.count
        output = String(printed)
        let leftOut = messages.indices.reduce(0) { $0 + messages[$1].shorten(to: most) }
        if leftOut > 0 { messages.append(LocalizableMessage(.textCut, "\(leftOut)")) }
        func shortened(_ events: [Marbles.Event]) -> [Marbles.Event] {
            events.prefix(max(8, most / 16)).map { .init(milliseconds: $0.milliseconds, label: $0.label.cut(to: most)) }
        }
        marbles = marbles?.mapRows(shortened)
        race = race?.mapCode { $0.cut(to: most) }
        schedule = schedule?.mapCode { $0.cut(to: most) }
    }
}

extension LocalizableMessage {
    /// Gives back how many bytes are left out.
    fileprivate mutating func shorten(to most: Int) -> Int {
        let before = arguments.reduce(0) { $0 + $1.utf8.count }
        let cut = arguments.map { $0.cut(to: most) }
        guard cut != arguments else { return 0 }
        arguments = cut
        return before - arguments.reduce(0) { $0 + $1.utf8.count }
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

    fileprivate func cut(to most: Int) -> String {
        let shown = prefix(bytes: most)
        return shown.utf8.count < utf8.count ? shown + "…" : self
    }
}
