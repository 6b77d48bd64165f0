import Foundation

/// `policy.json`: `{"deadline": "2026-12-01T23:59", "late": {"percent": 10, "per": "day"}, "points": {"FirstValue": {"core": 10}}}`.
extension GradingPolicy {
    public static let fileName = "policy.json"

    /// What is wrong in a policy's file.
    public enum Mistake: Error, Sendable, Equatable {
        /// The place, what stands there, and what could stand there instead.
        case value(String, found: String, example: String)
        /// A key that says nothing, and those that do in its place.
        case key(String, known: [String])
    }

    /// - Parameter katas: the names that may have points.
    public init(_ json: JSONValue, katas: [String], timeZone: TimeZone = .current) throws(Mistake) {
        let whole = try Self.object(json, at: "", example: "{}", keys: ["deadline", "late", "points"])
        switch whole["deadline"] {
        case nil, .null: break
        case let value?:
            guard case .text(let text) = value, let date = DateText(text, timeZone: timeZone) else {
                throw .value("deadline", found: value.excerpt, example: "\"2026-12-01T23:59\"")
            }
            deadline = date
        }
        if let value = whole["late"], value != .null {
            let example = "{\"percent\": 10, \"per\": \"day\"}"
            let rule = try Self.object(value, at: "late", example: example, keys: ["percent", "per"])
            late.percent = try Self.number(rule["percent"], at: "late.percent", in: 0...100, example: "10") ?? 0
            if let value = rule["per"], value != .null {
                guard case .text(let text) = value, let span = LateRule.Span(rawValue: text) else {
                    throw .value("late.per", found: value.excerpt, example: "\"day\"")
                }
                late.span = span
            }
        }
        if let value = whole["points"], value != .null {
            let example = "{\"core\": 10, \"robust\": 5}"
            let byKata = try Self.object(
                value, at: "points", example: "{\"\(katas.first ?? "")\": \(example)}", keys: katas)
            for (kata, value) in byKata where value != .null {
                let place = "points.\(kata)"
                let tiers = try Self.object(value, at: place, example: example, keys: ["core", "robust"])
                let range = 0...1_000_000
                points[kata] = try TierPoints(
                    core: Self.number(tiers["core"], at: "\(place).core", in: range, example: "10"),
                    robust: Self.number(tiers["robust"], at: "\(place).robust", in: range, example: "5"))
            }
        }
    }

    private static func object(
        _ value: JSONValue, at place: String, example: String, keys: [String]
    ) throws(Mistake) -> [String: JSONValue] {
        guard case .object(let object) = value else { throw .value(place, found: value.excerpt, example: example) }
        if let key = object.keys.filter({ !keys.contains($0) }).min() {
            throw .key(place.isEmpty ? key : "\(place).\(key)", known: keys)
        }
        return object
    }

    private static func number(
        _ value: JSONValue?, at place: String, in range: ClosedRange<Int>, example: String
    ) throws(Mistake) -> Int? {
        guard let value, value != .null else { return nil }
        guard case .number(let number) = value, let whole = Int(exactly: number), range.contains(whole) else {
            throw .value(place, found: value.excerpt, example: example)
        }
        return whole
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
        return """
            {
              "deadline": \(deadline.map { "\"\($0.text)\"" } ?? "null"),
              "late": {"percent": \(late.percent), "per": "\(late.span.rawValue)"},
              "points": \(lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n  }")
            }

            """
    }
}
