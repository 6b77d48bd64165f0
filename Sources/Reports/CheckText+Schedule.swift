import Workbook

/// What a verdict says of threads, on a terminal.
extension CheckText {
    /// How much of an order of steps is shown.
    public enum ScheduleStep: Sendable {
        /// The rows that matter, and the command line that runs this order of steps and shows all of them.
        case command(@Sendable (String) -> String)
        /// Every step, with what it does.
        case all
    }

    /// The accesses of a data race, who waits for what, and the order of steps that led there.
    func threads(_ result: TestVerdict) -> [String] {
        var lines = aligned(
            (result.race.map(strings.accesses) ?? []).map { [.init($0.label, dress: style.dim), .init($0.code)] })
        guard let schedule = result.schedule else { return lines }
        lines += aligned(
            strings.waits(schedule).map { [.init($0.thread, dress: style.dim), .init($0.cause), .init($0.place)] })
        guard !schedule.rows.isEmpty else { return lines }
        var deed: ((Deed) -> String)?
        if case .all = scheduleStep { deed = { strings(ReportKey($0)) } }
        let drawing = ScheduleDrawing(
            schedule, columns: style.columns - 4, style: style, thread: strings.thread, deed: deed)
        lines += [strings.caption(schedule, of: result)] + drawing.lines
        if case .command(let command) = scheduleStep {
            lines.append(strings(.scheduleAgain, .text(command(schedule.text))))
        }
        return lines
    }

    /// Cells in columns; of code that has no room, the beginning is shown.
    private func aligned(_ rows: [[TextTable.Cell]]) -> [String] {
        guard let count = rows.first?.count else { return [] }
        var table = TextTable([TextTable.Alignment](repeating: .leading, count: count))
        let before = (0..<count - 1).reduce(0) { width, column in
            width + 2 + (rows.map { CellWidth.of($0[column].text) }.max() ?? 0)
        }
        for var row in rows {
            let code = TextStyle.harmless(row[count - 1].text).replacing("\t", with: "    ")
            row[count - 1].text = code.truncated(
                toCells: max(16, style.columns - 4 - before), mark: style.ellipsis)
            table.add(row)
        }
        return table.lines()
    }
}
