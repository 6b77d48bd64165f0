import Reports

/// A screen in three parts: what stays above, what may be longer than there is room for, what stays below.
struct ScreenParts: Sendable {
    var head: [String] = []
    var body: [String] = []
    var foot: [String] = []

    /// As many lines as the terminal has, each no wider than it.
    ///
    /// - Parameter more: says how many lines of the body are further down.
    func lines(_ size: Terminal.Size, scroll: Int, style: TextStyle, more: (Int) -> String) -> [String] {
        let head = Self.wrapped(head, size.columns, style)
        let foot = Self.wrapped(foot, size.columns, style)
        let body = Self.wrapped(body, size.columns, style)
        let room = size.rows - head.count - foot.count
        guard room >= 1 else { return Array((head + foot).prefix(size.rows)) }
        guard body.count > room else {
            return head + body + Array(repeating: "", count: room - body.count) + foot
        }
        let visible = Self.visible(body.count, room, size.columns, style, more)
        let offset = min(scroll, body.count - visible)
        let below = body.count - offset - visible
        let tale = below > 0 ? Self.wrapped([more(below)], size.columns, style).map(style.dim) : []
        let rest = (tale + Array(repeating: "", count: room)).prefix(room - visible)
        return head + body[offset..<offset + visible] + rest + foot
    }

    /// How many lines of a body that is longer than its room are seen: the others say that there is more.
    private static func visible(
        _ count: Int, _ room: Int, _ columns: Int, _ style: TextStyle, _ more: (Int) -> String
    ) -> Int {
        max(1, room - wrapped([more(count)], columns, style).count)
    }

    /// How far the body can be scrolled, so that a key that goes too far is not counted.
    func lastScroll(_ size: Terminal.Size, style: TextStyle, more: (Int) -> String) -> Int {
        let count = { Self.wrapped($0, size.columns, style).count }
        let room = size.rows - count(head) - count(foot)
        let body = count(body)
        return body > room ? max(0, body - Self.visible(body, room, size.columns, style, more)) : 0
    }

    static func wrapped(_ lines: [String], _ columns: Int, _ style: TextStyle) -> [String] {
        lines.flatMap(TextStyle.lines(of:)).flatMap { TextWrap.lines(style.folded($0), columns: columns) }
    }
}
