import Foundation
import TestSupport
import Testing

/// `overrides.json`: what an instructor decides for single learners.
@Suite("overrides.json", .grades)
struct OverridesTests {
    private let scratch: ScratchFolder
    private let workbook: SmallWorkbook
    private let small: SmallClass

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
        small = try SmallClass(scratch("class"))
    }

    private func grade(_ more: String...) async throws -> Program.Run {
        let arguments = ["grade", scratch("class").path, "--report", scratch("report").path]
        return try await Program.run(arguments + more + Program.sandboxOption, in: workbook.folder)
    }

    private func add(_ learner: String, at date: Date) throws {
        try small.add(learner, SmallWorkbook.answer)
        try FileManager.default.setAttributes(
            [.modificationDate: date], ofItemAtPath: scratch("class/\(learner)/Greeting.swift").path)
    }

    private func write(_ overrides: String, in report: String = "report") throws {
        try Data(overrides.utf8).write(to: scratch("\(report)/overrides.json"))
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: scratch(path), encoding: .utf8)
    }

    /// The lines of `gradebook.csv`, by learner.
    private func rows(_ report: String = "report") throws -> [String: String] {
        let lines = try text("\(report)/gradebook.csv").components(separatedBy: "\r\n")
        return Dictionary(lines.map { (String($0.prefix { $0 != "," }), $0) }) { first, _ in first }
    }

    /// Ana and Ben are two days late, Eve is not.
    private func gradeLateClass() async throws {
        let date = try Date("2026-12-03T12:00:00Z", strategy: .iso8601)
        for learner in ["ana", "ben"] { try add(learner, at: date) }
        try add("eve", at: date - 3 * 86_400)
        let first = try await grade("--deadline", "2026-12-01T23:59Z")
        #expect(first.code == 0, "\(first.text)")
        try Data(#"{"deadline": "2026-12-01T23:59Z", "late": {"percent": 10, "per": "day"}}"#.utf8)
            .write(to: scratch("report/policy.json"))
    }

    @Test("The first report makes an empty file, and no later one replaces it")
    func made() async throws {
        try small.add("ana", SmallWorkbook.answer)
        #expect(try await grade().code == 0)
        #expect(try text("report/overrides.json") == "{\n\n}\n")
        let edited = #"{ "ana": {"comment": "Well done."} }"#
        try write(edited)
        #expect(try await grade().code == 0)
        #expect(try text("report/overrides.json") == edited)
    }

    @Test("A deadline of one's own, an excuse and other points count everywhere, and are said with their reason")
    func decisions() async throws {
        try await gradeLateClass()
        try write(
            """
            { "Ana": {"until": "2026-12-04", "reason": "was ill"},
              "ben": {"excused": true, "comment": "Thank you for writing."},
              "eve": {"points": {"Greeting": 70}, "reason": "copied the greeting"} }
            """)
        let run = try await grade()
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("eve: 70/100 points"), "\(run.output)")
        #expect(!run.output.contains("Late by"), "\(run.output)")
        let rows = try rows()
        #expect(rows["ana"]?.hasPrefix("ana,100,100,mastered,100,The deadline for this learner is 2026-12-04.") == true)
        #expect(rows["ben"]?.hasPrefix("ben,100,100,mastered,100,Nothing is deducted for lateness.") == true)
        #expect(rows["eve"]?.hasPrefix("eve,70,100,mastered,70,") == true)
        let said = "Points for `Greeting`, decided by the instructor: 70. The tests give 100."
        for file in ["pages/eve.html", "gradescope/eve.json", "junit/eve.xml", "gradebook.html", "gradebook.json"] {
            let text = try text("report/\(file)")
            #expect(text.contains(said) && text.contains("Reason: copied the greeting"), "\(file)")
        }
        #expect(try text("report/gradescope/eve.json").contains("\"score\":70"))
        #expect(try text("report/pages/ben.html").contains("Your instructor: Thank you for writing."))
    }

    @Test("changes.csv has what each report has changed, and why; a report that changes nothing adds nothing")
    func changes() async throws {
        try await gradeLateClass()
        #expect(!FileManager.default.fileExists(atPath: scratch("report/changes.csv").path))
        #expect(try await grade().code == 0)
        let first = try text("report/changes.csv").components(separatedBy: "\r\n").dropLast()
        #expect(first.first == "time,learner,kata,before,after,reason")
        #expect(first.count == 3)
        #expect(first.dropFirst().first?.contains(",ana,,100,80,\"Late by 36:00:01") == true)
        #expect(first.last?.contains(",ben,,100,80,") == true)
        try write(#"{ "ben": {"points": {"Greeting": 90}, "excused": true, "reason": "agreed"} }"#)
        #expect(try await grade().code == 0)
        let second = try text("report/changes.csv").components(separatedBy: "\r\n").dropLast().dropFirst(first.count)
        #expect(second.count == 2)
        #expect(second.allSatisfy { $0.contains(",ben,") && $0.contains("Reason: agreed") })
        #expect(second.first?.contains(",ben,,80,90,") == true)
        #expect(second.last?.contains(",ben,Greeting,100,90,") == true)
        let before = try text("report/changes.csv")
        #expect(try await grade().code == 0)
        #expect(try text("report/changes.csv") == before)
    }

    @Test("A merged report has the overrides of its parts, and its own count first")
    func merged() async throws {
        try await gradeLateClass()
        try write(#"{ "ana": {"excused": true}, "ben": {"excused": true} }"#)
        try FileManager.default.createDirectory(at: scratch("merged"), withIntermediateDirectories: true)
        try write(#"{ "ben": {"points": {"Greeting": 5}, "reason": "agreed"} }"#, in: "merged")
        // One learner may be named in two ways: the report's own word counts.
        let run = try await Program.run(
            ["merge", scratch("report").path, "--report", scratch("merged").path], in: workbook.folder)
        #expect(run.code == 0, "\(run.text)")
        let rows = try rows("merged")
        #expect(rows["ana"]?.hasPrefix("ana,100,") == true)
        #expect(rows["ben"]?.hasPrefix("ben,4,") == true)
    }

    @Test("With numbers in place of names, a learner is found by name, and no text has it")
    func anonymous() async throws {
        for learner in ["Quirine", "Xanthippe"] { try small.add(learner, SmallWorkbook.answer) }
        #expect(try await grade("--anonymous").code == 0)
        try write(#"{ "Quirine": {"points": {"Greeting": 60}, "reason": "Quirine was ill, says Xanthippe"} }"#)
        let run = try await grade("--anonymous")
        #expect(run.code == 0, "\(run.text)")
        let rows = try rows().values.joined()
        #expect(rows.contains(",60,100,") && rows.contains("was ill"))
        let changes = try text("report/changes-anonymous.csv")
        #expect(changes.contains(",100,60,"))
        for name in ["Quirine", "Xanthippe"] { #expect(!rows.contains(name) && !changes.contains(name)) }
    }

    @Test("Learners who are not in the class are named, and the report is complete")
    func unknownLearner() async throws {
        try small.add("ana", SmallWorkbook.answer)
        #expect(try await grade().code == 0)
        try write(#"{ "amy": {"excused": true} }"#)
        let run = try await grade()
        #expect(run.code == 0)
        #expect(
            run.errors.contains("`overrides.json` names learners who are not in this class: `amy`."), "\(run.errors)")
    }

    @Test("A name that is written in another way is another learner's; capitals do not matter")
    func names() async throws {
        for learner in ["anna", "ann-a", "🐢"] { try small.add(learner, SmallWorkbook.answer) }
        #expect(try await grade().code == 0)
        try write(
            #"{ "Anna": {"points": {"Greeting": 7}, "reason": "agreed"}, "🦊": {"points": {"Greeting": 8}, "reason": "x"} }"#
        )
        let run = try await grade()
        #expect(run.errors.contains("`🦊`") && !run.errors.contains("`Anna`"), "\(run.errors)")
        let rows = try rows()
        #expect(rows["anna"]?.hasPrefix("anna,7,") == true)
        #expect(rows["ann-a"]?.hasPrefix("ann-a,100,") == true && rows["🐢"]?.hasPrefix("🐢,100,") == true)
    }

    @Test("Two entries that say different things of one learner are an error, and the last report stays")
    func twice() async throws {
        try small.add("ana", SmallWorkbook.answer)
        #expect(try await grade().code == 0)
        let before = try text("report/gradebook.csv")
        try write(
            #"{ "ana": {"points": {"Greeting": 7}, "reason": "a"}, "ANA": {"points": {"Greeting": 8}, "reason": "b"} }"#
        )
        let run = try await grade()
        #expect(run.code == 3)
        #expect(
            run.errors.contains("these entries are about the same learner, but say different things: `ANA`, `ana`"),
            "\(run.errors)")
        #expect(try text("report/gradebook.csv") == before)
    }

    @Test(
        "What is wrong in it is reported before anything is graded",
        arguments: [
            (#"{"ana": {"untill": "2026-12-04"}}"#, "`ana.untill` is not a key that the grader knows."),
            (#"{"ana": {"until": "soon"}}"#, "`ana.until` is `\"soon\"`. Write, for example, `\"2026-12-01T23:59\"`"),
            (#"{"ana": {"points": {"Greting": 5}, "reason": "x"}}"#, "`ana.points.Greting` is not a key"),
            (#"{"ana": {"points": {"Greeting": 5}}}"#, "`ana.reason` is `null`."),
            (#"{"ana": {"excused": "yes"}}"#, "`ana.excused` is `\"yes\"`. Write, for example, `true`"),
            ("[]", "`overrides.json` is `[]`. Write, for example, "),
        ])
    func mistakes(overrides: String, message: String) async throws {
        try small.add("ana", SmallWorkbook.answer)
        try FileManager.default.createDirectory(at: scratch("report"), withIntermediateDirectories: true)
        try write(overrides)
        let run = try await grade()
        #expect(run.code == 3)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch("report/gradebook.json").path))
    }
}
