import Foundation

/// What an instructor decides for one learner, in place of what the policy says for all.
public struct Override: Sendable, Equatable {
    /// The learner's own deadline.
    public var until: DateText?
    /// Nothing is taken off, however late the submission is.
    public var isExcused = false
    /// The points of a kata, whatever its tests say.
    public var points: [String: Int] = [:]
    public var reason: String?
    /// What the learner is told besides.
    public var comment: String?

    public init() {}

    /// The same with the texts that the learner reads in other words.
    public func mapTexts(_ words: (String) -> String) -> Override {
        var result = self
        result.reason = reason.map(words)
        result.comment = comment.map(words)
        return result
    }

    /// - Parameters:
    ///   - place: the learner's key.
    ///   - katas: those that may have points.
    public init(_ json: JSONValue, at place: String, katas: [String], timeZone: TimeZone) throws(JSONMistake) {
        let example = "{\"until\": \"2026-12-08\", \"reason\": \"was ill\"}"
        let whole = try json.object(
            at: place, example: example, keys: ["until", "excused", "points", "reason", "comment"])
        until = try whole["until"]?.date(at: "\(place).until", timeZone)
        isExcused = try whole["excused"]?.bool(at: "\(place).excused") ?? false
        let given = try whole["points"]?.object(
            at: "\(place).points", example: "{\"\(katas.first ?? "")\": 80}", keys: katas)
        for (kata, points) in (given ?? [:]).sorted(by: { $0.key < $1.key }) {
            self.points[kata] = try points.whole(at: "\(place).points.\(kata)", in: 0...1_000_000, example: "80")
        }
        reason = try whole["reason"]?.text(at: "\(place).reason", example: "\"was ill\"")
        comment = try whole["comment"]?.text(at: "\(place).comment", example: "\"Well done.\"")
        // Points that no test has given need one for the learner who sees them, and for who asks in a year.
        if !points.isEmpty, reason == nil { throw .value("\(place).reason", found: "null", example: "\"was ill\"") }
    }
}
