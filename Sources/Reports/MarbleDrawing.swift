import Workbook

/// Two histories as two lines on one axis of time, with the first difference marked, and above them what the test sent.
///
///     input     1-----2-|
///     expected  --1-----2--|
///     actual    --1--------|
///                       ^ 300 ms
public struct MarbleDrawing: Sendable, Equatable {
    /// `nil` where it is not known what the test sent.
    public var input: String?
    public var expected: String
    public var actual: String
    /// The cell under which the two differ first, and the time there; `nil` where they are equal.
    public var difference: (column: Int, milliseconds: Double)?

    public static func == (left: MarbleDrawing, right: MarbleDrawing) -> Bool {
        left.input == right.input && left.expected == right.expected && left.actual == right.actual
            && left.difference?.column == right.difference?.column
            && left.difference?.milliseconds == right.difference?.milliseconds
    }

    /// What happens at one moment, in each row.
    private struct Moment {
        var milliseconds: Double
        /// Input, expected, actual.
        var labels: [String]
        var differs: Bool { labels[1] != labels[2] }
        var width: Int { labels.reduce(1) { max($0, CellWidth.of($1)) } }
    }

    public init(_ marbles: Marbles, columns: Int, style: TextStyle) {
        let line: Character = style.isUnicode ? "─" : "-"
        let ellipsis = style.ellipsis
        let room = max(columns, 12) - 2 * CellWidth.of(ellipsis)
        // A label is cut only as far as it has to be.
        let cut = style.isUnicode ? "…" : "~"
        var moments = Self.moments(marbles, widest: max(room / 4, 3), cut)
        for widest in [room / 2, room] where moments.count < room {
            let wider = Self.moments(marbles, widest: widest, cut)
            if Self.narrowest(wider) <= room { moments = wider }
        }

        // Where not everything has room, the beginning that is the same goes first, and what comes after the difference
        // last. No more moments than cells are looked at, since a submission may make a million.
        var index = moments.firstIndex(where: \.differs)
        let start = max(0, min((index ?? 0) - room / 4, moments.count - room))
        var cutsBefore = start > 0
        var cutsAfter = moments.count > start + room
        moments = Array(moments[start..<min(start + room, moments.count)])
        index = index.map { $0 - start }
        while Self.narrowest(moments) > room, let difference = index, difference > 1 {
            moments.removeFirst()
            index = difference - 1
            cutsBefore = true
        }
        while Self.narrowest(moments) > room, moments.count > (index ?? 0) + 1 {
            moments.removeLast()
            cutsAfter = true
        }
        while Self.narrowest(moments) > room, let difference = index, difference > 0 {
            moments.removeFirst()
            index = difference - 1
            cutsBefore = true
        }

        let starts = Self.columns(of: moments, room: room)
        let rows = Self.rows(of: marbles)
        var lines = [String](repeating: cutsBefore ? ellipsis : "", count: rows.count)
        let shift = cutsBefore ? CellWidth.of(ellipsis) : 0
        for (moment, start) in zip(moments, starts) {
            for (row, label) in moment.labels.enumerated() where !label.isEmpty {
                let gap = start + shift - CellWidth.of(lines[row])
                lines[row] += String(repeating: line, count: max(0, gap)) + label
            }
        }
        let width = lines.map { CellWidth.of($0) }.max() ?? 0
        for (row, history) in rows.enumerated() {
            if cutsAfter {
                lines[row] += String(repeating: line, count: width - CellWidth.of(lines[row])) + ellipsis
            } else if !["|", "x"].contains(history.last?.label) {
                // Nothing happens after an end; a history without one goes on as far as the others are drawn.
                lines[row] += String(repeating: line, count: width - CellWidth.of(lines[row]))
            }
        }
        input = rows[0].isEmpty ? nil : lines[0]
        expected = lines[1]
        actual = lines[2]
        if let index, index < moments.count {
            difference = (starts[index] + shift, moments[index].milliseconds)
        }
    }

    private static func rows(of marbles: Marbles) -> [[Marbles.Event]] {
        [marbles.input ?? [], marbles.expected, marbles.actual]
    }

    private static func moments(_ marbles: Marbles, widest: Int, _ mark: String) -> [Moment] {
        func labels(_ events: [Marbles.Event]) -> [Double: String] {
            // A submission may claim any time; no axis is longer than eleven days.
            Dictionary(grouping: events.filter { !$0.milliseconds.isNaN }, by: { min(max($0.milliseconds, -1e9), 1e9) })
                .mapValues { group in
                    let labels = group.map { TextStyle.harmless($0.label).truncated(toCells: widest, mark: mark) }
                    guard labels.count > 1 else { return labels[0] }
                    return ("(" + labels.prefix(widest).joined(separator: " ") + ")")
                        .truncated(toCells: widest, mark: mark + ")")
                }
        }
        let rows = rows(of: marbles).map(labels)
        return Set(rows.flatMap(\.keys)).sorted().map { time in
            Moment(milliseconds: time, labels: rows.map { $0[time] ?? "" })
        }
    }

    /// The cells that the moments take with one cell between them.
    private static func narrowest(_ moments: [Moment]) -> Int { moments.reduce(0) { $0 + $1.width + 1 } }

    /// Where each moment begins: in proportion to its time as far as there is room, and never over the one before.
    private static func columns(of moments: [Moment], room: Int) -> [Int] {
        let origin = min(0, moments.first?.milliseconds ?? 0)
        var best = place(moments) { _ in 0 }
        for step in [1e6, 1e5, 1e4, 1e3, 100, 10, 1].flatMap({ [$0 * 5, $0 * 2, $0] }) + [0.5, 0.2, 0.1] {
            let exact = moments.map { ($0.milliseconds - origin) / step }
            let wanted = exact.map { Int($0.rounded()) }
            let starts = place(moments) { wanted[$0] }
            guard let start = starts.last, let moment = moments.last, start + moment.width <= room else { break }
            best = starts
            // As short as it can be while every moment stands where its time is.
            if starts == wanted, zip(wanted, exact).allSatisfy({ abs(Double($0) - $1) < 0.01 }) { break }
        }
        return best
    }

    private static func place(_ moments: [Moment], wanted: (Int) -> Int) -> [Int] {
        var next = 0
        return moments.indices.map { index in
            let start = max(wanted(index), next)
            next = start + moments[index].width + 1
            return start
        }
    }
}
