import Foundation
import TestSupport
import Testing
import Workbook

@Suite("grader grade", .grades)
struct GradeTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func grader(_ workbook: SmallWorkbook, _ arguments: String...) async throws -> Program.Run {
        let option = ["grade", "check"].contains(arguments.first) ? Program.sandboxOption : []
        return try await Program.run(arguments + option, in: workbook.folder)
    }

    private func json(_ file: URL) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    /// A report's files, without the times in them.
    private func files(_ report: URL) throws -> [String: String] {
        var files: [String: String] = [:]
        let names = try FileManager.default.subpathsOfDirectory(atPath: report.path)
        for name in names where !name.hasPrefix(".") {
            guard let data = FileManager.default.contents(atPath: report.appendingPathComponent(name).path) else {
                continue
            }
            files[name] = String(decoding: data, as: UTF8.self)
                .replacing(/("seconds":|"execution_time":|time=")[0-9.e-]+/) { String($0.output.1) + "0" }
        }
        return files
    }

    @Test("Every learner has an entry, honest or hostile, and no submission changes another learner's entry")
    func entries() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.add("ana", SmallWorkbook.answer)
        try small.add("bob", SmallWorkbook.answer)
        try small.add("cleo", SmallWorkbook.passing)
        try small.add("dan", SmallWorkbook.stub)
        try small.add("eve", "import Foundation\npublic func greeting(_ name: String) -> String { exit(0) }\n")
        try small.add("kim", "import Glibc\n" + SmallWorkbook.answer)
        try small.add("fay", "public func greeting(_ name: String) -> String { nothing }\n")
        try small.add("=gus\"<b>", SmallWorkbook.answer)
        try FileManager.default.createDirectory(at: scratch("class/hal"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: scratch("class/hal/Greeting.swift").path, withDestinationPath: "/etc/passwd")
        try Data("hello".utf8).write(to: scratch("class/notes.txt"))
        try Data("none".utf8).write(to: scratch("class/.hidden"))
        try Data("not an archive".utf8).write(to: scratch("class/ida.zip"))

        let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
        #expect(run.code == 0, "\(run.text)")
        #expect(run.output.contains("ana: 100/100 points"))
        // The reason for a rejection is in the places where an instructor looks first.
        let rejection = "A kata may not use `exit`"
        #expect(run.output.contains("eve: 0/100 points\n    Greeting.swift:2:50: error: \(rejection)"))
        // So is the reason to look at an answer that is mastered.
        #expect(run.output.contains("kim: 100/100 points"))
        let look = "Worth a look: Greeting.swift:1: The C library is imported: `Glibc`."
        #expect(run.output.contains("Worth a look: 1\nkim: \(look)"))
        let table = try String(contentsOf: scratch("report/gradebook.csv"), encoding: .utf8).split(separator: "\r\n")
        #expect(table.contains { $0.hasPrefix("eve,") && $0.contains(rejection) })
        let book = try json(scratch("report/gradebook.json"))
        let learners = try #require(book["learners"] as? [[String: Any]])
        let outcomes = learners.map { learner in
            let kata = (learner["katas"] as? [[String: Any]])?.first
            return [learner["learner"] as? String, kata?["outcome"] as? String]
        }
        #expect(
            outcomes == [
                ["=gus\"<b>", "mastered"], ["ana", "mastered"], ["bob", "mastered"], ["cleo", "passed"],
                ["dan", "notStarted"], ["eve", "rejected"], ["fay", "didNotCompile"], ["hal", "rejected"],
                ["ida", "rejected"], ["kim", "mastered"], ["notes.txt", nil],
            ])
        let identical = try #require(book["identical"] as? [[String: Any]])
        #expect(identical.map { $0["learners"] as? [String] } == [["=gus\"<b>", "ana", "bob"]])
        let problems = learners.filter { $0["problem"] is String }.compactMap { $0["learner"] as? String }
        #expect(problems == ["hal", "ida", "notes.txt"])
        for file in [
            "gradebook.csv", "gradebook.html", "pages/ana.html", "junit/ana.xml", "gradescope/ana.json",
            "exercism/ana/Greeting.json",
        ] {
            #expect(FileManager.default.fileExists(atPath: scratch("report/\(file)").path), "\(file)")
        }
    }

    @Test("What a platform knows of its learners is in columns of the gradebook")
    func identities() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.add("Ana_7_assignsubmission_file_", SmallWorkbook.answer)
        try Data(SmallWorkbook.answer.utf8).write(to: scratch("class/kim_LATE_8_9_Greeting.swift"))
        for user in ["octocat", "hubot"] {
            try small.add("katas-\(user)", SmallWorkbook.answer)
            try FileManager.default.createDirectory(
                at: scratch("class/katas-\(user)/.git"), withIntermediateDirectories: true)
        }
        let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
        #expect(run.code == 0, "\(run.text)")
        let table = try String(contentsOf: scratch("report/gradebook.csv"), encoding: .utf8)
        let lines = table.components(separatedBy: "\r\n")
        #expect(lines[0].hasSuffix(",Note,Number,GitHub,Email,Late"))
        #expect(lines.contains("Ana,100,100,mastered,100,,7,,,"))
        #expect(lines.contains("kim,100,100,mastered,100,,8,,,late"))
        #expect(lines.contains("katas-octocat,100,100,mastered,100,,,octocat,,"))
        let learners = try json(scratch("report/gradebook.json"))["learners"] as? [[String: Any]] ?? []
        let kim = try #require(learners.first { $0["learner"] as? String == "kim" })
        #expect(kim["number"] as? String == "8" && kim["late"] as? Bool == true && kim["github"] is NSNull)
    }

    @Test("A number that two entries have is reported at both of them, also in a merged report")
    func sharedNumbers() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        for name in ["Ana_7", "Bob_7", "Cleo_8"] {
            try small.add("\(name)_assignsubmission_file_", SmallWorkbook.answer)
        }
        for (command, report) in [
            ("grade \(scratch("class").path)", "report"), ("merge \(scratch("report").path)", "merged"),
        ] {
            let command = command.split(separator: " ").map(String.init) + ["--report", scratch(report).path]
            let option = report == "report" ? Program.sandboxOption : []
            let run = try await Program.run(command + option, in: workbook.folder)
            #expect(run.code == 0, "\(run.text)")
            func note(_ other: String) -> String { "The same `number` also belongs to: \(other)." }
            #expect(run.errors.contains("Ana: \(note("Bob"))") && run.errors.contains("Bob: \(note("Ana"))"))
            let learners = try json(scratch("\(report)/gradebook.json"))["learners"] as? [[String: Any]] ?? []
            let notes = learners.map { ($0["notes"] as? [String])?.joined() ?? "" }
            #expect(notes.count == 3 && notes[0].hasPrefix(note("Bob")) && notes[1].hasPrefix(note("Ana")))
            #expect(notes.last == "")
            #expect(try table(report)[1].contains(note("Bob")))
            let page = try String(contentsOf: scratch("\(report)/gradebook.html"), encoding: .utf8)
            #expect(page.contains(note("Bob")) && page.contains(note("Ana")))
            // Learners do not read of each other.
            let own = try String(contentsOf: scratch("\(report)/pages/Ana.html"), encoding: .utf8)
            #expect(!own.contains("Bob"))
        }
    }

    @Test("In a class's archive, one learner's file name takes nothing from the others", .needs(.unzip))
    func oddNames() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let answer = Data(SmallWorkbook.answer.utf8)
        let thai = String(repeating: "\u{E01}", count: 75)
        let names = [
            "Ana_1_assignsubmission_file_Greeting.swift", "\(thai)_2_assignsubmission_file_Greeting.swift",
            "Eve_3_assignsubmission_file_notes\\..\\todo.txt", "Eve_3_assignsubmission_file_Greeting.swift",
            "Ida_4_assignsubmission_file_\\..\\Greeting.swift",
        ]
        try ZipFile(members: names.map { .init(name: $0, content: answer) }).data().write(to: scratch("class.zip"))
        let run = try await grader(workbook, "grade", scratch("class.zip").path, "--report", scratch("report").path)
        #expect(run.code == 0, "\(run.text)")
        let leftOut = "These files were left out"
        #expect(run.output.contains("Eve: 100/100 points\n    \(leftOut)"), "\(run.output)")
        let lines = try table("report")
        for line in ["Ana,100,100,mastered,100,,1,,,", "\(thai),100,100,mastered,100,,2,,,"] {
            #expect(lines.contains(line), "\(lines)")
        }
        let eve = try #require(lines.first { $0.hasPrefix("Eve,100,100,mastered,100,") })
        #expect(eve.contains(leftOut) && eve.contains("todo.txt") && eve.hasSuffix(",3,,,"))
        #expect(lines.contains { $0.hasPrefix("Ida,0,100,") && $0.contains(leftOut) }, "\(lines)")
    }

    @Test("The console shows characters of a name that are not seen, and does not send them")
    func invisible() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).add("a\u{202E}b\u{200F}c\td", SmallWorkbook.answer)
        let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
        #expect(run.output.contains("a\\u{202E}b\\u{200F}c\\u{9}d: 100/100 points"), "\(run.output)")
    }

    private func handedIn(_ file: String, _ date: String) throws {
        let seconds = try #require(DateText(date)).first
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(seconds))],
            ofItemAtPath: scratch("class/\(file)").path)
    }

    private func table(_ report: String) throws -> [String] {
        try String(contentsOf: scratch("\(report)/gradebook.csv"), encoding: .utf8).components(separatedBy: "\r\n")
    }

    @Test("What was handed in under nearly the right name counts, and what was not graded is named")
    func notUsed() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        func add(_ path: String, _ text: String) throws {
            let file = small.folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try add("case/greeting.swift", SmallWorkbook.answer)
        try add("again/Greeting (1).swift", SmallWorkbook.answer)
        for folder in ["a", "b"] { try add("copies/\(folder)/Greeting.swift", SmallWorkbook.answer) }
        try add("differ/a/Greeting.swift", SmallWorkbook.answer)
        try add("differ/b/Greeting.swift", SmallWorkbook.passing)
        try add("helper/Greeting.swift", SmallWorkbook.answer)
        try add("helper/Helper.swift", "func help() {}\n")
        try add("packed/hw.7z", "7z")
        try add("text/Greeting.swift.txt", SmallWorkbook.answer)
        for file in ["desktop.ini", "Grading worksheet.csv"] { try small.write("x\n", to: file) }
        let run = try await grader(
            workbook, "grade", small.folder.path, "--report", scratch("report").path)
        #expect(run.code == 0, "\(run.text)")
        let lines = try table("report")
        func cells(_ learner: String) -> String { lines.first { $0.hasPrefix("\(learner),") } ?? "" }
        for learner in ["case", "again", "copies"] {
            #expect(cells(learner).hasPrefix("\(learner),100,100,mastered,100,,"))
        }
        #expect(cells("differ").contains("was submitted more than once"))
        for text in [cells("helper"), run.output] {
            #expect(text.contains("These files were not graded: Helper.swift."))
        }
        for text in [cells("packed"), run.output] { #expect(text.contains("These files were found: hw.7z.")) }
        #expect(cells("text").contains("These files were found: Greeting.swift.txt."))
        #expect(lines.count == 9, "the heading, seven learners, and an empty line")
        #expect(run.output.contains("Learners: 7"))
        let page = try String(contentsOf: scratch("report/pages/helper.html"), encoding: .utf8)
        #expect(page.contains("These files were not graded: Helper.swift."))
        // The kata says it, and the page's head does not say it once more.
        let gradescope = try String(contentsOf: scratch("report/gradescope/differ.json"), encoding: .utf8)
        #expect(gradescope.components(separatedBy: "and it is not clear which one counts").count == 2)
    }

    @Test("A deadline, its late rule and other points change the report, and nothing is graded again")
    func policy() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        for learner in ["early", "late"] { try small.add(learner, SmallWorkbook.answer) }
        try handedIn("early/Greeting.swift", "2026-12-01T23:59:59Z")
        try handedIn("late/Greeting.swift", "2026-12-03T00:00:00Z")
        let marked = "kim_LATE_8_9_Greeting.swift"
        try Data(SmallWorkbook.passing.utf8).write(to: scratch("class/\(marked)"))
        try handedIn(marked, "2026-12-01T12:00Z")
        let arguments = ["grade", scratch("class").path, "--report", scratch("report").path] + Program.sandboxOption
        let policy = scratch("report/policy.json")
        let journal = scratch("report/.journal/decisions")
        let first = try await Program.run(arguments, in: workbook.folder)
        #expect(first.code == 0, "\(first.text)")
        let standard = """
            {
              "deadline": null,
              "late": {"percent": 0, "per": "day", "graceMinutes": 0, "mostPercent": 100},
              "release": null,
              "points": {
                "Greeting": {"core": 60, "robust": 40}
              }
            }

            """
        #expect(try String(contentsOf: policy, encoding: .utf8) == standard)
        #expect(try table("report")[0].hasSuffix(",Email,Late"))
        let decided = try Data(contentsOf: journal)

        let told = try await Program.run(arguments + ["--deadline", "2026-12-01T23:59Z"], in: workbook.folder)
        #expect(told.code == 0, "\(told.text)")
        let deadline = standard.replacing("\"deadline\": null", with: "\"deadline\": \"2026-12-01T23:59Z\"")
        #expect(try String(contentsOf: policy, encoding: .utf8) == deadline)
        #expect(try table("report").contains("late,100,100,mastered,100,,,,,late,24:00:01,0,100"))

        let edited = """
            {"deadline": "2026-12-01T23:59Z", "late": {"percent": 10, "per": "day"},
             "points": {"Greeting": {"core": 10, "robust": 40}}}
            """
        try Data(edited.utf8).write(to: policy)
        let again = try await Program.run(arguments, in: workbook.folder)
        #expect(again.code == 0, "\(again.text)")
        #expect(again.output.contains("late: 40/50 points\n    Late by 24:00:01 (h:mm:ss), deduction 20%: 50 → 40"))
        let lines = try table("report")
        #expect(lines[0].hasSuffix(",Late,Late by (h:mm:ss),Deduction (%),Points before the deduction"))
        #expect(lines.contains("early,50,50,mastered,50,,,,,,,,50"))
        #expect(lines.contains("late,40,50,mastered,50,,,,,late,24:00:01,20,50"))
        // The platform says that it is late, but not how late: that counts as one day.
        #expect(lines.contains("kim,9,50,passed,10,,8,,,late,,10,10"))
        let book = try json(scratch("report/gradebook.json"))
        #expect(book["deadline"] as? String == "2026-12-01T23:59:59Z")
        let learners = book["learners"] as? [[String: Any]] ?? []
        let late = try #require(learners.first { $0["learner"] as? String == "late" })
        let time = try #require(late["time"] as? [String: Any])
        #expect(time["handedIn"] as? String == "2026-12-03T00:00:00Z" && time["lateBySeconds"] as? Int == 86_401)
        #expect(time["pointsBefore"] as? Int == 50 && time["points"] as? Int == 40)
        #expect(try json(scratch("report/gradescope/late.json"))["score"] as? Int == 40)
        #expect(try Data(contentsOf: journal) == decided)
        #expect(try String(contentsOf: policy, encoding: .utf8) == edited)

        // A merged report has the policy too.
        let merged = try await Program.run(
            ["merge", scratch("report").path, "--report", scratch("merged").path], in: workbook.folder)
        #expect(merged.code == 0, "\(merged.text)")
        #expect(try table("merged") == lines)
    }

    @Test("Without names, each learner has a number that does not change, and only names.csv has the names")
    func anonymous() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        for learner in ["Quirine", "Xanthippe", "Zebulon"] {
            try small.add(
                learner, SmallWorkbook.passing.replacing("I greet", with: "\(learner) greets"))
        }
        let arguments =
            ["grade", scratch("class").path, "--report", scratch("report").path, "--anonymous"] + Program.sandboxOption
        let first = try await Program.run(arguments, in: workbook.folder)
        #expect(first.code == 0, "\(first.text)")
        let key = try String(contentsOf: scratch("report/names.csv"), encoding: .utf8)
        let mode = try FileManager.default.attributesOfItem(atPath: scratch("report/names.csv").path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        let learners = try json(scratch("report/gradebook.json"))["learners"] as? [[String: Any]] ?? []
        #expect(learners.map { $0["learner"] as? String } == ["0001", "0002", "0003"])
        var seen = try files(scratch("report"))
        #expect(seen.removeValue(forKey: "names.csv") == key)
        #expect(seen["gradescope/0002.json"]?.contains("0002 greets") == true)
        for learner in ["Quirine", "Xanthippe", "Zebulon"] {
            #expect(key.contains(",\(learner),"))
            #expect(!first.text.contains(learner))
            for (name, text) in seen { #expect(!name.contains(learner) && !text.contains(learner), "\(name)") }
        }
        // A learner who is added later has the next number, also with a name that sorts first.
        try small.add("Aaron", SmallWorkbook.answer)
        let second = try await Program.run(arguments, in: workbook.folder)
        #expect(second.output.contains("0004: 100/100 points"), "\(second.text)")
        let later = try String(contentsOf: scratch("report/names.csv"), encoding: .utf8)
        #expect(later.hasPrefix(key) && later.contains("0004,Aaron,"))
        let merged = try await Program.run(
            ["merge", scratch("report").path, "--report", scratch("merged").path, "--anonymous"], in: workbook.folder)
        #expect(merged.code == 0, "\(merged.text)")
        #expect(try table("merged").count == 6)
        #expect(try !table("merged").joined().contains("Aaron"))
    }

    @Test("Similar files are shown side by side without the names of either learner, also after a merge")
    func anonymousPair() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        let kinds = [
            "b = b + 1", "b = b * (a - 2)", "b = [a, 3].count", "if b > 4 { b -= a }", "while b > 9 { b /= 2 }",
        ]
        let lines = (0..<60).map { "    \(kinds[$0 * $0 / 3 % kinds.count])  // step \($0)\n" }.joined()
        let steps = "let stepped = steps(7)\nfunc steps(_ a: Int) -> Int {\n    var b = a\n\(lines)    return b\n}\n"
        for learner in ["Quirine", "Xanthippe"] {
            let greeting = SmallWorkbook.passing.replacing("I greet", with: "\(learner) greets")
            try small.add(learner, greeting + "// by Quirine, for Xanthippe\n" + steps)
        }
        for (command, report) in [
            ("grade \(scratch("class").path)", "report"), ("merge \(scratch("report").path)", "merged"),
        ] {
            let arguments =
                command.split(separator: " ").map(String.init)
                + ["--report", scratch(report).path, "--anonymous", "--format", "html"]
                + (report == "report" ? Program.sandboxOption : [])
            let run = try await Program.run(arguments, in: workbook.folder)
            #expect(run.code == 0, "\(run.text)")
            let similar = try json(scratch("\(report)/gradebook.json"))["similar"] as? [[String: Any]] ?? []
            let pair = try #require((similar.first?["pairs"] as? [[String: Any]])?.first)
            #expect(pair["first"] as? [String] == ["0001"] && pair["second"] as? [String] == ["0002"])
            #expect((pair["matches"] as? [Any])?.isEmpty == false)
            let page = try String(contentsOf: scratch("\(report)/gradebook.html"), encoding: .utf8)
            #expect(page.contains("// by 000") && page.contains("// step 59"))
            for name in ["Quirine", "Xanthippe"] { #expect(!page.contains(name)) }
        }
    }

    @Test("What is wrong in policy.json is reported before anything is graded")
    func wrongPolicy() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).addLearners(1)
        try FileManager.default.createDirectory(at: scratch("report"), withIntermediateDirectories: true)
        for (policy, message) in [
            ("{\"late\": {\"percent\": 250}}", "`late.percent` is `250`. Write, for example, `10`"),
            (
                "{\"points\": {\"Greting\": {}}}",
                "`points.Greting` is not a key that the grader knows. It knows these: `Greeting`"
            ),
        ] {
            try Data(policy.utf8).write(to: scratch("report/policy.json"))
            let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
            #expect(run.code == 3)
            #expect(run.errors.contains(message), "\(run.errors)")
        }
        let run = try await grader(
            workbook, "grade", scratch("class").path, "--report", scratch("report").path, "--deadline", "soon")
        #expect(run.code == 2)
        #expect(run.errors.contains("`--deadline 2026-12-01T23:59`"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch("report/gradebook.json").path))
    }

    @Test(
        "A file in the report's folder that is not correct JSON is named, with the line and column",
        arguments: ["policy.json", "overrides.json", "comments.json"])
    func noJSON(name: String) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).addLearners(1)
        try FileManager.default.createDirectory(at: scratch("report"), withIntermediateDirectories: true)
        try Data("{\n  \"a\": }".utf8).write(to: scratch("report/\(name)"))
        let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
        #expect(run.code == 3)
        #expect(run.errors.contains("\(name)` is not correct JSON: look at line 2, column "), "\(run.errors)")
    }

    @Test(
        "A key that stands twice in a file of the report's folder is named: only one of the two would count",
        arguments: [
            ("policy.json", #"{"points": {"Greeting": {"core": 1, "core": 2}}}"#, "points.Greeting.core"),
            ("overrides.json", #"{"ana": {"excused": true}, "ana": {"until": "2026-12-08"}}"#, "ana"),
            ("comments.json", #"{"Greeting": {}, "Greeting": {}}"#, "Greeting"),
        ])
    func twice(name: String, json: String, key: String) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).addLearners(1)
        try FileManager.default.createDirectory(at: scratch("report"), withIntermediateDirectories: true)
        try Data(json.utf8).write(to: scratch("report/\(name)"))
        let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
        #expect(run.code == 3)
        #expect(run.errors.contains("\(name)`, the key `\(key)` stands twice"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch("report/gradebook.json").path))
    }

    @Test(
        "A file in the report's folder that cannot be read is named",
        arguments: ["policy.json", "overrides.json", "comments.json"])
    func unreadable(name: String) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).addLearners(1)
        // A folder in its place: root may read every file.
        try FileManager.default.createDirectory(at: scratch("report/\(name)"), withIntermediateDirectories: true)
        let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
        #expect(run.code == 3)
        #expect(run.errors.contains("\(name)` cannot be read: "), "\(run.errors)")
        #expect(run.errors.contains("Make the file readable, or remove it."), "\(run.errors)")
    }

    @Test("If the submissions are one folder deeper, the message names that folder")
    func levelBelow() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("export/week 1"))
        try small.addLearners(2)
        let run = try await grader(workbook, "grade", scratch("export").path, "--report", scratch("report").path)
        #expect(run.code == 3)
        #expect(run.errors.contains("`\(scratch("export").path)`"), "\(run.errors)")
        #expect(run.errors.contains("Specify the folder `\(scratch("export/week 1").path)`"))
        #expect(!FileManager.default.fileExists(atPath: scratch("report/gradebook.json").path))
    }

    @Test("A class in one .zip is graded in the same way as a folder, with a summary at the end", .needs(.unzip))
    func zip() async throws {
        try await gradeArchive("class.zip") { folder, archive in
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.hasSuffix(".swift")
            }
            let members = try files.map { name in
                ZipFile.Member(
                    name: "class/\(name)", content: try Data(contentsOf: folder.appendingPathComponent(name)))
            }
            try ZipFile(members: members).data().write(to: archive)
        }
    }

    @Test("A class in one .tar.gz is graded in the same way as a folder, with a summary at the end")
    func tar() async throws {
        try await gradeArchive("class.tar.gz") { folder, archive in
            let tar = try Process.run(
                URL(fileURLWithPath: "/usr/bin/env"),
                arguments: [
                    "tar", "-czf", archive.path, "-C", folder.deletingLastPathComponent().path,
                    folder.lastPathComponent,
                ])
            tar.waitUntilExit()
            try #require(tar.terminationStatus == 0)
        }
    }

    private func gradeArchive(_ name: String, pack: (_ folder: URL, _ archive: URL) throws -> Void) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.addLearners(2)
        try small.add("Núñez_5_assignsubmission_file_", "public func greeting( {\n")
        let archive = scratch(name)
        try pack(scratch("class"), archive)
        let run = try await grader(workbook, "grade", archive.path, "--report", scratch("report").path)
        #expect(run.code == 0, "\(run.text)")
        #expect(
            run.output.contains(
                "Learners: 3, Handed in: 3, mastered: 1, passed: 1, not passed yet: 0, does not compile: 1, rejected: 0, Entries with a note: 0"
            ), "\(run.output)")
        let learners = try json(scratch("report/gradebook.json"))["learners"] as? [[String: Any]] ?? []
        #expect(learners.compactMap { $0["learner"] as? String } == ["Núñez", "learner 100", "learner 101"])
        #expect(learners.first?["number"] as? String == "5")
    }

    @Test("A folder without submissions gives no report")
    func emptyClass() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        _ = try SmallClass(scratch("class"))
        let run = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("report").path)
        #expect(run.code == 3, "\(run.text)")
        #expect(run.errors.contains("There are no submissions in"))
        #expect(!FileManager.default.fileExists(atPath: scratch("report/gradebook.json").path))
    }

    @Test("A second run grades only the new learner")
    func resumes() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.addLearners(4)
        let arguments =
            ["grade", scratch("class").path, "--report", scratch("report").path, "--no-cache"]
            + Program.sandboxOption
        let journal = scratch("report/.journal/decisions")
        func decisions() throws -> Int { try Data(contentsOf: journal).count { $0 == UInt8(ascii: "\n") } }
        _ = try await Program.run(arguments, in: workbook.folder)
        #expect(try decisions() == 4)
        let first = try files(scratch("report"))
        _ = try await Program.run(arguments, in: workbook.folder)
        #expect(try decisions() == 4)
        #expect(try files(scratch("report")) == first)
        try small.add("newcomer", SmallWorkbook.stub + "// new\n")
        _ = try await Program.run(arguments, in: workbook.folder)
        #expect(try decisions() == 5)
    }

    @Test("A run that is killed at each change to a file ends with the report of an undisturbed run")
    func kills() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).addLearners(2)
        let undisturbed = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("whole").path)
        #expect(undisturbed.code == 0, "\(undisturbed.text)")
        let arguments =
            ["grade", scratch("class").path, "--report", scratch("report").path, "--jobs", "2", "--no-cache"]
            + Program.sandboxOption
        // Each run continues where the one before was killed.
        var change = 1
        while true {
            let run = try await Program.run(
                arguments, in: workbook.folder, environment: KillAtChange.environment(change))
            guard run.wasKilled else {
                #expect(run.code == 0, "\(run.text)")
                break
            }
            change += 1
        }
        // There is at least one change for each learner's verdict and for each file of the report.
        let report = try files(scratch("report"))
        #expect(change > 2 + report.count)
        #expect(try report == files(scratch("whole")))
    }

    @Test("Shards that are graded separately and merged give the same report as one run")
    func shards() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.addLearners(9)
        // The same bytes in two shards are still reported as identical.
        try small.add("twin 1", SmallWorkbook.answer)
        try small.add("twin 2", SmallWorkbook.answer)
        try small.add("twin 3", SmallWorkbook.answer)
        _ = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("whole").path)
        let parts = (1...3).map { scratch("part \($0)").path }
        for (index, part) in parts.enumerated() {
            let run = try await grader(
                workbook, "grade", scratch("class").path, "--report", part, "--shard", "\(index + 1)/3", "--language",
                "ko")
            #expect(run.code == 0, "\(run.text)")
        }
        let merged = try await Program.run(
            ["merge", parts[2], parts[0], parts[1], "--report", scratch("merged").path], in: workbook.folder)
        #expect(merged.code == 0, "\(merged.text)")
        #expect(try files(scratch("merged")) == files(scratch("whole")))

        let missing = try await grader(workbook, "merge", parts[0], parts[2], "--report", scratch("x").path)
        #expect(missing.code == 3)
        #expect(missing.errors.contains("Some shards are missing: 2/3"))
        let twice = try await grader(workbook, "merge", parts[0], parts[0], "--report", scratch("x").path)
        #expect(twice.code == 3)
        #expect(twice.errors.contains("The shard 1/3 was given twice"))
    }

    @Test("Each learner's page shows the code that was graded, also if nothing is graded again")
    func pages() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.add("ana", SmallWorkbook.passing + "// only ana wrote this\n")
        try small.add("bob", SmallWorkbook.answer)
        func grade(_ format: String) async throws {
            let run = try await grader(
                workbook, "grade", scratch("class").path, "--report", scratch("report").path, "--format", format)
            #expect(run.code == 0, "\(run.text)")
        }
        func page(_ learner: String) throws -> String {
            try String(contentsOf: scratch("report/pages/\(learner).html"), encoding: .utf8)
        }
        try await grade("csv")
        #expect(!FileManager.default.fileExists(atPath: scratch("report/pages").path))
        try await grade("pages")
        #expect(try page("ana").contains("only ana wrote this"))
        #expect(try !page("bob").contains("only ana wrote this"))

        // The report of an earlier version has no code.
        try FileManager.default.removeItem(at: scratch("report/.code"))
        let merged = try await Program.run(
            ["merge", scratch("report").path, "--report", scratch("merged").path], in: workbook.folder)
        #expect(merged.code == 0, "\(merged.text)")
        let told = try String(contentsOf: scratch("merged/pages/ana.html"), encoding: .utf8)
        #expect(told.contains("The code was not kept with this report."))
        try await grade("pages")
        #expect(try page("ana").contains("only ana wrote this"))

        // The code of a learner who left the class is not kept.
        try FileManager.default.removeItem(at: scratch("class/ana"))
        try await grade("pages")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch("report/.code").path).count == 1)
        #expect(!FileManager.default.fileExists(atPath: scratch("report/pages/ana.html").path))
    }

    @Test("Only the formats that are named are written, and no file is deleted that the grader did not write")
    func formats() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).add("ana", SmallWorkbook.answer)
        func grade(_ options: String...) async throws -> Program.Run {
            let arguments = ["grade", scratch("class").path, "--report", scratch("report").path]
            let run = try await Program.run(arguments + Program.sandboxOption + options, in: workbook.folder)
            #expect(run.code == 0, "\(run.text)")
            return run
        }
        _ = try await grade()
        try Data("mine".utf8).write(to: scratch("report/pages/mine.txt"))
        var before = try files(scratch("report"))
        let csv = try await grade("--format", "csv")
        #expect(csv.output.contains("report/gradebook.json`"), "\(csv.output)")
        #expect(try files(scratch("report")) == before)

        try Data("mine too".utf8).write(to: scratch("report/gradebook.csv"))
        let again = try await grade("--format", "csv")
        #expect(again.errors.contains("It was kept as `gradebook.csv.kept-1`."), "\(again.errors)")
        before["gradebook.csv.kept-1"] = "mine too"
        #expect(try files(scratch("report")) == before)
    }

    @Test("A comment is shown to everyone who fails its test, and a comment on an unknown test is an error")
    func comments() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"), katas: ["Greeting", "Parting"])
        let small = try SmallClass(scratch("class"))
        try small.add("ana", SmallWorkbook.passing)
        try small.add("bob", SmallWorkbook.answer)
        func write(_ text: String) throws {
            try Data(text.utf8).write(to: scratch("report/comments.json"))
        }
        func grade(_ language: String = "en") async throws -> Program.Run {
            try await grader(
                workbook, "grade", scratch("class").path, "--report", scratch("report").path, "--katas", "Greeting",
                "--language", language)
        }
        func read(_ file: String) throws -> String {
            try String(contentsOf: scratch("report/\(file)"), encoding: .utf8)
        }
        try FileManager.default.createDirectory(at: scratch("report"), withIntermediateDirectories: true)
        try write(#"{"Greeting": {"GreetingXCTests/testStranger": "See page 12."}, "Parting": {}}"#)
        let run = try await grade()
        #expect(run.code == 0, "\(run.text)")
        for file in [
            "pages/ana.html", "gradescope/ana.json", "exercism/ana/Greeting.json", "junit/ana.xml",
        ] {
            #expect(try read(file).contains("Your instructor: See page 12."), "\(file)")
        }
        #expect(try !read("pages/bob.html").contains("See page 12."))
        #expect(try !read("gradebook.json").contains("See page 12."))

        // A merge reads the comments from the folder that it writes.
        try FileManager.default.createDirectory(at: scratch("merged"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: scratch("report/comments.json"), to: scratch("merged/comments.json"))
        let merged = try await Program.run(
            ["merge", scratch("report").path, "--report", scratch("merged").path], in: workbook.folder)
        #expect(merged.code == 0, "\(merged.text)")
        #expect(
            try String(contentsOf: scratch("merged/pages/ana.html"), encoding: .utf8).contains("See page 12."))

        try write(#"{"Greeting": {"GreetingXCTests/testStrange": "See page 12."}}"#)
        let before = try read("pages/ana.html")
        let unknown = try await grade()
        #expect(unknown.code == 3)
        #expect(
            unknown.errors.contains(
                "`GreetingXCTests/testStrange`, but `Greeting` has no such test. Did you mean `GreetingXCTests/testStranger`?"
            ), "\(unknown.errors)")
        // Nothing was graded or written.
        #expect(unknown.output.isEmpty)
        #expect(try read("pages/ana.html") == before)
        try write("{\n  \"Greeting\": {,}\n}")
        let noJSON = try await grade("es")
        #expect(noJSON.code == 3)
        #expect(noJSON.errors.contains("no es JSON correcto: revisa la línea 2"), "\(noJSON.errors)")
    }

    @Test("Without a sandbox, nothing is graded unless an option allows it")
    func sandbox() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).addLearners(1)
        // Everything that grading needs, except the sandbox.
        let programs = scratch("bin")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let compiler = try #require(
            path.map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) })
        try FileManager.default.createSymbolicLink(
            at: programs.appendingPathComponent("swiftc"), withDestinationURL: URL(fileURLWithPath: compiler))
        let arguments = ["grade", scratch("class").path, "--report", scratch("report").path]
        let refused = try await Program.run(arguments, in: workbook.folder, environment: ["PATH": programs.path])
        #expect(refused.code == 3)
        #expect(refused.errors.contains("--no-sandbox"))
        let told = try await Program.run(
            arguments + ["--no-sandbox"], in: workbook.folder, environment: ["PATH": "\(programs.path):/usr/bin:/bin"])
        #expect(told.code == 0, "\(told.text)")
    }

    @Test(
        "The report of one submission has the format that a platform reads",
        arguments: ["gradescope", "exercism", "junit", "json"])
    func submission(format: String) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try SmallClass(scratch("class")).add("ana", SmallWorkbook.passing)
        let run = try await grader(workbook, "check", "--submission", scratch("class/ana").path, "--format", format)
        #expect(run.code == 0, "\(run.text)")
        if format == "junit" {
            #expect(run.output.contains("\n<testsuites name=\"ana\" tests=\"2\" failures=\"1\""))
            #expect(run.output.contains(/timestamp="[0-9-]{10}T[0-9:]{8}" hostname="localhost">/))
            return
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        switch format {
        case "gradescope": #expect(object["score"] as? Int == 60)
        case "exercism": #expect(object["version"] as? Int == 3 && object["status"] as? String == "fail")
        default: #expect((object["katas"] as? [[String: Any]])?.first?["outcome"] as? String == "passed")
        }
    }

    @Test(
        "A mistake in the command line is reported, with what to type",
        arguments: [
            (["grade", "x"], "grade FOLDER --report FOLDER"),
            (["grade", "x", "--report", "y", "--jobs", "0"], "--jobs 2"),
            (["grade", "x", "--report", "y", "--shard", "5/4"], "--shard 1/4"),
            (["grade", "x", "--report", "y", "--format", "pdf"], "csv, html, pages, junit, gradescope, exercism"),
            (["check", "--submission", "x", "--format", "html"], "junit, gradescope, exercism, json"),
            (["check", "--format", "json"], "--submission FOLDER"), (["merge", "--report", "y"], "merge FOLDER"),
        ])
    func mistakes(arguments: [String], hint: String) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let run = try await Program.run(arguments, in: workbook.folder)
        #expect(run.code == 2)
        #expect(run.errors.contains(hint), "\(run.errors)")
    }

    @Test("A signal to all of its processes, as batch systems send it, is not taken for a learner's mistake")
    func batchSignals() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.addLearners(3)
        // Its suite waits for a while, so that there is something to signal.
        try small.add(
            "slow",
            """
            import Dispatch
            public func greeting(_ name: String) -> String {
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
                return name
            }

            """)
        _ = try await grader(workbook, "grade", scratch("class").path, "--report", scratch("whole").path)
        let arguments =
            ["grade", scratch("class").path, "--report", scratch("report").path, "--jobs", "2", "--no-cache"]
            + Program.sandboxOption
        // First the compiler runs, then the suite. Two run at a time, and in a sandbox each has a process or two in front.
        for count in 1...(Need.bubblewrap.isMet ? 3 : 2) {
            let process = try Program.process(arguments, in: workbook.folder)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let ended = try Program.start(process)
            let started = try Processes.descendants(of: process.processIdentifier) { $0.count >= count }
            for member in started.sorted().reversed() + [process.processIdentifier] { kill(member, SIGTERM) }
            await ended.value
            #expect(process.terminationReason == .exit && process.terminationStatus == 3)
        }
        let last = try await Program.run(arguments, in: workbook.folder)
        #expect(last.code == 0, "\(last.text)")
        #expect(try files(scratch("report")) == files(scratch("whole")))
    }

    @Test("Two graders do not write to one report at the same time")
    func busy() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let small = try SmallClass(scratch("class"))
        try small.addLearners(3)
        // One learner's code never ends, so the first grader is still busy when it is stopped.
        try small.add("slow", SmallWorkbook.sleeping)
        let arguments = ["grade", scratch("class").path, "--report", scratch("report").path] + Program.sandboxOption
        let first = try Program.process(arguments, in: workbook.folder)
        let output = Pipe()
        (first.standardOutput, first.standardError) = (output, output)
        let told = AsyncStream.makeStream(of: Void.self)
        let ended = AsyncStream.makeStream(of: Void.self)
        first.terminationHandler = { _ in
            told.continuation.finish()
            ended.continuation.finish()
        }
        try first.run()
        // A thread that reads ends with the output. A handler would have to be taken away before its descriptor is closed, and
        // the system goes on with one that it was just about to call.
        Thread.detachNewThread { [reading = output.fileHandleForReading] in
            while !reading.availableData.isEmpty { told.continuation.yield() }
        }
        // The first prints the learners that it has graded, and is still grading the slow one when it is stopped.
        for await _ in told.stream { break }
        kill(first.processIdentifier, SIGSTOP)
        let second = try await Program.run(arguments, in: workbook.folder)
        kill(first.processIdentifier, SIGCONT)
        #expect(second.code == 3)
        #expect(second.errors.contains("Another grader"))
        for await _ in ended.stream {}
        #expect(first.terminationStatus == 0)
    }

    @Test("A folder that does not exist is reported")
    func missing() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let run = try await grader(workbook, "grade", scratch("nowhere").path, "--report", scratch("report").path)
        #expect(run.code == 3)
        #expect(run.errors.contains("nowhere"))
    }
}
