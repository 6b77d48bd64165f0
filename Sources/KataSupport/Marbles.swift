/// "Expected [a @300], got [a @200]" hides in time what a picture shows at a glance.
///
/// Draws histories on one axis of virtual time, with a mark under the first difference of expected and actual:
///
///     input     a-----b
///     expected  ---a-----b
///     actual    ---a--b
///                     ^
///     ms        0  100   300
///
/// The row of the input is left out where there was none.
public enum Marbles {
    public static func drawing(
        input: [Finding.MarblePair.Event] = [], expected: [Finding.MarblePair.Event],
        actual: [Finding.MarblePair.Event], width: Int = 72
    ) -> String {
        let rows = (input.isEmpty ? [] : [("input", input)]) + [("expected", expected), ("actual", actual)]
        let times = Set(rows.flatMap(\.1).map(\.milliseconds)).sorted()
        guard let last = times.last else { return "expected  -\nactual    -" }
        func label(_ events: [Finding.MarblePair.Event], at time: Double) -> String {
            let labels = events.filter { $0.milliseconds == time }.map(\.label)
            return labels.count > 1 ? "(\(labels.joined(separator: " ")))" : labels.first ?? ""
        }

        // Each time has its column: where the scale puts it, or further right if the label before it needs the room.
        let scale = last > 0 ? Double(width) / last : 0
        var columns: [Int] = []
        var free = 0
        for time in times {
            let column = max(free, Int((time * scale).rounded()))
            columns.append(column)
            let widest = rows.map { label($0.1, at: time).count }.max() ?? 0
            free = column + max(widest, 1) + 1
        }

        func line(_ name: String, _ events: [Finding.MarblePair.Event]) -> String {
            var text = ""
            for (time, column) in zip(times, columns) where !label(events, at: time).isEmpty {
                text += String(repeating: "-", count: column - text.count) + label(events, at: time)
            }
            return name.padded(to: 10) + (text.isEmpty ? "-" : text)
        }

        var lines = rows.map { line($0.0, $0.1) }
        let difference = zip(times, columns).first { label(expected, at: $0.0) != label(actual, at: $0.0) }
        if let difference { lines.append(String(repeating: " ", count: 10 + difference.1) + "^") }
        var axis = "ms".padded(to: 10)
        for (time, column) in zip(times, columns) where axis.count <= 10 + column {
            axis = axis.padded(to: 10 + column) + text(time) + " "
        }
        lines.append(axis)
        while let end = lines[lines.count - 1].last, end == " " { lines[lines.count - 1].removeLast() }
        return lines.joined(separator: "\n")
    }

    /// A moment with its unit.
    static func moment(_ milliseconds: Double, inSeconds: Bool) -> String {
        inSeconds ? text(milliseconds / 1000) + " s" : text(milliseconds) + " ms"
    }

    /// A number without needless digits.
    static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}
