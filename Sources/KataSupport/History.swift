/// "Expected 1, 2, 3 but got 1, 3" is easy to see; whether a value is missing, late or in the wrong place is what a hint
/// has to know.
///
/// How two histories differ, and how a history is shown.
enum History {
    /// A history in one line; nothing at all is an empty text.
    static func text<Event>(_ events: [Event]) -> String {
        events.map { text(of: $0) }.joined(separator: ", ")
    }

    /// A value in one line. An empty text has quotes, and one that begins or ends with white space: its edges would not show.
    static func text<Value>(of value: Value) -> String {
        guard let string = value as? String else { return String(describing: value) }
        let isVisible = string.first?.isWhitespace == false && string.last?.isWhitespace == false
        return isVisible ? string : string.debugDescription
    }

    /// How what came differs from what was expected; nil where it does not.
    static func difference<Event: Equatable>(expected: [Event], actual: [Event]) -> Finding.Kind? {
        if actual == expected { return nil }
        if actual.isEmpty { return .nothing }
        let missing = expected.removing(actual)
        let extra = actual.removing(expected)
        switch (missing.isEmpty, extra.isEmpty) {
        case (true, true): return .reordered
        case (false, true): return .missing
        case (true, false): return .extra
        case (false, false): return .different
        }
    }

    /// The same for events with their virtual times: what comes in the right order may come at the wrong time.
    static func difference(
        expected: [Finding.MarblePair.Event], actual: [Finding.MarblePair.Event]
    ) -> Finding.Kind? {
        if let kind = difference(expected: expected.map(\.label), actual: actual.map(\.label)) { return kind }
        let first = zip(expected, actual).first { $0.milliseconds != $1.milliseconds }
        return first.map { $1.milliseconds > $0.milliseconds ? .late : .early }
    }
}

extension Array where Element: Equatable {
    /// The elements that are left when each of the others has taken one that equals it.
    func removing(_ others: [Element]) -> [Element] {
        var left = self
        for other in others {
            if let index = left.firstIndex(of: other) { left.remove(at: index) }
        }
        return left
    }
}
