import Foundation
import Testing
import Workbook

@testable import Reports

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("A class's report")
struct GradebookFilesTests {
    private func json(_ file: URL) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    }

    @Test("has every learner in gradebook.json with the objects of `check --json`, and the class's totals")
    func gradebookJSON() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let book = try json(folder.appendingPathComponent("gradebook.json"))
            #expect(book["schema"] as? Int == 1)
            #expect(book["seed"] as? Int == 7)
            let learners = try #require(book["learners"] as? [[String: Any]])
            #expect(learners.map { $0["learner"] as? String } == SampleClass.records.map(\.learner))
            let hostile = try #require(learners.first { $0["learner"] as? String == SampleClass.hostileName })
            let kata = try #require((hostile["katas"] as? [[String: Any]])?.first)
            #expect(kata["outcome"] as? String == "failed")
            #expect((kata["tests"] as? [[String: Any]])?[1]["output"] as? String == SampleClass.hostileOutput)
            let identical = try #require(book["identical"] as? [[String: Any]])
            #expect(identical.map { $0["learners"] as? [String] } == [["Ana, \"la\" 김 ไทย", "bob"]])
            let totals = try #require(book["totals"] as? [String: Any])
            #expect(totals["learners"] as? Int == 5)
            #expect(totals["problems"] as? Int == 1)
            #expect(totals["points"] as? Int == 10)
            #expect(totals["outcomes"] as? [String: Int] == ["failed": 1, "mastered": 2, "didNotCompile": 1])
        }
    }

    @Test("counts all learners, and the katas that were handed in")
    func handedIn() throws {
        try SampleClass.withReport(.english, SampleClass.records + [SampleClass.absent]) { (folder: URL) throws in
            let book = try json(folder.appendingPathComponent("gradebook.json"))
            let totals = try #require(book["totals"] as? [String: Any])
            #expect(totals["learners"] as? Int == 6)
            #expect(totals["handedIn"] as? Int == 4)
            #expect(totals["maxPoints"] as? Int == 16)
            #expect(totals["outcomes"] as? [String: Int] == ["failed": 1, "mastered": 2, "didNotCompile": 1])
            let learners = try #require(book["learners"] as? [[String: Any]])
            let handedIn = learners.map { ($0["katas"] as? [[String: Any]])?.first?["handedIn"] as? Bool }
            #expect(handedIn == [true, nil, true, true, true, false])
            let table = try String(contentsOf: folder.appendingPathComponent("gradebook.csv"), encoding: .utf8)
            #expect(table.contains("zoe,0,4,not handed in,,"))
            #expect(table.contains("cleo,0,4,does not compile,0,"))
        }
    }

    @Test("says why a test did not run, and gives no hint for it")
    func notRun() throws {
        let reasons = [
            "cleo": "Not run: `FirstValue.swift` does not compile.",
            "zoe": "Not run: `FirstValue.swift` was not handed in.",
        ]
        try SampleClass.withReport(.english, SampleClass.records + [SampleClass.absent]) { (folder: URL) throws in
            for (learner, reason) in reasons {
                let gradescope = try json(folder.appendingPathComponent("gradescope/\(learner).json"))
                let tests = try #require(gradescope["tests"] as? [[String: Any]])
                #expect(tests.map { $0["output"] as? String } == [reason, reason, reason])
                let junit = try XMLDocument(
                    data: Data(contentsOf: folder.appendingPathComponent("junit/\(learner).xml")))
                // After the test's title.
                let skipped = try junit.nodes(forXPath: "//skipped/@message").compactMap(\.stringValue).map {
                    $0.split(separator: "\n").dropFirst().joined(separator: "\n")
                }
                #expect(skipped == ["\(reason)\n0/2 points", "\(reason)\n0/1 points", "\(reason)\n0/1 points"])
            }
        }
    }

    @Test("shows the points that a failed test got, and the points that it is worth")
    func cost() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let name = ReportFileNames.name(for: SampleClass.hostileName)
            let junit = try XMLDocument(data: Data(contentsOf: folder.appendingPathComponent("junit/\(name).xml")))
            let failure = try junit.nodes(forXPath: "//failure/@message").first?.stringValue ?? ""
            #expect(failure.contains("\n0/1 points\n"))
            let exercism = try json(folder.appendingPathComponent("exercism/\(name)/FirstValue.json"))
            let message = (exercism["tests"] as? [[String: Any]])?[1]["message"] as? String ?? ""
            #expect(message.contains("\n0/1 points\n"))
            let book = try json(folder.appendingPathComponent("gradebook.json"))
            let learner = (book["learners"] as? [[String: Any]])?.first { $0["learner"] as? String == "bob" }
            let tests = (learner?["katas"] as? [[String: Any]])?.first?["tests"] as? [[String: Any]] ?? []
            #expect(tests.map { $0["maxPoints"] as? Int } == [2, 1, 1])
        }
    }

    @Test("says nothing of points where a policy leaves a test none")
    func noPoints() throws {
        var policy = GradingPolicy()
        policy.points = ["FirstValue": .init(core: 2, robust: 0)]
        try SampleClass.withReport(policy: policy) { (folder: URL) throws in
            let name = ReportFileNames.name(for: SampleClass.hostileName)
            let text = try String(contentsOf: folder.appendingPathComponent("junit/\(name).xml"), encoding: .utf8)
            #expect(!text.contains("0/0"))
            let page = folder.appendingPathComponent("pages/\(name).html")
            try Browser.show(page) { (page: Browser) throws in
                let tests = try page.strings(
                    "[...document.querySelectorAll('.test > :first-child')].map(e => e.textContent)")
                #expect(tests.count == 3 && tests.allSatisfy { !$0.contains("0/0") })
            }
        }
    }

    @Test("lets a test be opened only if there is something in it")
    func openers() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let name = ReportFileNames.name(for: SampleClass.hostileName)
            try Browser.show(folder.appendingPathComponent("pages/\(name).html")) { (page: Browser) throws in
                let inside = try page.strings(
                    "[...document.querySelectorAll('details.test')].map(e => e.children.length + '')")
                #expect(!inside.isEmpty && !inside.contains("1"))
                #expect(try page.number("document.querySelectorAll('div.test').length") == 1)
            }
        }
    }

    /// The attributes and children that the schema of Jenkins's xUnit plugin has for each element.
    private static let junitSchema: [String: (attributes: Set<String>, children: Set<String>)] = [
        "testsuites": (["name", "time", "tests", "failures", "errors"], ["testsuite"]),
        "testsuite": (
            ["name", "tests", "failures", "errors", "time", "skipped", "timestamp", "hostname"],
            ["testcase", "system-out", "system-err"]
        ),
        "testcase": (["name", "time", "classname"], ["skipped", "error", "failure", "system-out", "system-err"]),
        "failure": (["type", "message"], []), "error": (["type", "message"], []), "skipped": (["type", "message"], []),
        "system-out": ([], []),
    ]

    @Test("writes JUnit files with only those elements and attributes that build servers know")
    func junitSchema() throws {
        try SampleClass.withReport(.english, SampleClass.records + [SampleClass.absent]) { (folder: URL) throws in
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/junit") {
                let data = try Data(contentsOf: folder.appendingPathComponent("junit/\(name)"))
                for case let element as XMLElement in try XMLDocument(data: data).nodes(forXPath: "//*") {
                    let schema = try #require(Self.junitSchema[element.name ?? ""])
                    #expect(Set((element.attributes ?? []).compactMap(\.name)).isSubset(of: schema.attributes))
                    let children = (element.children ?? []).compactMap { ($0 as? XMLElement)?.name }
                    #expect(Set(children).isSubset(of: schema.children))
                    if let time = element.attribute(forName: "time")?.stringValue {
                        #expect(time.wholeMatch(of: /[0-9]+\.[0-9]{1,3}/) != nil)
                    }
                }
            }
        }
    }

    @Test("names learners whose files are similar, but not identical")
    func similar() throws {
        let body = (0..<60).map {
            "if a\($0 % 7 == 0 ? "[b]" : "") \($0 % 3 == 0 ? "<" : "==") c { \($0 % 5 == 0 ? "f()" : "return") }"
        }
        .joined(separator: "\n")
        let records = [("ana", body), ("bob", body + "\n// mine\nlet more = true"), ("cleo", "func other() {}")].map {
            name, text in
            LearnerRecord(
                learner: name, sources: [name],
                katas: [
                    KataRecord(
                        digest: name, path: "a.swift", fingerprints: SourceFingerprints(of: text.utf8),
                        verdict: SampleClass.verdict(.mastered, (0..<3).map(SampleClass.passing)))
                ])
        }
        try SampleClass.withReport(.english, records) { (folder: URL) throws in
            let similar = try #require(
                try json(folder.appendingPathComponent("gradebook.json"))["similar"] as? [[String: Any]])
            #expect(similar.map { $0["learners"] as? [String] } == [["ana", "bob"]])
            #expect((similar.first?["least"] as? Double ?? 0) > 0.8)
        }
    }

    /// Learners with these files, whose digests are the learners' names.
    private static func records(_ files: [(learner: String, text: String)]) -> [LearnerRecord] {
        files.map { learner, text in
            var record = SampleClass.similarRecords[0]
            record.learner = learner
            record.katas[0].digest = learner
            record.katas[0].fingerprints = SourceFingerprints(of: text.utf8)
            return record
        }
    }

    @Test("names learners whose files are similar to an answer of the workbook, apart from those who copied each other")
    func known() throws {
        let files = [("ana", 0), ("bob", 0), ("cleo", 100), ("dan", 100), ("eve", 200)].map { name, number in
            (name, SampleClass.given + SampleClass.statements(number..<number + 40) + "// \(name)\n")
        }
        let records = Self.records(files)
        let answer = KnownSources.Answer(
            path: "Solutions/FirstValue/FirstValue.swift",
            fingerprints: SourceFingerprints(of: (SampleClass.given + SampleClass.statements(0..<40)).utf8))
        let code = ClassCode(known: { _ in KnownSources(given: [SampleClass.given], answers: [answer]) })
        try SampleClass.withReport(.english, records, code: code) { (folder: URL) throws in
            let book = try json(folder.appendingPathComponent("gradebook.json"))
            let known = try #require(book["known"] as? [[String: Any]])
            #expect(known.map { $0["learners"] as? [String] } == [["ana", "bob"]])
            #expect(known.map { $0["answer"] as? String } == ["Solutions/FirstValue/FirstValue.swift"])
            #expect(known.map { $0["least"] as? Double } == [1])
            let similar = try #require(book["similar"] as? [[String: Any]])
            #expect(similar.map { $0["learners"] as? [String] } == [["cleo", "dan"]])
        }
    }

    @Test("compares files that an older grader has described in another way by what was kept of them")
    func recordsOfAnOlderGrader() throws {
        let files = [("ana", 0), ("bob", 0), ("cleo", 100)].map { name, number in
            (name, SampleClass.statements(number..<number + 40) + "// \(name)\n")
        }
        var records = Self.records(files)
        for index in records.indices { records[index].katas[0].fingerprints = nil }
        let code = ClassCode(text: { digest in files.first { $0.0 == digest }?.1 })
        try SampleClass.withReport(.english, records, code: code) { (folder: URL) throws in
            let book = try json(folder.appendingPathComponent("gradebook.json"))
            let similar = try #require(book["similar"] as? [[String: Any]])
            #expect(similar.map { $0["learners"] as? [String] } == [["ana", "bob"]])
        }
    }

    @Test("says in which lines two files match")
    func matches() throws {
        try SampleClass.withReport(.english, SampleClass.similarRecords, code: SampleClass.similarCode) {
            (folder: URL) throws in
            let similar = try #require(
                try json(folder.appendingPathComponent("gradebook.json"))["similar"] as? [[String: Any]])
            let pairs = try #require(similar.first?["pairs"] as? [[String: Any]])
            #expect(pairs.map { $0["first"] as? [String] } == [["ana"]])
            #expect(pairs.map { $0["second"] as? [String] } == [["bob"]])
            #expect(pairs.first?["similarity"] as? Double == similar.first?["most"] as? Double)
            #expect(
                pairs.first?["matches"] as? [[String: [Int]]] == [["first": [14, 53], "second": [17, 56]]])
            #expect(similar.first?["pairsLeftOut"] as? Int == 0)
        }
    }

    @Test("lists a pair without its lines where a file was not kept")
    func matchesNotKept() throws {
        try SampleClass.withReport(.english, SampleClass.similarRecords) { (folder: URL) throws in
            let similar = try #require(
                try json(folder.appendingPathComponent("gradebook.json"))["similar"] as? [[String: Any]])
            let pairs = try #require(similar.first?["pairs"] as? [[String: Any]])
            #expect(pairs.count == 1 && pairs.first?["matches"] is NSNull)
        }
    }

    @Test("lists a hundred pairs of a class, says how many there are besides, and stays small")
    func manyPairs() throws {
        // Groups of nine learners, of whom any two are a pair.
        let files = (0..<90).map { number in
            let group = number / 9
            return (
                "learner \(100 + number)",
                SampleClass.statements(group * 1000..<group * 1000 + 100)
                    + SampleClass.statements(90_000 + number * 10..<90_000 + number * 10 + 3)
            )
        }
        let records = Self.records(files)
        let code = ClassCode(text: { digest in files.first { $0.0 == digest }?.1 })
        try SampleClass.withReport(.english, records, formats: ["html"], code: code) { (folder: URL) throws in
            let similar = try #require(
                try json(folder.appendingPathComponent("gradebook.json"))["similar"] as? [[String: Any]])
            let pairs = similar.map { $0["pairs"] as? [[String: Any]] ?? [] }
            #expect(pairs.map(\.count) == Array(repeating: 10, count: 10))
            #expect(similar.map { $0["pairsLeftOut"] as? Int } == Array(repeating: 26, count: 10))
            // Every learner of a group is in one of its pairs.
            let named = Set(pairs.joined().flatMap { [$0["first"], $0["second"]] }.flatMap { $0 as? [String] ?? [] })
            #expect(named.count == 90)
            let page = try Data(contentsOf: folder.appendingPathComponent("gradebook.html"))
            #expect(page.count < 2_000_000)
        }
    }

    @Test("has the same bytes when it is written again")
    func reproducible() throws {
        let names = ["gradebook.json", "gradebook.csv", "gradebook.html"]
        let read = { (folder: URL) in try names.map { try Data(contentsOf: folder.appendingPathComponent($0)) } }
        #expect(
            try SampleClass.withReport(.korean) { try read($0) } == SampleClass.withReport(.korean) { try read($0) })
    }

    @Test("opens in a spreadsheet: a byte order mark, quoted fields, no formula, the line endings of CSV")
    func gradebookCSV() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let text = String(
                decoding: try Data(contentsOf: folder.appendingPathComponent("gradebook.csv")), as: UTF8.self)
            let lines = text.components(separatedBy: "\r\n")
            #expect(text.unicodeScalars.first == "\u{FEFF}")
            #expect(lines.count == SampleClass.records.count + 2)
            #expect(lines.last == "")
            #expect(lines.contains { $0.hasPrefix("\"Ana, \"\"la\"\" 김 ไทย\",4,4,mastered,4,") })
            #expect(lines.contains { $0.hasPrefix("\"'=HYPERLINK(\"\"http://x\"\")\",") })
        }
    }

    @Test(
        "has no field that a spreadsheet takes for a formula",
        arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1", "\u{A0}@x"])
    func formulas(text: String) {
        let field = PlainText.csv(text)
        #expect(field.hasPrefix("\"'") && field.hasSuffix("\""))
        #expect(!field.contains("\n") && !field.contains("\r") && !field.contains("\t"))
    }

    @Test("gives each learner a JUnit file that an XML parser reads, with the counts of its tests")
    func junit() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let name = ReportFileNames.name(for: SampleClass.hostileName)
            let data = try Data(contentsOf: folder.appendingPathComponent("junit/\(name).xml"))
            let document = try XMLDocument(data: data)
            let root = try #require(document.rootElement())
            #expect(root.attribute(forName: "name")?.stringValue == SampleClass.hostileName)
            #expect(root.attribute(forName: "tests")?.stringValue == "3")
            #expect(root.attribute(forName: "failures")?.stringValue == "1")
            #expect(root.attribute(forName: "errors")?.stringValue == "1")
            let output = try document.nodes(forXPath: "//system-out").compactMap(\.stringValue).joined()
            #expect(output.contains("<script>window.pwned=2</script>\u{FFFD}[31m\u{FFFD}"))
            let broken = try XMLDocument(data: Data(contentsOf: folder.appendingPathComponent("junit/cleo.xml")))
            #expect(try broken.nodes(forXPath: "//error[@type='didNotCompile']").count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/junit").count == 5)
        }
    }

    @Test("gives JUnit's tests the same names in each language, and the attributes that strict readers ask for")
    func junitNames() throws {
        var names: [Set<String>] = []
        for language in [Language.english, .korean] {
            try SampleClass.withReport(language) { (folder: URL) throws in
                let name = ReportFileNames.name(for: SampleClass.hostileName)
                let data = try Data(contentsOf: folder.appendingPathComponent("junit/\(name).xml"))
                #expect(
                    String(decoding: data, as: UTF8.self).hasPrefix(
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
                let document = try XMLDocument(data: data)
                names.append(Set(try document.nodes(forXPath: "//testcase/@name").compactMap(\.stringValue)))
                let suites = try document.nodes(forXPath: "//testsuite").count
                #expect(try document.nodes(forXPath: "//testsuite[@hostname and @time]").count == suites)
                #expect(try document.nodes(forXPath: "//failure[not(@type)] | //error[not(@type)]").isEmpty)
            }
        }
        #expect(names == [Set(SampleClass.kata.tests.map(\.id)), Set(SampleClass.kata.tests.map(\.id))])
    }

    @Test("gives each learner what Gradescope shows: points, visibility and output that is text")
    func gradescope() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let name = ReportFileNames.name(for: SampleClass.hostileName)
            let result = try json(folder.appendingPathComponent("gradescope/\(name).json"))
            #expect(result["score"] as? Int == 2)
            #expect(result["visibility"] as? String == "visible")
            let tests = try #require(result["tests"] as? [[String: Any]])
            #expect(tests.map { $0["score"] as? Int } == [2, 0, 0])
            #expect(tests.map { $0["max_score"] as? Int } == [2, 1, 1])
            #expect(tests.allSatisfy { $0["output_format"] as? String == "text" })
            #expect((tests[1]["output"] as? String)?.contains(SampleClass.hostileOutput) == true)
        }
    }

    @Test("gives each kata of a learner the results that version 3 of Exercism's specification requires")
    func exercism() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let name = ReportFileNames.name(for: SampleClass.hostileName)
            let failed = try json(folder.appendingPathComponent("exercism/\(name)/FirstValue.json"))
            #expect(failed["version"] as? Int == 3)
            #expect(failed["status"] as? String == "fail")
            let tests = try #require(failed["tests"] as? [[String: Any]])
            #expect(tests.map { $0["status"] as? String } == ["pass", "fail", "error"])
            let mastered = try json(folder.appendingPathComponent("exercism/bob/FirstValue.json"))
            #expect(mastered["status"] as? String == "pass")
            let broken = try json(folder.appendingPathComponent("exercism/cleo/FirstValue.json"))
            #expect(broken["status"] as? String == "error")
            #expect((broken["message"] as? String)?.contains("cannot find 'x' in scope") == true)
        }
    }

    @Test("gives Exercism a message only if no test ran, and the code of each test")
    func exercismContract() throws {
        try SampleClass.withReport(.english, SampleClass.records + [SampleClass.absent]) { (folder: URL) throws in
            let name = ReportFileNames.name(for: SampleClass.hostileName)
            let failed = try json(folder.appendingPathComponent("exercism/\(name)/FirstValue.json"))
            #expect(failed["message"] == nil)
            let tests = try #require(failed["tests"] as? [[String: Any]])
            #expect(tests.map { $0["test_code"] as? String } == ["#expect(value == 1)", "await stop()", nil])
            let absent = try json(folder.appendingPathComponent("exercism/zoe/FirstValue.json"))
            #expect(absent["status"] as? String == "error")
            #expect((absent["message"] as? String)?.contains("FirstValue.swift") == true)
            #expect((absent["tests"] as? [Any])?.isEmpty == true)
        }
    }

    @Test("cuts a test's output to the length that Exercism's specification allows")
    func exercismOutput() throws {
        var record = try #require(SampleClass.records.first { $0.learner == SampleClass.hostileName })
        record.katas[0].verdict.tests[1].output = String(repeating: "한", count: 501)
        let report = try LearnerReport(record, katas: [SampleClass.kata], localization: SampleClass.localization())
        let output = ExercismReport(report).tests[1].output
        #expect(output?.count == 500)
        #expect(output?.hasSuffix("at most 500 characters are shown.") == true)
    }

    /// Writes the report once more.
    private func write(
        _ folder: URL, _ formats: [String] = ReportFormats.forClasses, without learner: String? = nil
    ) throws -> GradebookFolder {
        let report = try GradebookFolder(
            folder, header: SampleClass.header, localization: SampleClass.localization(), formats: formats)
        for record in SampleClass.records where record.learner != learner { try report.add(record) }
        _ = try report.finish()
        return report
    }

    /// All but the list of what has changed in the points.
    private func paths(_ folder: URL) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path)).subtracting(["changes.csv"])
    }

    @Test("leaves the files of formats that are not named as they are, and all files of other people")
    func otherFormats() throws {
        try SampleClass.withReport { (folder: URL) throws in
            for file in ["notes.md", "pages/mine.txt", "exercism/mine/solution.json"] {
                let place = folder.appendingPathComponent(file)
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("mine".utf8).write(to: place)
            }
            let page = try Data(contentsOf: folder.appendingPathComponent("pages/bob.html"))
            let before = try paths(folder)
            _ = try write(folder, ["csv"], without: "bob")
            #expect(try paths(folder) == before)
            #expect(try Data(contentsOf: folder.appendingPathComponent("pages/bob.html")) == page)
            _ = try write(folder)
            #expect(try paths(folder) == before)
        }
    }

    @Test("removes what it wrote for a learner who is gone, and not what was changed since")
    func goneLearners() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let before = try paths(folder)
            let changed = "junit/bob.xml"
            try Data("<mine/>".utf8).write(to: folder.appendingPathComponent(changed))
            _ = try write(folder, without: "bob")
            let gone = before.subtracting(try paths(folder))
            #expect(gone == ["pages/bob.html", "gradescope/bob.json", "exercism/bob", "exercism/bob/FirstValue.json"])
            #expect(try Data(contentsOf: folder.appendingPathComponent(changed)) == Data("<mine/>".utf8))
            #expect(try paths(folder).isSubset(of: before))
        }
    }

    @Test("takes the place of a file that it did not write, or that was changed since, only after that one is kept")
    func keptFiles() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let mine = folder.appendingPathComponent("pages/bob.html")
            let written = try Data(contentsOf: mine)
            for number in 1...2 {
                try Data("mine \(number)".utf8).write(to: mine)
                let report = try write(folder)
                let kept = "pages/bob.html.kept-\(number)"
                #expect(report.keptFiles.map(\.path) == ["pages/bob.html"] && report.keptFiles.map(\.place) == [kept])
                #expect(try Data(contentsOf: mine) == written)
                #expect(try Data(contentsOf: folder.appendingPathComponent(kept)) == Data("mine \(number)".utf8))
            }
            #expect(try write(folder).keptFiles.isEmpty)
        }
    }

    @Test("knows its own files also after a kill between the list of them and the files")
    func listBeforeFiles() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let list = folder.appendingPathComponent(".written")
            var written = WrittenFiles(in: folder)
            #expect(written.isUnchanged("pages/bob.html"))
            written.add("pages/bob.html", digest: "that of the new page")
            try written.save()
            // A line that a kill cut short, and a path that leads elsewhere, are of no file.
            try Data((String(contentsOf: list, encoding: .utf8) + "0  pages/../../x\n0123").utf8).write(to: list)
            #expect(WrittenFiles(in: folder).isUnchanged("pages/bob.html"))
            #expect(WrittenFiles(in: folder).paths == written.paths)
            #expect(try write(folder).keptFiles.isEmpty)
        }
    }
}

