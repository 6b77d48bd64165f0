import Foundation
import TestSupport
import Testing

@Suite("Marks go back to the platform that the class came from", .grades)
struct PlatformMarksTests {
    private let scratch: ScratchFolder
    private let workbook: SmallWorkbook
    private let small: SmallClass

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
        small = try SmallClass(scratch("class"))
    }

    private func grade(_ options: String...) async throws -> Program.Run {
        try await Program.run(
            ["grade", scratch("class").path, "--report", scratch("report").path] + options + Program.sandboxOption,
            in: workbook.folder)
    }

    private func text(_ file: String) throws -> String { try String(contentsOf: scratch(file), encoding: .utf8) }

    private func learners(_ report: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: scratch("\(report)/gradebook.json"))
        let book = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return try #require(book["learners"] as? [[String: Any]])
    }

    // MARK: The roster

    @Test("Who is in the roster and handed in nothing has a row with 0 points, and who is not in the roster is named")
    func roster() async throws {
        try small.add("Ana Lee_7_assignsubmission_file_", SmallWorkbook.answer)
        try small.add("Zed_9_assignsubmission_file_", SmallWorkbook.answer)
        try small.write("number,name\n7,Ana L.\n8,Bob Ray\n", to: "roster.csv")
        let run = try await grade()
        #expect(run.code == 0, "\(run.text)")
        #expect(run.errors.contains("Zed: This learner is not in `roster.csv`."))
        #expect(!run.errors.contains("Ana Lee"))
        let lines = try text("report/gradebook.csv").components(separatedBy: "\r\n")
        #expect(lines.contains("Bob Ray,0,100,not handed in,,,8,,,"))
        #expect(lines.contains { $0.hasPrefix("Ana Lee,100,100,mastered,100,,7,") })
        let bob = try #require(try learners("report").first { $0["learner"] as? String == "Bob Ray" })
        let kata = try #require((bob["katas"] as? [[String: Any]])?.first)
        #expect(kata["handedIn"] as? Bool == false && kata["points"] as? Int == 0)
        #expect(try text("report/pages/Bob Ray.html").contains("Greeting.swift"))
        #expect(FileManager.default.fileExists(atPath: scratch("report/gradescope/Bob Ray.json").path))
    }

    @Test("A roster is applied to the merged class, and not to one of its parts")
    func shards() async throws {
        for name in ["ana", "bob", "cleo", "dan"] { try small.add(name, SmallWorkbook.answer) }
        try small.write("name;email\nana;\nbob;\nCleo;\ndan;\neve;e@x.org\n", to: "roster.csv")
        for shard in 1...2 {
            let run = try await Program.run(
                [
                    "grade", scratch("class").path, "--report", scratch("part\(shard)").path, "--shard", "\(shard)/2",
                ] + Program.sandboxOption, in: workbook.folder)
            #expect(run.code == 0, "\(run.text)")
            #expect(try !learners("part\(shard)").contains { $0["learner"] as? String == "eve" })
        }
        let run = try await Program.run(
            ["merge", scratch("part1").path, scratch("part2").path, "--report", scratch("report").path],
            in: workbook.folder)
        #expect(run.code == 0 && !run.errors.contains("roster"), "\(run.text)")
        let names = try learners("report").compactMap { $0["learner"] as? String }
        #expect(names == ["ana", "bob", "cleo", "dan", "eve"])
        #expect(try learners("report").last?["email"] as? String == "e@x.org")
    }

    @Test(
        "A roster that says of nobody who they are, or of somebody twice, is reported before anything is graded",
        arguments: [
            ("Vorname,Nachname\nAna,Lee\n", "`Vorname`, `Nachname`"),
            ("name\nAna\nBob\nAna\n", "`Ana` is in `roster.csv` twice"),
        ])
    func rosterMistakes(roster: String, message: String) async throws {
        try small.add("ana", SmallWorkbook.answer)
        try small.write(roster, to: "roster.csv")
        let run = try await grade()
        #expect(run.code == 3)
        #expect(run.errors.contains(message), "\(run.text)")
        #expect(!run.output.contains("points"))
    }

    @Test("With --anonymous, who is absent has a number too")
    func anonymousRoster() async throws {
        try small.add("ana", SmallWorkbook.answer)
        try small.write("name,email\nana,ana@x.org\nBob Ray,bob@x.org\n", to: "roster.csv")
        let run = try await grade("--anonymous", "--format", "csv")
        #expect(run.code == 0, "\(run.text)")
        let table = try text("report/gradebook.csv") + text("report/gradebook.json")
        #expect(table.contains("0001,") && table.contains("0002,"))
        #expect(!table.lowercased().contains("bob") && !table.contains("x.org"))
        #expect(try text("report/names.csv").contains("Bob Ray"))
    }

    // MARK: Moodle

    private static let worksheet =
        "\u{FEFF}Identifier,\"Full name\",\"ID number\",\"Email address\",Status,Grade,\"Maximum grade\",\"Grade can be changed\","
        + "\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n"
        + "\"Participant 9\",\"Zoë \"\"Z\"\" Day\",,z@x.org,\"Not submitted\",,10.00,Yes,-,-,\r\n"
        + "\"Participant 7\",\"Ana Lee\",007,a@x.org,\"Submitted for grading\",3.00,10.00,Yes,\"Friday, 27 November\",-,\"old,\nnote\"\r\n"
        + "\"Participant 8\",\"Bob Ray\",,b@x.org,\"Submitted for grading\",5.00,10.00,No,-,-,\r\n"

    @Test("Moodle's worksheet gets grades in its own scale and comments, and every other byte stays")
    func moodleWorksheet() async throws {
        try small.add("Ana Lee_7_assignsubmission_file_", SmallWorkbook.passing)
        try small.add("Bob Ray_8_assignsubmission_file_", SmallWorkbook.answer)
        try small.add("Gus_11_assignsubmission_file_", SmallWorkbook.answer)
        try small.write(Self.worksheet, to: "Grades-KATAS-1.csv")
        let run = try await grade("--format", "moodle")
        #expect(run.code == 0, "\(run.text)")
        let expected = Self.worksheet.replacing("3.00,10.00", with: "6.00,10.00")
            .replacing("\"old,\nnote\"", with: "\"Greeting: passed, 60/100 points\"")
        #expect(try Data(contentsOf: scratch("report/moodle/grades.csv")) == Data(expected.utf8))
        #expect(run.errors.contains("are not in `moodle/grades.csv`: `Gus`. Enter them"))
        let feedback = try text("report/moodle/feedback/Ana Lee_7_assignsubmission_file_/feedback.html")
        #expect(feedback.contains("I greet") && !feedback.contains("Bob"))
        // It is not written where it is not asked for, and is there no more when its learner is gone.
        try FileManager.default.removeItem(at: scratch("class/Gus_11_assignsubmission_file_"))
        #expect(try await grade("--format", "moodle").code == 0)
        #expect(
            try scratch.names(in: "report/moodle/feedback") == [
                "Ana Lee_7_assignsubmission_file_", "Bob Ray_8_assignsubmission_file_",
            ])
    }

    @Test("A name says whose row it is only where one row and one learner have it")
    func names() async throws {
        try small.add("Jane Doe", SmallWorkbook.answer)
        try small.add("Li, Wei", SmallWorkbook.answer)
        try small.add("Zoë Day", SmallWorkbook.answer)
        let row = { (number: Int, name: String) in "Participant \(number),\(name),,,100.00,Yes,-\n" }
        let worksheet =
            "Identifier,Full name,Grade,Status,Maximum Grade,Grade can be changed,Last modified (grade)\n"
            + row(1, "Jane Doe") + row(2, "Jane Doe") + row(3, "Wei") + row(4, "Zoë Day")
        try small.write(worksheet, to: "moodle.csv")
        let run = try await grade("--format", "moodle")
        #expect(run.code == 0, "\(run.text)")
        let expected = worksheet.replacing("Zoë Day,,", with: "Zoë Day,100.00,")
        #expect(try text("report/moodle/grades.csv") == expected)
        #expect(run.errors.contains("`Jane Doe`") && run.errors.contains("`Li, Wei`"), "\(run.errors)")
    }

    @Test("Without a worksheet, one is made of the numbers in the export's names; who is absent gets 0")
    func moodleWithoutWorksheet() async throws {
        try small.add("O_Neil_7_assignsubmission_file_", SmallWorkbook.answer)
        try small.write("Identifier,Full name\nParticipant 7,O Neil\nParticipant 8,\"Ray, Bob\"\n", to: "roster.csv")
        let run = try await grade("--format", "moodle")
        #expect(run.code == 0, "\(run.text)")
        let lines = try text("report/moodle/grades.csv").split(separator: "\n")
        #expect(lines.count == 3)
        #expect(
            lines[0].hasPrefix("Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"))
        #expect(lines[1] == "Participant 7,O_Neil,,,100.00,100.00,Yes,-,-,\"Greeting: mastered, 100/100 points\"")
        #expect(lines[2].hasPrefix("Participant 8,\"Ray, Bob\",,,0.00,100.00,Yes,-,-,\"Greeting: not handed in,"))
        // What stands before the first `_` is the name, and after it comes the number.
        let folders = try scratch.names(in: "report/moodle/feedback")
        #expect(folders == ["O Neil_7_assignsubmission_file_", "Ray, Bob_8_assignsubmission_file_"])
    }

    @Test("The worksheet in the archive of a class is kept, also for marks of a class that was graded without names")
    func moodleArchive() async throws {
        let files = [
            ("Ana Lee_7_assignsubmission_file_/Greeting.swift", SmallWorkbook.answer),
            ("Bob Ray_8_assignsubmission_file_/Greeting.swift", SmallWorkbook.answer),
            ("Grades.csv", Self.worksheet),
        ]
        let zip = ZipFile(members: files.map { .init(name: $0, content: Data($1.utf8)) })
        try zip.data().write(to: scratch("class.zip"))
        let run = try await Program.run(
            ["grade", scratch("class.zip").path, "--report", scratch("part").path, "--anonymous"]
                + Program.sandboxOption, in: workbook.folder)
        #expect(run.code == 0, "\(run.text)")
        #expect(!FileManager.default.fileExists(atPath: scratch("part/moodle").path))
        let merged = try await Program.run(
            ["merge", scratch("part").path, "--report", scratch("report").path, "--format", "moodle"],
            in: workbook.folder)
        #expect(merged.code == 0, "\(merged.text)")
        #expect(try text("report/moodle/grades.csv").contains(",10.00,10.00,Yes,\"Friday, 27 November\""))
    }

    // MARK: Canvas

    private static let gradebook =
        "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Katas (501),Final Score\r\n"
        + ",,,,,,Manual Posting,\r\n"
        + "    Points Possible,,,,,,50.00,(read only)\r\n"
        + "\"Doe, Jane\",8,u8,jane@x.org,\"Group 1 and Group 2\",,,12.00\r\n"
        + "\"Ray, Bob\",9,u9,bob@x.org,Group 1,asked,EX,0.00\r\n"
        + "\"Student, Test\",99,,x,Group 1,,,\r\n"

    @Test("Canvas's gradebook gets the assignment's points, and every other byte stays; who is excused stays so")
    func canvasGradebook() async throws {
        try small.write(SmallWorkbook.passing, to: "doejane_8_1_Greeting.swift")
        try small.write(SmallWorkbook.answer, to: "raybob_9_2_Greeting.swift")
        try small.write(Self.gradebook, to: "canvas.csv")
        let run = try await grade("--format", "canvas")
        #expect(run.code == 0, "\(run.text)")
        let expected = Self.gradebook.replacing(",,,12.00", with: ",,30.00,12.00")
        #expect(try text("report/canvas/grades.csv") == expected)
        #expect(!run.errors.contains("canvas/grades.csv"))
    }

    @Test("Without a gradebook, one is made of the numbers in the names of the files; a learner's table is none")
    func canvasWithoutGradebook() async throws {
        // Canvas keeps a `_` of a learner's name, and hides the name where marks are anonymous.
        for file in ["doejane_8_2_canvas.csv", "doe_jane_8_3_g.csv", "anon_aB3xZ_4_g.csv"] {
            try small.write("Student,ID,Section,Exam (7)\nRay,9,,100\n", to: file)
        }
        try small.write(SmallWorkbook.answer, to: "doejane_8_1_Greeting.swift")
        let run = try await grade("--format", "canvas")
        #expect(run.code == 0, "\(run.text)")
        #expect(
            try text("report/canvas/grades.csv")
                == "Student,ID,SIS User ID,SIS Login ID,Section,Greeting\n"
                + "    Points Possible,,,,,100.00\ndoejane,8,,,,100.00\n")
    }

    @Test("Of a gradebook with several assignments, the command asks for the one that is meant before it grades")
    func canvasSeveral() async throws {
        try small.write(SmallWorkbook.answer, to: "doejane_8_1_Greeting.swift")
        try small.write("Student,ID,Section,A (1),B (2)\n", to: "canvas.csv")
        let run = try await grade("--format", "canvas")
        #expect(run.code == 3)
        #expect(run.errors.contains("several assignments: `A (1)`, `B (2)`"), "\(run.text)")
        #expect(!run.output.contains("points"))
        // The gradebook says nothing against other formats.
        #expect(try await grade("--format", "csv").code == 0)
    }

    @Test("Formats that name learners are refused with --anonymous", arguments: ["moodle", "canvas"])
    func anonymous(format: String) async throws {
        let run = try await grade("--anonymous", "--format", format)
        #expect(run.code == 2)
        #expect(run.errors.contains("--format \(format)") && run.errors.contains("--anonymous"))
    }
}
