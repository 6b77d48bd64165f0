import Workbook

/// Two histories as two lines on one axis of time, with the first difference marked.
///
///     expected  --1-----2--|
///     actual    --1--------|
///                       ^ 300 ms
public struct MarbleDrawing: Sendable, Equatable {
    public var expected: String
    public var actual: String
    /// The cell under which the two differ first, and the time there; `nil` where they are equal.
    public var difference: (column: Int, milliseconds: Double)?

    public static func == (left: MarbleDrawing, right: MarbleDrawing) -> Bool {
        left.expected == right.expected && left.actual == right.actual
            && left.difference?.column == right.difference?.column
            && left.difference?.milliseconds == right.difference?.milliseconds
    }

    /// What happens at one moment, in both histories.
    private struct Moment {
        var milliseconds: Double
        var expected: String
        var actual: String
        var differs: Bool { expected != actual }
        var width: Int { max(CellWidth.of(expected), CellWidth.of(actual), 1) }
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
        var lines = [String](repeating: cutsBefore ? ellipsis : "", count: 2)
        let shift = cutsBefore ? CellWidth.of(ellipsis) : 0
        for (moment, start) in zip(moments, starts) {
            for (row, label) in [moment.expected, moment.actual].enumerated() {
                guard !label.isEmpty else { continue }
                let gap = start + shift - CellWidth.of(lines[row])
                lines[row] += String(repeating: line, count: max(0, gap)) + label
            }
        }
        let width = lines.map { CellWidth.of($0) }.max() ?? 0
        for (row, history) in [marbles.expected, marbles.actual].enumerated() {
            if cutsAfter {
                lines[row] += String(repeating: line, count: width - CellWidth.of(lines[row])) + ellipsis
            } else if !["|", "x"].contains(history.last?.label) {
                // Nothing happens after an end; a history without one goes on as far as the other is drawn.
                lines[row] += String(repeating: line, count: width - CellWidth.of(lines[row]))
            }
        }
        expected = lines[0]
        actual = lines[1]
        if let index, index < moments.count {
            difference = (starts[index] + shift, moments[index].milliseconds)
        }
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
        let expected = labels(marbles.expected)
        let actual = labels(marbles.actual)
        return Set(expected.keys).union(actual.keys).sorted().map {
            Moment(milliseconds: $0, expected: expected[$0] ?? "", actual: actual[$0] ?? "")
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