@Suite("A learner's file name")
struct ReportFileNamesTests {
    @Test(
        "is the learner's name if any disk accepts it", arguments: ["bob", "Jane Doe", "김철수", "Ana-María O'Neil (12)"])
    func plain(name: String) {
        #expect(ReportFileNames.name(for: name) == name)
    }

    @Test(
        "stays in its folder and is a name that any disk accepts",
        arguments: [
            "", ".", "..", "../../etc/passwd", "/etc/passwd", "a\u{0}b", "a\nb", "CON", "nul.txt", ".hidden", "-rf",
            "a/b", "a\\b", "C:x", "x.", " ", String(repeating: "長", count: 400), "bob-0123abcd",
            "e" + String(repeating: "\u{301}", count: 5000),
        ])
    func hostile(name: String) throws {
        let file = ReportFileNames.name(for: name)
        #expect(file != name)
        #expect(file.utf8.count <= 140 && !file.isEmpty)
        #expect(!file.contains("/") && !file.contains("\\") && !file.contains("\0") && !file.contains("\n"))
        #expect(!file.hasPrefix(".") && !file.hasPrefix("-") && !file.hasSuffix("."))
    }

    @Test("is different for each learner")
    func distinct() {
        let names = ["a/b", "a:b", "a_b", "a\nb", ReportFileNames.name(for: "a/b")]
        #expect(Set(names.map(ReportFileNames.name)).count == names.count)
    }
}

@Suite("The gradebook's catalog")
struct GradebookCatalogTests {
    @Test("has every text in every language")
    func complete() throws {
        let keys = Set(GradebookKey.allCases.map(\.rawValue))
        #expect(try CatalogReview(contentsOf: GradebookKey.catalog, keys: keys).findings == [])
    }
}
