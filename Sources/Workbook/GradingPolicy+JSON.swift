import Foundation

/// `policy.json`: `{"deadline": "2026-12-01T23:59", "late": {"percent": 10, "per": "day"}, "points": {"FirstValue": {"core": 10}}}`.
extension GradingPolicy {
    public static let fileName = "policy.json"

    /// What is wrong in a policy's file.
    public enum Mistake: Error, Sendable, Equatable {
        case notJSON
        /// The place, what stands there, and what could stand there instead.
        case value(String, found: String, example: String)
        /// A key that says nothing, and those that do in its place.
        case key(String, known: [String])
    }

    /// - Parameter katas: the names that may have points.
    public init(json: Data, katas: [String], timeZone: TimeZone = .current) throws(Mistake) {
        guard let file = try? JSONDecoder().decode(JSONValue.self, from: json) else { throw .notJSON }
        let whole = try Self.object(file, at: "", example: "{}", keys: ["deadline", "late", "points"])
        switch whole["deadline"] {
        case nil, .null: break
        case let value?:
            guard case .text(let text) = value, let date = DateText(text, timeZone: timeZone) else {
                throw .value("deadline", found: value.json, example: "\"2026-12-01T23:59\"")
            }
            deadline = date
        }
        if let value = whole["late"], value != .null {
            let example = "{\"percent\": 10, \"per\": \"day\"}"
            let rule = try Self.object(value, at: "late", example: example, keys: ["percent", "per"])
            late.percent = try Self.number(rule["percent"], at: "late.percent", in: 0...100, example: "10") ?? 0
            if let value = rule["per"], value != .null {
                guard case .text(let text) = value, let span = LateRule.Span(rawValue: text) else {
                    throw .value("late.per", found: value.json, example: "\"day\"")
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
        guard case .object(let object) = value else { throw .value(place, found: value.json, example: example) }
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
            throw .value(place, found: value.json, example: example)
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

/// Any JSON, so that a mistake in it can be reported in words.
private enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// As it would be written, what is long cut short.
    var json: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value): Int(exactly: value).map { "\($0)" } ?? "\(value)"
        case .text(let value): value.count > 60 ? "\"\(value.prefix(60))…\"" : "\"\(value)\""
        case .list: "[…]"
        case .object: "{…}"
        }
    }
}
