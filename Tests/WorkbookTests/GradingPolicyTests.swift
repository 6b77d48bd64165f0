import Foundation
import Testing

@testable import Workbook

@Suite("A date of the command line and of policy.json")
struct DateTextTests {
    @Test(
        "lasts for the whole day if it has no time, and for the whole minute if it has no seconds",
        arguments: [
            ("1970-01-02", 86_400, 172_799), ("1970-01-02T00:01", 86_460, 86_519),
            ("1970-01-02T00:01:05", 86_465, 86_465), ("1970-01-02 00:01", 86_460, 86_519),
            ("1970-01-02T07:01+07:00", 86_460, 86_519), ("1970-01-01T19:01-0500", 86_460, 86_519),
            ("1970-01-02T00:01:05.348137000Z", 86_465, 86_465), ("1970-01-02 00:01:05.5 Z", 86_465, 86_465),
        ])
    func understood(text: String, first: Int, last: Int) throws {
        let date = try #require(DateText(text, timeZone: .gmt))
        #expect(date.first == first && date.last == last)
        #expect(date.text == text)
    }

    @Test("is in this machine's time zone if it names none")
    func local() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 9 * 3600))
        #expect(DateText("1970-01-02T09:00", timeZone: zone)?.first == 86_400)
        #expect(DateText("1970-01-02T09:00Z", timeZone: zone)?.first == 86_400 + 9 * 3600)
    }

    @Test(
        "is refused if it is not a date",
        arguments: [
            "", "tomorrow", "2026-02-30", "2026-13-01", "2026-12-01T24:00", "2026-12-01T23:60", "01.12.2026",
            "2026-12-01T23", "2026-12-01T23:59+7",
        ])
    func refused(text: String) { #expect(DateText(text, timeZone: .gmt) == nil) }
}

