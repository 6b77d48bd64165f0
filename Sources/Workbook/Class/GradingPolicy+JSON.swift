import Foundation

/// `policy.json`: `{"deadline": "2026-12-01T23:59", "late": {"percent": 10, "per": "day"}, "points": {"FirstValue": {"core": 10}}}`.
extension GradingPolicy {
    public static let fileName = "policy.json"

    /// - Parameter katas: the names that may have points.
    public init(_ json: JSONValue, katas: [String], timeZone: TimeZone = .current) throws(JSONMistake) {
        let whole = try json.object(at: "", example: "{}", keys: ["deadline", "late", "points", "release"])
        deadline = try whole["deadline"]?.date(at: "deadline", timeZone)
        if let value = whole["late"] { late = try LateRule(value) }
        if let value = whole["release"] {
            guard case .text(let text) = value, let release = Release(text) else {
                throw .value("release", found: value.excerpt, example: "\"core=hint3,robust=titles\"")
            }
            self.release = release
        }
        let example = "{\"core\": 10, \"robust\": 5}"
        let byKata = try whole["points"]?.object(
            at: "points", example: "{\"\(katas.first ?? "")\": \(example)}", keys: katas)
        for (kata, value) in (byKata ?? [:]).sorted(by: { $0.key < $1.key }) {
            let place = "points.\(kata)"
            let tiers = try value.object(at: place, example: example, keys: ["core", "robust"])
            let range = 0...1_000_000
            points[kata] = try TierPoints(
                core: tiers["core"]?.whole(at: "\(place).core", in: range, example: "10"),
                robust: tiers["robust"]?.whole(at: "\(place).robust", in: range, example: "5"))
        }
    }

    /// The file, as a person edits it.
    ///
    /// - Parameter katas: the order in which they stand there.
    public func json(katas: [String]) -> String {
        let names = katas.filter { points[$0] != nil } + points.keys.filter { !katas.contains($0) }.sorted()
        let lines = names.map { name in
            let tiers = points[name] ?? TierPoints()
            let parts = [("core", tiers.core), ("robust", tiers.robust)].compactMap { tier, points in
                points.map { "\"\(tier)\": \($0)" }
            }
            return "    \"\(name)\": {\(parts.joined(separator: ", "))}"
        }
        let limits = "\"graceMinutes\": \(late.graceMinutes), \"mostPercent\": \(late.mostPercent)"
        return """
            {
              "deadline": \(deadline.map { "\"\($0.text)\"" } ?? "null"),
              "late": {"percent": \(late.percent), "per": "\(late.span.rawValue)", \(limits)},
              "release": \(release.map { "\"\($0)\"" } ?? "null"),
              "points": \(lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n  }")
            }

            """
    }
}

extension GradingPolicy.LateRule {
    fileprivate init(_ json: JSONValue) throws(JSONMistake) {
        self.init()
        let rule = try json.object(
            at: "late", example: "{\"percent\": 10, \"per\": \"day\"}",
            keys: ["percent", "per", "graceMinutes", "mostPercent"])
        percent = try rule["percent"]?.whole(at: "late.percent", in: 0...100, example: "10") ?? percent
        if let value = rule["per"] {
            guard case .text(let text) = value, let span = Span(rawValue: text) else {
                throw .value("late.per", found: value.excerpt, example: "\"day\"")
            }
            self.span = span
        }
        graceMinutes =
            try rule["graceMinutes"]?.whole(at: "late.graceMinutes", in: 0...1_000_000, example: "15") ?? graceMinutes
        mostPercent = try rule["mostPercent"]?.whole(at: "late.mostPercent", in: 0...100, example: "50") ?? mostPercent
    }
}
