import Foundation
import Workbook

/// `replay.html`: an interview from its first moment to its last, one file.
public struct ReplayPage {
    private let record: InterviewRecord
    private let localization: InterviewLocalization
    private let solutions: [String: String]
    private let showsDates: Bool
    private let hasJournal: Bool
    private let comparison: String?

    /// - Parameters:
    ///   - solutions: the katas' model answers, shown on request; empty to leave them out.
    ///   - showsDates: whether the page says on which day the session was held.
    ///   - hasJournal: whether the record was made of the session's journal.
    ///   - comparison: the name of the page, in the same folder, that compares the session with others.
    public init(
        _ record: InterviewRecord, localization: InterviewLocalization, solutions: [String: String],
        showsDates: Bool = true,
        hasJournal: Bool = true, comparison: String? = nil
    ) {
        self.record = record
        self.localization = localization
        self.solutions = solutions
        self.showsDates = showsDates
        self.hasJournal = hasJournal
        self.comparison = comparison
    }

    public func text() throws -> String {
        let shared = try PageStrings(localization.language)
        let page = try SelfContainedPage(.replay, title: localization.interview(.title), strings: shared)
        return try page.filled(with: data(shared))
    }

    // MARK: The data that the page's script reads

    private struct Replay: Encodable {
        var language: Language
        var words: PageStringTable
        var candidate: String
        /// Milliseconds since 1970; `nil` where the page is not to say so.
        var begun: Double?
        var minutes: Int
        var hintLimit: Int?
        var seed: String
        var versions: InterviewPlan.Versions
        var end: InterviewRecord.End?
        var seconds: Double
        var gaps: [String: Double]
        var remarks: [String]
        var comparison: String?
        var katas: [Column]
        /// Each text once, however many saves hold it.
        var texts: [String]
        /// Those of each text.
        var colors: [CodeColors]
        /// Each verdict once.
        var verdicts: [PageVerdict]
        var moments: [Moment]
        /// The observer's judgements.
        var rubric: [InterviewRecord.Judgement]?
        var scorecard: Scorecard?
    }

    /// The observers' scorecards, in words: a page without them does not have the words.
    private struct Scorecard: Encodable {
        struct Row: Encodable {
            var item: String
            var observer: String?
            var mark: String?
            var sentence: String
        }

        struct Spread: Encodable {
            var item: String
            var marks: String
        }

        var title: String
        var rows: [Row]
        var spreadTitle: String
        var spreads: [Spread]

        /// `nil` where no observer has one.
        init?(_ record: InterviewRecord, _ language: Language) throws {
            guard let scores = record.scores, !scores.isEmpty else { return nil }
            let strings = try ScorecardStrings(language)
            title = strings(.title)
            rows = scores.map { score in
                Row(
                    item: strings.name(of: score.item), observer: score.observer,
                    mark: score.mark.map { strings.shown($0, of: score.item) }, sentence: score.sentence)
            }
            spreadTitle = strings(.spread)
            spreads = (record.spreads ?? []).map { spread in
                let ends = [spread.lowest, spread.highest].map { strings.shown($0, of: spread.item) }
                return Spread(
                    item: strings.name(of: spread.item), marks: strings(.apart, .text(ends[0]), .text(ends[1])))
            }
        }
    }

    private struct Column: Encodable {
        var kata: PageKata
        var story: InterviewKataResult?
        var solution: String?
        var solutionColors: CodeColors?
    }

    private struct Moment: Encodable {
        enum Kind: String, Encodable { case opened, save, hint, note, privateNote, gap, closed }
        var kind: Kind
        var at: Double
        /// The kata's place among the columns.
        var kata: Int?
        /// The text's place among the texts.
        var text: Int?
        var number: Int?
        /// The verdict's place among the verdicts.
        var verdict: Int?
        /// What was written, or what the hint said.
        var words: String?
        var test: Int?
        var level: Int?
        var cause: InterviewRecord.Gap.Cause?
        var seconds: Double?
        /// The text that arrived at once with a save.
        var burst: InterviewNewText?
        /// Why the time stood still when a save was made.
        var stopped: InterviewRecord.Gap.Cause?
        /// Who wrote a private note.
        var observer: String?
    }

