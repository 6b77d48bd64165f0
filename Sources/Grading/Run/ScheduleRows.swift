import Workbook

/// Which steps of a schedule are drawn: those of the threads that took the turn from each other, around the switches between
/// them and up to the mistake.
enum ScheduleRows {
    static let most = 12
    /// How many rows are of interest before and after a switch, and before the end.
    private static let around = 2

    /// - Parameters:
    ///   - text: where the schedule interrupts a thread.
    ///   - race: the lines of a data race.
    static func chosen(of steps: [Schedule.Row], text: String, race: [Int] = []) -> [Schedule.Row] {
        let meeting = meeting(in: steps, of: race)
        guard let end = meeting ?? steps.lastIndex(where: \.mistake) ?? steps.indices.last else { return [] }
        var steps = Array(steps[...end])
        if meeting != nil { steps[end].mistake = true }
        let threads = threads(in: steps, text, race: race)
        let rows = collapsed(steps.filter { threads.contains($0.thread) })
        let kept = interesting(in: rows)
        return kept.enumerated().map { place, index in
            var row = rows[index]
            row.afterGap = index > (place == 0 ? 0 : kept[place - 1] + 1)
            return row
        }
    }

    /// Where a thread makes the second access of a data race, while another one stands before the first: what comes after it
    /// only ends the test.
    private static func meeting(in steps: [Schedule.Row], of race: [Int]) -> Int? {
        guard let first = race.first, let second = race.last else { return nil }
        // Where each thread stands.
        var lines: [Int: Int] = [:]
        for (place, step) in steps.enumerated() {
            let other = step.line == first ? second : step.line == second ? first : nil
            if let other, rank(step.does) > 1, lines.contains(where: { $0.key != step.thread && $0.value == other }) {
                return place
            }
            lines[step.thread] = step.line
        }
        return nil
    }

    /// A step that is the same as the one before it is shown once.
    static func withoutRepetitions(_ steps: [Schedule.Row]) -> [Schedule.Row] {
        var rows: [Schedule.Row] = []
        for step in steps {
            if let last = rows.last, (last.thread, last.line, last.does) == (step.thread, step.line, step.does) {
                rows[rows.count - 1].mistake = last.mistake || step.mistake
            } else {
                rows.append(step)
            }
        }
        return rows
    }

    /// The two threads that are drawn, and that of the mistake where it is a third one.
    private static func threads(in steps: [Schedule.Row], _ text: String, race: [Int]) -> Set<Int> {
        guard let last = steps.last else { return [] }
        let others = steps.reversed().filter { $0.thread != last.thread }
        if !race.isEmpty {
            let lines = Set(race).count > 1 ? Set(race).subtracting([last.line]) : Set(race)
            let met = others.first { lines.contains($0.line) } ?? others.first
            return Set([last.thread] + [met?.thread].compactMap(\.self))
        }
        let pairs = Schedule.switches(in: text, among: Set(steps.map(\.thread)))
        if let pair = pairs.last(where: { $0.contains(last.thread) }) ?? pairs.last {
            return last.mistake ? pair.union([last.thread]) : pair
        }
        return Set([last.thread] + others.prefix(1).map(\.thread))
    }

    /// While a thread stays on a line, that is one row. Of what it does there, the last is told that has an effect.
    private static func collapsed(_ steps: [Schedule.Row]) -> [Schedule.Row] {
        var rows: [Schedule.Row] = []
        for step in steps {
            guard let last = rows.last, last.thread == step.thread, last.line == step.line, !last.mistake else {
                rows.append(step)
                continue
            }
            if step.mistake || rank(step.does) >= rank(last.does) { rows[rows.count - 1] = step }
        }
        return rows
    }

    private static func rank(_ deed: Deed) -> Int {
        switch deed {
        case .writes, .changes: 3
        case .reads, .resumes: 2
        case .waits, .starts, .ends: 1
        case .locks, .unlocks, .calls: 0
        }
    }

    /// The places of the rows to show: the last, then those next to each switch from the last one back, then their neighbors.
    private static func interesting(in rows: [Schedule.Row]) -> [Int] {
        let switches = rows.indices.dropFirst().filter { rows[$0].thread != rows[$0 - 1].thread }
        var kept: Set<Int> = []
        for distance in 0...around {
            let places =
                [rows.count - 1 - distance] + switches.reversed().flatMap { [$0 + distance, $0 - 1 - distance] }
            for place in places where rows.indices.contains(place) && kept.count < most { kept.insert(place) }
        }
        return kept.sorted()
    }
}
