import Workbook

/// An order of steps, from top to bottom: a column for each thread, with the numbers and the code of its lines.
///
///       thread A                 │ thread C
///       44 waiter = continuation │
///                                │ 62 end(.failure(CancellationError()))
///     ✗ 46 if isOver { return }  │
struct ScheduleDrawing {
    private let rows: [Schedule.Row]
    /// What each row says, without the thread's name.
    private let texts: [String]
    /// In the order in which they come.
    private let threads: [Int]
    private let names: [String]
    private let columns: Int
    private let style: TextStyle

    /// Narrower columns are hard to read: then all threads share one, and each line names its thread.
    private static let narrowest = 20

    /// - Parameter deed: what a thread does in a step; `nil` where only its line is shown.
    init(
        _ schedule: Schedule, columns: Int, style: TextStyle, thread: (Int) -> String, deed: ((Deed) -> String)? = nil
    ) {
        rows = schedule.rows
        self.columns = columns - 2
        self.style = style
        threads = schedule.threads
        names = threads.map(thread)
        let numbers = rows.map { "\($0.line)" }
        let deeds = rows.map { deed?($0.does) ?? "" }
        let numberWidth = numbers.map(\.count).max() ?? 0
        let deedWidth = deeds.map { CellWidth.of($0) }.max() ?? 0
        texts = zip(schedule.rows, zip(numbers, deeds)).map { row, words in
            String(repeating: " ", count: numberWidth - words.0.count) + words.0 + " "
                + (deedWidth > 0 ? words.1.padded(toCells: deedWidth) + "  " : "")
                + TextStyle.harmless(row.code.replacing("\t", with: "    "))
        }
    }

    var lines: [String] {
        let room = columns - 3 * (threads.count - 1)
        guard let count = threads.isEmpty ? nil : threads.count, room / count >= Self.narrowest else { return list }
        let widths = widths(room: room)
        return ["  " + line(names, widths, style.dim)]
            + rows.indices.flatMap { place in
                let cells = threads.map { $0 == rows[place].thread ? texts[place] : "" }
                return gap(before: place) + [mark(place) + line(cells, widths) { dressed($0, place) }]
            }
    }

    /// All threads in one column.
    private var list: [String] {
        let width = names.map { CellWidth.of($0) }.max() ?? 0
        return rows.indices.flatMap { place in
            let name = threads.firstIndex(of: rows[place].thread).map { names[$0] } ?? ""
            let text = texts[place].truncated(toCells: max(8, columns - width - 2), mark: style.ellipsis)
            return gap(before: place)
                + [mark(place) + style.dim(name.padded(toCells: width)) + "  " + dressed(text, place)]
        }
    }

    /// As wide as what stands in them; where that is too much, the widest give way.
    private func widths(room: Int) -> [Int] {
        let needed = threads.indices.map { column in
            rows.indices.filter { rows[$0].thread == threads[column] }
                .reduce(CellWidth.of(names[column])) { max($0, CellWidth.of(texts[$1])) }
        }
        var widths = needed
        var left = room
        for (place, column) in needed.indices.sorted(by: { needed[$0] < needed[$1] }).enumerated() {
            widths[column] = min(needed[column], left / (needed.count - place))
            left -= widths[column]
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int], _ dress: (String) -> String) -> String {
        let texts = zip(cells, widths).map { cell, width in
            let text = cell.truncated(toCells: width, mark: style.ellipsis)
            return dress(text) + String(repeating: " ", count: width - CellWidth.of(text))
        }
        let line = texts.joined(separator: " \(style.quote) ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    private func gap(before place: Int) -> [String] { rows[place].afterGap ? ["  " + style.dim(style.ellipsis)] : [] }

    private func mark(_ place: Int) -> String { rows[place].mistake ? style.bad + " " : "  " }

    private func dressed(_ text: String, _ place: Int) -> String { rows[place].mistake ? style.red(text) : text }
}
