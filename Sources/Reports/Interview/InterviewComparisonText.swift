import Workbook

/// A comparison as a terminal shows it: the sessions, then a table a kata, in columns that line up in every script. Where the
/// terminal is too narrow for a line a session, each has a column.
public struct InterviewComparisonText: Sendable {
    private let comparison: InterviewComparison
    private let localization: InterviewLocalization
    private let style: TextStyle

    public init(_ comparison: InterviewComparison, localization: InterviewLocalization, style: TextStyle) {
        self.comparison = comparison
        self.localization = localization
        self.style = style
    }

    public func lines(columns: Int? = nil) -> [String] {
        var lines = sessions().lines(turningAt: columns)
        for kata in comparison.katas {
            lines += ["", style.bold(kata)] + table(of: kata).lines(turningAt: columns)
            if let rubric = rubric(of: kata, columns: columns) { lines += [""] + rubric.lines(columns: columns) }
        }
        return lines
    }

    private func sessions() -> TextTable {
        let strings = localization.interview
        var table = TextTable([.leading, .trailing] + .init(repeating: .trailing, count: 6) + [.leading])
        table.add(
            head(strings(.session)), head(strings(.worked)), head(strings(.realTime)), head(strings(.paused)),
            head(strings(.asleep)),
            head(strings(.away)), head(strings(.saves)), head(localization.strings(.labelHints)), head(strings(.end)))
        for session in comparison.sessions {
            let record = session.record
            table.add(
                .init(label(session)),
                .init("\(ClockText.elapsed(record.secondsWorked))/\(ClockText.elapsed(record.plan.seconds))"),
                .init(ClockText.elapsed(record.secondsElapsed)), gap(record.seconds(.paused)),
                gap(record.seconds(.asleep)), gap(record.seconds(.away)),
                .init(number(record.saves.count)),
                .init(number(record.hints.count) + (record.plan.hints.map { "/" + number($0) } ?? "")),
                .init(strings(InterviewReportKey(record.end))))
        }
        return table
    }

    private func table(of kata: String) -> TextTable {
        let strings = localization.interview
        var table = TextTable([.leading, .leading] + .init(repeating: .trailing, count: 8))
        table.add(
            head(strings(.session)), head(localization.strings(.labelState)), head(localization.strings(.labelPoints)),
            head(strings(.firstCorePass)), head(strings(.passedAt)), head(strings(.masteredAt)),
            head(localization.strings(.labelHints)), head(strings(.saves)), head(strings(.bursts)),
            head(strings(.timeSpent)))
        for session in comparison.sessions {
            guard let story = InterviewComparison.story(of: kata, in: session) else { continue }
            table.add(
                .init(label(session)), .init(localization.strings(story.outcome)),
                .init("\(number(story.points))/\(number(story.maxPoints))"), time(story.firstCorePass),
                time(story.passed), time(story.mastered), .init(number(story.hints)), .init(number(story.saves)),
                .init(number(story.bursts ?? 0)), .init(ClockText.elapsed(story.seconds)))
        }
        return table
    }

    /// What the observer thinks of the answers to the brief's questions: the sessions below each question.
    private func rubric(of kata: String, columns: Int?) -> TextTable? {
        let strings = localization.interview
        let questions = comparison.questions(of: kata)
        guard !questions.isEmpty else { return nil }
        var table = TextTable([.leading, .trailing, .leading])
        table.add(head(strings(.session)), head(strings(.markGiven)), head(strings(.sentence)))
        for question in questions {
            let text = TextStyle.harmless("\(question.number). \(question.question)")
            for line in TextWrap.lines(text, columns: columns ?? .max) { table.addHeading(.init(line)) }
            for session in comparison.sessions {
                let judgements = session.rubric(of: kata).filter { $0.number == question.number }
                if judgements.isEmpty { table.add(.init(label(session)), count(nil), .init("")) }
                for judgement in judgements {
                    let said = [judgement.observer, judgement.sentence].compactMap(\.self)
                    table.add(
                        .init(label(session)), count(judgement.mark),
                        .init(TextStyle.harmless(oneLine(said.joined(separator: style.separator)))))
                }
            }
        }
        return table
    }

    /// A name of any length leaves room for the figures, and is one line.
    private func label(_ session: InterviewComparison.Session) -> String {
        TextStyle.harmless(oneLine(session.label))
            .truncated(toCells: 24, mark: style.ellipsis)
    }

    private func oneLine(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

    private func head(_ text: String) -> TextTable.Cell { .init(text) { [style] in style.dim($0) } }

    private func number(_ value: Int) -> String { localization.strings.numbers.integer(value) }

    private func gap(_ seconds: Double) -> TextTable.Cell { time(seconds > 0 ? seconds : nil) }

    private func time(_ seconds: Double?) -> TextTable.Cell { .init(seconds.map { ClockText.elapsed($0) } ?? none) }

    private func count(_ value: Int?) -> TextTable.Cell { .init(value.map(number) ?? none) }

    private var none: String { style.isUnicode ? "–" : "-" }
}
