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

    /// The most that is shown of one text: of a file, and of anything else.
    private struct Lengths {
        var code: Int
        var others: Int

        /// What a test printed is cut before the learner's code is.
        static let all = [
            (PageContent.mostBytesOfCode, 16_384), (PageContent.mostBytesOfCode, 2048), (32_768, 256), (8192, 64),
            (1024, 64),
        ].map(Lengths.init)
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

    private static func data(_ report: LearnerReport, _ lengths: Lengths, _ shared: PageStrings) -> PageContent {
        let localization = report.localization
        let rows = zip(report.katas, report.record.katas).compactMap { kata, record -> PageContent.Row? in
            guard let manifest = report.manifests[kata.kata] else { return nil }
            var shown = PageKata(manifest, texts: localization.texts[kata.kata], showsHints: false)
            // Also of tests that the learner does not see.
            shown.maxPoints = kata.maxPoints
            return PageContent.Row(
                kata: shown, path: record.path,
                isMissing: record.verdict.isHandedIn ? nil : true,
                verdict: PageVerdict(kata, record.verdict, strings: localization.strings) {
                    report.comment(on: $0, of: kata.kata)
                },
                notRun: kata.tests.contains { $0.outcome != .notRun } ? nil : kata.tests.first?.message,
                code: record.digest.map { _ in code(of: kata, in: report, most: lengths.code) })
        }
        return PageContent(
            language: localization.language,
            words: PageStringTable(localization.gradebook, page: shared, reports: localization.strings),
            name: report.record.learner, points: report.points, adjustments: report.adjustments,
            problem: report.problemOfNoKata,
            katas: rows)
    }

    private static func code(of kata: CheckReport.KataReport, in report: LearnerReport, most: Int) -> PageContent.Code {
        guard let text = report.code[kata.kata] else {
            return PageContent.Code(note: report.localization.gradebook(.codeNotKept), marks: [])
        }
        return PageContent.Code(text, of: kata, strings: report.localization.strings, most: most)
    }
}

extension LearnerReport {
    /// The same with no text longer than so many bytes. What the learner wrote is not one of them.
    fileprivate func shortened(to most: Int) -> LearnerReport {
        var (record, katas, localization) = complete
        for index in record.katas.indices { record.katas[index].verdict.shorten(to: most) }
        localization.comments = localization.comments.mapValues { $0.mapValues { $0.cut(to: most) } }
        let report = LearnerReport(
            record, katas: katas, localization: localization, code: code, lateness: lateness, override: override)
        return release.map(report.released) ?? report
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
    fileprivate func cut(to most: Int) -> String {
        let shown = prefix(bytes: most)
        return shown.utf8.count < utf8.count ? shown + "…" : self
    }
}
