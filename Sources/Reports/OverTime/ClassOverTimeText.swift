import Workbook

/// A class over time as a terminal shows it: a line a learner, the class's averages below, and the weakest themes.
public struct ClassOverTimeText: Sendable {
    private let overTime: ClassOverTime
    private let localization: OverTimeLocalization
    private let style: TextStyle

    public init(_ overTime: ClassOverTime, localization: OverTimeLocalization, style: TextStyle) {
        self.overTime = overTime
        self.localization = localization
        self.style = style
    }

    private static let mostThemes = 3

    public func lines(columns: Int? = nil) -> [String] {
        let learners = learners(columns)
        let themes = overTime.themes.prefix(Self.mostThemes)
        var lines = learners.lines
        if overTime.learners.contains(where: \.hasFallenBehind) {
            let rule = localization.overTime(.rule)
            lines += [""] + TextWrap.lines("\(style.doubtful) \(rule)", columns: columns ?? .max)
        }
        guard !themes.isEmpty else { return lines }
        lines += [""] + TextWrap.lines(localization.overTime(.themes), columns: columns ?? .max).map(style.bold)
        return lines + table(of: Array(themes), heads: learners.heads).lines(turningAt: columns)
    }

    /// The table of the learners as it fits: where there is little room, reports have numbers that are explained, and cells
    /// have shares alone.
    private func learners(_ columns: Int?) -> (lines: [String], heads: [String]) {
        let names = overTime.reports.map { plain($0.name, cells: 20) }
        let wide = table(heads: names, hasPoints: true).lines()
        guard let columns, wide.contains(where: { TextWrap.visibleWidth($0) > columns }) else { return (wide, names) }
        let numbers = names.indices.map { "\($0 + 1)" }
        let explained = zip(numbers, overTime.reports).map { "\($0): \(plain($1.name, cells: columns - 6))" }
        return (explained + [""] + table(heads: numbers, hasPoints: false).lines(turningAt: columns), numbers)
    }

    private func table(heads: [String], hasPoints: Bool) -> TextTable {
        var table = self.table(
            [localization.gradebook(.learner)] + heads + [localization.gradebook(.total)], indent: "  ")
        let most = hasPoints ? 32 : 20
        for learner in overTime.learners {
            let name = plain(learner.name, cells: most)
            let mark = learner.hasFallenBehind ? style.plainDoubtful : " "
            let dress: @Sendable (String) -> String = { [style] text in
                learner.hasFallenBehind ? style.yellow(text) : text
            }
            let sum = "\(number(learner.points))/\(number(overTime.maxPoints))"
            table.add(
                [.init("\(mark) \(name)", dress: dress)] + learner.results.map { cell($0, hasPoints) } + [.init(sum)])
        }
        let averages = overTime.reports.map { TextTable.Cell($0.average.map(percent) ?? none) }
        table.addHeading("")
        table.add([.init("  " + plain(localization.overTime(.average), cells: most))] + averages)
        return table
    }

    private func table(of themes: [ClassOverTime.ThemeResult], heads: [String]) -> TextTable {
        var table = self.table([localization.overTime(.theme)] + heads, indent: "  ")
        for theme in themes {
            let title = "  " + localization.title(ofTheme: theme.theme)
            table.add([.init(title)] + theme.results.map { .init($0.map { percent($0.share) } ?? "") })
        }
        return table
    }

    private func table(_ heads: [String], indent: String) -> TextTable {
        var table = TextTable([.leading] + .init(repeating: .trailing, count: heads.count - 1))
        table.add(
            heads.enumerated().map { place, head in
                .init((place == 0 ? indent : "") + head) { [style] in style.dim($0) }
            })
        return table
    }

    /// Nothing where the learner is not in the report.
    private func cell(_ result: ClassOverTime.Result?, _ hasPoints: Bool) -> TextTable.Cell {
        guard let result else { return "" }
        guard result.isHandedIn else { return .init(none) }
        let share = percent(result.share)
        return .init(
            hasPoints ? localization.page(.bracketed, .text(number(result.points)), .text(share)) : share)
    }

    /// A name of any length leaves room for the figures, and is one line.
    private func plain(_ text: String, cells: Int) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return TextStyle.harmless(line).truncated(toCells: cells, mark: style.ellipsis)
    }

    private func number(_ value: Int) -> String { localization.strings.numbers.integer(value) }
    private func percent(_ share: Double) -> String { localization.strings.numbers.percent(share) }
    private var none: String { style.isUnicode ? "–" : "-" }
}

extension TextStyle {
    /// The mark without its color: a cell is dressed when it has its width.
    fileprivate var plainDoubtful: String { TextStyle(isColored: false, isUnicode: isUnicode).doubtful }
}
