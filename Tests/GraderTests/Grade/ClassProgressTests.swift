import Foundation
import TestSupport
import Testing

/// `grader progress`: several reports of a class as one view.
@Suite("grader progress", .grades)
struct ClassProgressTests {
    private let scratch: ScratchFolder
    private let workbook: SmallWorkbook
    private static let wrong = "public func greeting(_ name: String) -> String { \"\" + name }\n"

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
    }

    private func grade(_ week: String, _ answers: [String: String], _ more: String...) async throws {
        let small = try SmallClass(scratch("class-\(week)"))
        for (learner, answer) in answers { try small.add(learner, answer) }
        let run = try await Program.run(
            ["grade", small.folder.path, "--report", scratch(week).path, "--format", "csv"] + more
                + Program.sandboxOption, in: workbook.folder)
        #expect(run.code == 0, "\(run.text)")
    }

    private func progress(_ arguments: String...) async throws -> Program.Run {
        try await Program.run(["progress"] + arguments, in: scratch("."))
    }

    private func gradeTwoWeeks() async throws {
        try await grade(
            "week1", ["ana": SmallWorkbook.answer, "ben": SmallWorkbook.passing, "cho": SmallWorkbook.answer])
        try await grade("week2", ["Ana": Self.wrong, "ben": SmallWorkbook.answer, "dan": SmallWorkbook.passing])
    }

    /// Everything in a folder: paths, bytes and times.
    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: scratch(folder).path).sorted().map { path in
            let file = scratch("\(folder)/\(path)")
            let date = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            return "\(path) \(String(describing: date)) \((try? Data(contentsOf: file))?.hashValue ?? 0)"
        }
    }

    @Test("A line a learner, those who fell behind first; the reports stay as they are")
    func console() async throws {
        try await gradeTwoWeeks()
        let before = try files("week1") + files("week2")
        let run = try await progress("week1", "week2")
        #expect(run.code == 0, "\(run.text)")
        let lines = run.output.components(separatedBy: "\n")
        #expect(
            lines.prefix(7) == [
                "  Learner                              week1       week2    Total",
                "! Ana                             100 (100%)      0 (0%)  100/200",
                "! cho                             100 (100%)              100/200",
                "  ben                               60 (60%)  100 (100%)  160/200",
                "  dan                                           60 (60%)   60/200",
                "",
                "  Average of those who submitted         87%         53%",
            ], "\(run.output)")
        #expect(
            run.output.contains("! Fell behind: the score in the last report is at least 20 percentage points below"))
        #expect(try files("week1") + files("week2") == before)
    }

    @Test("--json has the same as one object")
    func json() async throws {
        try await gradeTwoWeeks()
        let run = try await progress("week1", "week2", "--json", "--language", "es")
        #expect(run.code == 0, "\(run.text)")
        let object = try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(Set(object.keys) == ["schema", "language", "reports", "learners", "themes"])
        #expect(object["schema"] as? Int == 1)
        let reports = try #require(object["reports"] as? [[String: Any]])
        #expect(reports.map { $0["report"] as? String } == ["week1", "week2"])
        #expect(reports.map { $0["handedIn"] as? Int } == [3, 3])
        let learners = try #require(object["learners"] as? [[String: Any]])
        for learner in learners {
            #expect(
                Set(learner.keys) == [
                    "learner", "number", "github", "email", "fellBehind", "points", "maxPoints", "results",
                ])
        }
        #expect(learners.map { $0["fellBehind"] as? Bool } == [true, true, false, false])
        let cho = try #require(learners[1]["results"] as? [Any])
        #expect((cho[0] as? [String: Any])?["share"] as? Double == 1)
        #expect(cho[1] is NSNull)
    }

    @Test("--report writes a page and a table, in no report's folder")
    func report() async throws {
        try await gradeTwoWeeks()
        let run = try await progress("week1", "week2", "--report", "term")
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("progress.html"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch("term").path).sorted() == [
                "progress.csv", "progress.html",
            ])
        #expect(
            try String(contentsOf: scratch("term/progress.csv"), encoding: .utf8).contains(
                "Ana,fell behind,100,100,0,0,100,200,,,"))
        let before = try files("week1")
        let refused = try await progress("week1", "week2", "--report", "week1/term")
        #expect(refused.code == 2)
        #expect(refused.errors.contains("Choose another folder for `--report`."), "\(refused.errors)")
        #expect(try files("week1") == before)
    }

    @Test("One report alone works, also one with numbers in place of names")
    func alone() async throws {
        try await grade("week1", ["Quirine": SmallWorkbook.answer, "Zebulon": SmallWorkbook.passing], "--anonymous")
        let run = try await progress("week1")
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("0001") && !run.text.contains("Quirine") && !run.output.contains("!"))
    }

    @Test("Numbers in place of names match only with one names.csv")
    func anonymous() async throws {
        let (first, second) = (
            ["Quirine": SmallWorkbook.answer], ["Quirine": Self.wrong, "Zebulon": SmallWorkbook.answer]
        )
        try await grade("week1", first, "--anonymous")
        try await grade("named", first)
        let mixed = try await progress("week1", "named")
        #expect(mixed.code == 3)
        #expect(
            mixed.errors.contains("`week1` has numbers in place of names, and `named` has names"), "\(mixed.errors)")
        try FileManager.default.createDirectory(at: scratch("week2"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: scratch("week1/names.csv"), to: scratch("week2/names.csv"))
        try await grade("week2", second, "--anonymous")
        let run = try await progress("week1", "week2")
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("! 0001"), "\(run.output)")
        try FileManager.default.removeItem(at: scratch("week2/names.csv"))
        let refused = try await progress("week1", "week2")
        #expect(refused.code == 3)
        #expect(refused.errors.contains("Copy `names.csv` from the first folder into the second"), "\(refused.errors)")
    }

    @Test(
        "What is no report is named, with what to do",
        arguments: [
            (nil, "There is no report in `week1`: it has no `gradebook.json`."),
            (#"{"schema": 2}"#, "`week1/gradebook.json` has schema 2, but this grader reads schema 1."),
            (#"{"schema": 1, "katas": [], "learn"#, "`week1/gradebook.json` is damaged"),
        ] as [(String?, String)])
    func mistakes(contents: String?, message: String) async throws {
        try FileManager.default.createDirectory(at: scratch("week1"), withIntermediateDirectories: true)
        if let contents { try Data(contents.utf8).write(to: scratch("week1/gradebook.json")) }
        let run = try await progress("week1")
        #expect(run.code == 3)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("It needs at least one report")
    func none() async throws {
        let run = try await progress()
        #expect(run.code == 2)
        #expect(run.errors.contains("progress REPORT …"), "\(run.errors)")
    }
}