@Suite("A file that a person edits")
struct RepeatedKeyTests {
    @Test(
        "has each key once in an object, however the key is written",
        arguments: [
            (#"{"a": 1, "a": 2}"#, "a"), (#"{"points": {"A": {"core": 1}, "B": 2, "A": {}}}"#, "points.A"),
            (#"{"a": [{"b": 1, "\u0062": 1}]}"#, "a.b"), (#"{"a\"": {}, "a\"": {}}"#, "a\""),
            (#"{"a": {"x": 1}, "b": {"x": "x", "y": ["x", "x"]}, "c": [{"x": 1}, {"x": 2}]}"#, nil),
            (#"{"a": "\": {\"a\": 1, \"a\": 1"}"#, nil), ("[]", nil),
        ])
    func repeated(json: String, key: String?) {
        #expect(JSONMistake.repeatedKey(in: Data(json.utf8)) == key.map(JSONMistake.keyTwice))
    }
}

@Suite("The policy of a class")
struct GradingPolicyTests {
    private static let hour = 3600
    private static let day = 86_400

    private func policy(percent: Int, _ span: GradingPolicy.LateRule.Span) -> GradingPolicy {
        var policy = GradingPolicy()
        policy.deadline = DateText("1970-01-01T00:00:00Z")
        policy.late = .init(percent: percent, span: span)
        return policy
    }

    @Test(
        "deducts a percentage of the points for each hour or day that has begun",
        arguments: [
            (10, GradingPolicy.LateRule.Span.day, 1, 10), (10, .day, day, 10), (10, .day, day + 1, 20),
            (10, .day, 9 * day + 1, 100), (10, .day, 400 * day, 100), (5, .hour, 1, 5), (5, .hour, hour + 1, 10),
            (0, .day, 3 * day, 0), (100, .hour, 1, 100), (33, .day, 3 * day, 99), (33, .day, 4 * day, 100),
        ])
    func lateRule(percent: Int, span: GradingPolicy.LateRule.Span, seconds: Int, taken: Int) {
        let lateness = policy(percent: percent, span).lateness(of: SubmissionTime(seconds: seconds))
        #expect(lateness == Lateness(seconds: seconds, percent: taken))
    }

    @Test(
        "uses the platform's time before the times of the files",
        arguments: [
            (SubmissionTime(seconds: 0), nil), (SubmissionTime(seconds: -5), nil), (SubmissionTime(), nil),
            (SubmissionTime(seconds: 5, isMarkedLate: false), nil),
            (SubmissionTime(seconds: -5, isMarkedLate: true), Lateness(seconds: nil, percent: 10)),
            (SubmissionTime(isMarkedLate: true), Lateness(seconds: nil, percent: 10)),
            (SubmissionTime(seconds: day + 1, isMarkedLate: true), Lateness(seconds: day + 1, percent: 20)),
        ] as [(SubmissionTime, Lateness?)])
    func sources(time: SubmissionTime, lateness: Lateness?) {
        #expect(policy(percent: 10, .day).lateness(of: time) == lateness)
        #expect(GradingPolicy().lateness(of: time) == nil)
    }

    @Test("takes nothing off in the minutes of grace, and never more than the most")
    func limits() {
        var policy = policy(percent: 10, .day)
        (policy.late.graceMinutes, policy.late.mostPercent) = (15, 25)
        #expect(policy.lateness(of: SubmissionTime(seconds: 15 * 60)) == nil)
        #expect(policy.lateness(of: SubmissionTime(seconds: 15 * 60, isMarkedLate: true)) == nil)
        #expect(
            policy.lateness(of: SubmissionTime(seconds: 15 * 60 + 1)) == Lateness(seconds: 15 * 60 + 1, percent: 10))
        #expect(
            policy.lateness(of: SubmissionTime(seconds: 9 * Self.day)) == Lateness(seconds: 9 * Self.day, percent: 25))
    }

    @Test("has another deadline for one learner, or none")
    func overrides() throws {
        let policy = policy(percent: 10, .day)
        var longer = Override()
        longer.until = DateText("1970-01-03T00:00:00Z")
        let end = try #require(longer.until).last
        let known = SubmissionTime(seconds: end, isMarkedLate: true)
        #expect(policy.lateness(of: known) != nil)
        #expect(policy.lateness(of: known, longer) == nil)
        // How late it is, only the platform's mark says, and that knows nothing of the other deadline.
        #expect(policy.lateness(of: SubmissionTime(isMarkedLate: true), longer) == nil)
        #expect(
            policy.lateness(of: SubmissionTime(seconds: end + 5), longer) == Lateness(seconds: 5, percent: 10))
        #expect(GradingPolicy().lateness(of: SubmissionTime(seconds: end + 5), longer)?.seconds == 5)
        var excused = Override()
        excused.isExcused = true
        #expect(policy.lateness(of: known, excused) == nil)
    }

    @Test(
        "rounds the remaining points to whole points",
        arguments: [(0, 13, 13), (10, 18, 16), (10, 3, 3), (50, 3, 2), (100, 18, 0), (99, 18, 0)])
    func reduced(percent: Int, points: Int, left: Int) {
        #expect(Lateness(seconds: 1, percent: percent).reduced(points) == left)
    }

    @Test("says how late in hours, minutes and seconds")
    func clock() {
        #expect(Lateness(seconds: 26 * 3600 + 183, percent: 0).clock == "26:03:03")
        #expect(Lateness(seconds: 5, percent: 0).clock == "0:00:05")
        #expect(Lateness(seconds: nil, percent: 0).clock == nil)
    }

    @Test(
        "distributes points in the same proportions as before, and loses none",
        arguments: [
            (10, [1, 1, 1], [3, 4, 3]), (2, [1, 1, 2], [1, 0, 1]), (0, [3, 2], [0, 0]), (7, [0, 0], [4, 3]),
            (6, [1, 2], [2, 4]), (5, [], []),
        ])
    func shares(sum: Int, weights: [Int], shares: [Int]) {
        #expect(Kata.shares(of: sum, by: weights) == shares)
    }

    private static let kata = Kata(
        kata: "Map", order: 1, phase: 1, interface: [],
        tests: [
            KataTest(id: "a", framework: .testing, tier: .core, points: 1, hint: "a"),
            KataTest(id: "b", framework: .testing, tier: .core, points: 1, hint: "b"),
            KataTest(id: "c", framework: .testing, tier: .robust, points: 2, hint: "c"),
        ])

    private func record(_ outcome: Verdict.Outcome) -> LearnerRecord {
        let tests = zip(Self.kata.tests, [TestVerdict.Outcome.passed, .failed, .passed]).map { test, outcome in
            TestVerdict(id: test.id, outcome: outcome, points: outcome == .passed ? test.points : 0)
        }
        return LearnerRecord(
            learner: "ana", sources: [],
            katas: [
                KataRecord(
                    verdict: Verdict(
                        kata: "Map", outcome: outcome, points: 3, maxPoints: 4, seconds: 1, diagnostics: [],
                        tests: tests))
            ])
    }

    @Test("gives a kata's tiers other points, and a learner those of the tests that passed")
    func scaled() {
        var policy = GradingPolicy()
        policy.points["Map"] = .init(core: 10)
        let kata = policy.scaled(Self.kata)
        #expect(kata.tests.map(\.points) == [5, 5, 2])
        let verdict = policy.scaled(record(.failed), katas: [kata]).katas[0].verdict
        #expect(verdict.points == 7 && verdict.maxPoints == 12)
        #expect(verdict.tests.map(\.points) == [5, 0, 2])
        #expect(policy.scaled(record(.rejected), katas: [kata]).katas[0].verdict.points == 0)
    }

    @Test("changes nothing by default")
    func standard() {
        let policy = GradingPolicy(katas: [Self.kata])
        #expect(policy.scaled(Self.kata) == Self.kata)
        #expect(policy.scaled(record(.failed), katas: [Self.kata]) == record(.failed))
        #expect(policy.deadline == nil)
    }

    private func read(_ json: String, katas: [String]) throws -> GradingPolicy {
        try GradingPolicy(JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)), katas: katas)
    }

    @Test("is read as it was written")
    func roundTrip() throws {
        var policy = GradingPolicy(katas: [Self.kata])
        policy.deadline = DateText("2026-12-01T23:59+07:00")
        policy.late = .init(percent: 5, span: .hour)
        (policy.late.graceMinutes, policy.late.mostPercent) = (15, 50)
        policy.release = Release(core: .hint2, robust: .points)
        let text = policy.json(katas: ["Map"])
        #expect(text.contains("    \"Map\": {\"core\": 2, \"robust\": 2}\n"))
        #expect(try read(text, katas: ["Map"]) == policy)
        #expect(try read(GradingPolicy().json(katas: []), katas: []) == GradingPolicy())
        #expect(try read("{}", katas: []) == GradingPolicy())
    }

    @Test(
        "says which value is wrong, and which values are allowed",
        arguments: [
            ("{\"deadline\": \"soon\"}", .value("deadline", found: "\"soon\"", example: "\"2026-12-01T23:59\"")),
            ("{\"deadline\": 5}", .value("deadline", found: "5", example: "\"2026-12-01T23:59\"")),
            ("{\"late\": {\"percent\": 250}}", .value("late.percent", found: "250", example: "10")),
            ("{\"late\": {\"percent\": 1.5}}", .value("late.percent", found: "1.5", example: "10")),
            ("{\"late\": {\"percent\": true}}", .value("late.percent", found: "true", example: "10")),
            ("{\"late\": {\"per\": \"week\"}}", .value("late.per", found: "\"week\"", example: "\"day\"")),
            ("{\"late\": {\"graceMinutes\": -1}}", .value("late.graceMinutes", found: "-1", example: "15")),
            ("{\"late\": {\"mostPercent\": 101}}", .value("late.mostPercent", found: "101", example: "50")),
            ("{\"release\": \"all\"}", .value("release", found: "\"all\"", example: "\"core=hint3,robust=titles\"")),
            ("{\"late\": 10}", .value("late", found: "10", example: "{\"percent\": 10, \"per\": \"day\"}")),
            ("{\"points\": {\"Map\": {\"core\": -1}}}", .value("points.Map.core", found: "-1", example: "10")),
            ("{\"points\": {\"Map\": 5}}", .value("points.Map", found: "5", example: "{\"core\": 10, \"robust\": 5}")),
            ("{\"points\": {\"Mapp\": {}}}", .key("points.Mapp", known: ["Map"])),
            ("{\"dedline\": null}", .key("dedline", known: ["deadline", "late", "points", "release"])),
            ("[]", .value("", found: "[]", example: "{}")),
        ] as [(String, JSONMistake)])
    func mistakes(json: String, mistake: JSONMistake) {
        #expect(throws: mistake) { try read(json, katas: ["Map"]) }
    }
}
