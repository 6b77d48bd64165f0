import Workbook

/// `for-candidate.html`: what an interviewer sends to the candidate, one file.
///
/// It has the last code of each kata, its verdict, and the hints that were taken. It is made of nothing else: not of notes,
/// marks or times, and it has no words but those that it shows.
public struct CandidatePage {
    private let record: InterviewRecord
    private let localization: InterviewLocalization

    public init(_ record: InterviewRecord, localization: InterviewLocalization) {
        self.record = record
        self.localization = localization
    }

    public func text() throws -> String {
        let language = localization.language
        let shared = try PageStrings(language)
        let results = localization.interview(.results)
        let page = try SelfContainedPage(.learner, title: results, strings: shared)
        return try page.filled(
            with: PageContent(
                language: language,
                words: PageStringTable(["results": results], page: shared, reports: localization.strings),
                name: record.plan.candidate, katas: record.shownKatas.map(row)))
    }

    private func row(of kata: Kata) throws -> PageContent.Row {
        let saves = record.saves.filter { $0.kata == kata.kata }
        let verdict =
            saves.last?.verdict
            ?? Verdict(
                kata: kata.kata, outcome: .notStarted, points: 0, maxPoints: kata.maxPoints, seconds: 0,
                diagnostics: [], tests: [])
        let report = try localization.report(verdict, of: kata)
        let text = saves.last?.text ?? record.openings.last { $0.kata == kata.kata }?.text
        let code = text.map { PageContent.Code($0, of: report, strings: localization.strings) }
        let isGraded = saves.last?.verdict != nil || saves.isEmpty
        return PageContent.Row(
            kata: PageKata(kata, texts: localization.texts[kata.kata], showsHints: false),
            verdict: PageVerdict(report, verdict, strings: localization.strings, showsHints: false),
            notRun: isGraded ? nil : localization.interview(.verdictNone), code: code,
            hints: record.hints.filter { $0.kata == kata.kata }.map { hint(of: kata, $0) })
    }

    private func hint(of kata: Kata, _ hint: InterviewRecord.Hint) -> PageContent.Hint {
        let test = kata.tests.first { $0.id == hint.test }
        let title = test.flatMap { localization.texts[kata.kata]?.title(of: $0) } ?? hint.test
        let level = localization.strings.numbers.integer(hint.level)
        return PageContent.Hint(
            title: localization.interview(.hintNumber, .text(level)) + " · " + title,
            words: localization.words(of: hint, in: record) ?? "")
    }
}