    private func data(_ shared: PageStrings) throws -> Replay {
        let katas = record.shownKatas
        let places = Dictionary(katas.enumerated().map { ($1.kata, $0) }) { first, _ in first }
        var texts = Numbering<String>()
        var verdicts = Numbering<String>()
        var pageVerdicts: [PageVerdict] = []
        var moments: [(time: Date, moment: Moment)] = record.openings.map { opening in
            (
                opening.moment.time,
                Moment(
                    kind: .opened, at: opening.moment.at, kata: places[opening.kata],
                    text: texts.place(of: opening.text))
            )
        }
        for save in record.saves {
            var place: Int?
            if let verdict = save.verdict, let kata = places[save.kata].map({ katas[$0] }) {
                let page = try pageVerdict(verdict, of: kata)
                place = verdicts.place(of: try PlainText.json(page))
                if pageVerdicts.count < verdicts.values.count { pageVerdicts.append(page) }
            }
            moments.append(
                (
                    save.moment.time,
                    Moment(
                        kind: .save, at: save.moment.at, kata: places[save.kata], text: texts.place(of: save.text),
                        number: save.number, verdict: place, burst: save.burst, stopped: save.stopped)
                ))
        }
        for hint in record.hints {
            let kata = places[hint.kata].map { katas[$0] }
            let test = kata?.tests.firstIndex { $0.id == hint.test }
            moments.append(
                (
                    hint.moment.time,
                    Moment(
                        kind: .hint, at: hint.moment.at, kata: places[hint.kata],
                        words: localization.words(of: hint, in: record), test: test, level: hint.level)
                ))
        }
        for note in record.notes {
            moments.append(
                (
                    note.moment.time,
                    Moment(kind: .note, at: note.moment.at, kata: places[note.kata], words: note.text)
                ))
        }
        for note in record.privateNotes ?? [] {
            moments.append(
                (
                    note.moment.time,
                    Moment(
                        kind: .privateNote, at: note.moment.at, kata: places[note.kata], words: note.text,
                        observer: note.observer)
                ))
        }
        for gap in record.gaps {
            moments.append(
                (gap.moment.time, Moment(kind: .gap, at: gap.moment.at, cause: gap.cause, seconds: gap.seconds)))
        }
        let order = moments.enumerated().sorted { left, right in
            (left.element.moment.at, left.element.time, left.offset)
                < (right.element.moment.at, right.element.time, right.offset)
        }
        let closing = record.end.map { _ in [Moment(kind: .closed, at: record.last.at)] } ?? []
        let causes: [InterviewRecord.Gap.Cause] = [.paused, .asleep, .away]
        let stories = Dictionary(record.katas.map { ($0.kata, $0) }) { first, _ in first }
        return Replay(
            language: localization.language,
            words: PageStringTable(localization.interview, page: shared, reports: localization.strings),
            candidate: record.plan.candidate,
            begun: showsDates ? (record.begun.time.timeIntervalSince1970 * 1000).rounded() : nil,
            minutes: record.plan.minutes, hintLimit: record.plan.hints, seed: "\(record.plan.seed)",
            versions: record.plan.versions, end: record.end, seconds: record.secondsWorked,
            gaps: Dictionary(uniqueKeysWithValues: causes.map { ($0.rawValue, record.seconds($0)) }),
            remarks: record.remarks(localization.interview, hasJournal: hasJournal), comparison: comparison,
            katas: katas.map {
                Column(
                    kata: PageKata($0, texts: localization.texts[$0.kata]), story: stories[$0.kata],
                    solution: solutions[$0.kata], solutionColors: solutions[$0.kata].map(CodeColors.init))
            },
            texts: texts.values, colors: texts.values.map(CodeColors.init), verdicts: pageVerdicts,
            moments: order.map(\.element.moment) + closing,
            rubric: record.rubric, scorecard: try Scorecard(record, localization.language))
    }

    /// Hints are shown where they were asked for, and not with every failure.
    private func pageVerdict(_ verdict: Verdict, of kata: Kata) throws -> PageVerdict {
        PageVerdict(
            try localization.report(verdict, of: kata), verdict, strings: localization.strings, showsHints: false)
    }
}

extension InterviewRecord {
    /// A kata that only a damaged plan has lost is shown all the same, if without its tests.
    var shownKatas: [Kata] {
        var katas = plan.katas
        for name in openings.map(\.kata) + saves.map(\.kata) + notes.map(\.kata)
        where !katas.contains(where: { $0.kata == name }) {
            katas.append(Kata(kata: name, order: katas.count + 1, phase: 1, interface: [], tests: []))
        }
        return katas
    }
}

/// Gives equal values one number, in the order of their first coming.
private struct Numbering<Value: Hashable> {
    private(set) var values: [Value] = []
    private var places: [Value: Int] = [:]

    mutating func place(of value: Value) -> Int {
        if let place = places[value] { return place }
        places[value] = values.count
        values.append(value)
        return values.count - 1
    }
}
