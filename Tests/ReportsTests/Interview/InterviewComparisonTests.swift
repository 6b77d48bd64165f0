import Foundation
import TestSupport
import Testing
import Workbook

@testable import Reports

@Suite("Sessions side by side")
struct InterviewComparisonTests {
    /// A session on one kata that is mastered at once.
    private func quick(_ candidate: String, katas: [Kata] = [SampleSession.kata], seconds: Double = 100)
        -> InterviewRecord
    {
        let events = [
            InterviewEvent(SampleSession.at(0), .begun(SampleSession.plan(candidate, katas: katas, hints: nil))),
            InterviewEvent(SampleSession.at(0), .opened(kata: katas[0].kata, text: "import Combine // \(candidate)\n")),
            InterviewEvent(
                SampleSession.at(seconds), .saved(number: 1, kata: katas[0].kata, text: "// by \(candidate)\n")),
            InterviewEvent(
                SampleSession.at(seconds), .graded(save: 1, SampleSession.verdict(.mastered, "PPP", of: katas[0]))),
            InterviewEvent(SampleSession.at(seconds + 20), .closed(.timeUp)),
        ]
        guard let record = InterviewRecord(events) else { preconditionFailure() }
        return record
    }

    private let plain = TextStyle(isColored: false, isUnicode: true)

    @Test("One table for each kata that all sessions have")
    func table() throws {
        let comparison = InterviewComparison([SampleSession.record(), quick("Bo Kim")], blind: false)
        #expect(comparison.katas == ["FirstValue"])
        #expect(comparison.leftOut == ["AsyncMap"])
        let lines = try InterviewComparisonText(comparison, localization: SampleSession.localization(), style: plain)
            .lines()
        #expect(
            lines == [
                "Session     Time worked  Real time  Paused  Computer asleep  Program not running  Saves  Hints  Status",
                "Ana García   6:40/45:00    1:12:40    5:00          1:00:00                 1:00      6    1/5  finished early",
                "Bo Kim       2:00/45:00       2:00       –                –                    –      1      0  time up",
                "",
                "FirstValue",
                "Session     State           Points  First core test  Passed  Mastered  Hints  Saves  Text in one save  Time spent",
                "Ana García  not passed yet     0/4             2:00    2:00         –      1      3                 0        3:20",
                "Bo Kim      mastered           4/4             1:40    1:40      1:40      0      1                 0        2:00",
            ])
        let strings = try InterviewReportStrings(.english)
        #expect(
            comparison.remarks(strings) == [
                "These katas are not compared, because not every session has them: AsyncMap.",
                "Ana García: 1 save has no verdict (number 6): it was not graded, or its verdict could not be read.",
            ])
    }

    @Test("Its columns are aligned in every language and every script", arguments: Language.allCases)
    func columns(language: Language) throws {
        let comparison = InterviewComparison(
            [SampleSession.record(), quick("김민수 ไทย"), quick("王小明", seconds: 5000)], blind: false)
        let lines = try InterviewComparisonText(
            comparison, localization: SampleSession.localization(language), style: plain
        ).lines()
        // The last column is on the right: its cells all end together, counted in the terminal's cells.
        let table = lines.drop { $0 != "FirstValue" }.dropFirst()
        #expect(table.count == 4)
        #expect(Set(table.map { CellWidth.of($0) }).count == 1)
    }

    @Test("If one line per session is too wide, each session has a column, as many at a time as fit")
    func narrow() throws {
        let comparison = InterviewComparison([quick("Ana"), quick("Bo"), quick("Cy")], blind: false)
        let text = try InterviewComparisonText(comparison, localization: SampleSession.localization(), style: plain)
        let lines = text.lines(columns: 36)
        #expect(
            lines.prefix(10) == [
                "Session                     Ana",
                "Time worked          2:00/45:00",
                "Real time                  2:00",
                "Paused                        –",
                "Computer asleep               –",
                "Program not running           –",
                "Saves                         1",
                "Hints                         0",
                "Status                  time up",
                "",
            ])
        #expect(lines.filter { $0.hasPrefix("Session ") }.count == 5)
    }

    @Test("Sessions without a common kata are reported, and so are katas whose tests have changed")
    func differences() throws {
        let strings = try InterviewReportStrings(.english)
        let apart = InterviewComparison([quick("Ana"), quick("Bo", katas: [SampleSession.other])], blind: false)
        #expect(apart.katas.isEmpty)
        #expect(apart.remarks(strings).first == strings(.comparisonNothing))
        var changed = SampleSession.kata
        changed.tests.removeLast()
        let newer = InterviewComparison([quick("Ana"), quick("Bo", katas: [changed])], blind: false)
        #expect(newer.katas == ["FirstValue"] && newer.changed == ["FirstValue"])
        #expect(newer.remarks(strings) == [strings(.comparisonChanged, "FirstValue")])
    }

    @Test("A name is one line, leaves room for the figures, and cannot control the terminal")
    func names() throws {
        let name = "Ana\n\u{1B}[31m\u{202E}" + String(repeating: "é", count: 100)
        let comparison = InterviewComparison([quick(name)], blind: false)
        let lines = try InterviewComparisonText(comparison, localization: SampleSession.localization(), style: plain)
            .lines()
        #expect(lines.count == 6)
        #expect(lines[1].hasPrefix("Ana ␛[31m␡" + String(repeating: "é", count: 13) + "…   2:00/45:00"))
    }

    @Test("Several sessions of one candidate have numbers")
    func sameName() {
        let comparison = InterviewComparison([quick("Ana"), quick("Bo"), quick("Ana", seconds: 5)], blind: false)
        #expect(comparison.sessions.map(\.label) == ["Ana (1)", "Bo", "Ana (2)"])
        #expect(
            InterviewComparison([quick("Ana"), quick("ANA")], blind: false).sessions.map(\.label)
                == ["Ana (1)", "ANA (2)"])
    }

    @Test("Letters replace names, in an order that depends neither on the names nor on the command line")
    func letters() throws {
        let records = [quick("Zed Zola", seconds: 10), quick("Ana", seconds: 20), quick("Mo Ma", seconds: 30)]
        let comparison = InterviewComparison(records, blind: true)
        #expect(comparison.sessions.map(\.label) == ["A", "B", "C"])
        let reversed = InterviewComparison(records.reversed(), blind: true)
        #expect(comparison.sessions.map(\.record) == reversed.sessions.map(\.record))
        #expect(InterviewComparison.letter(25) == "Z" && InterviewComparison.letter(26) == "AA")
        // With other names, the order is the same.
        let others = [quick("Ana", seconds: 10), quick("Zed Zola", seconds: 20), quick("Mo Ma", seconds: 30)]
        #expect(
            InterviewComparison(others, blind: true).sessions.map(\.record.secondsWorked)
                == comparison.sessions.map(\.record.secondsWorked))
    }

    /// A session with a name in every place where a session can have one.
    private func named(_ name: String) -> InterviewRecord {
        var events = SampleSession.events(SampleSession.plan(name))
        var verdict = SampleSession.verdict(.failed, "FFC")
        verdict.diagnostics = [
            Diagnostic(
                severity: .error, file: "/home/\(name.lowercased())/F.swift", line: 1, column: 1,
                message: LocalizableMessage(.verbatim, "no member \(name.replacing(" ", with: ""))"))
        ]
        verdict.tests[0].messages = [LocalizableMessage(.mismatch, name, name.uppercased())]
        verdict.tests[0].output = "printed by \(name)"
        verdict.tests[0].marbles = Marbles(
            input: [.init(milliseconds: 0, label: name)], expected: [.init(milliseconds: 0, label: "1")],
            actual: [.init(milliseconds: 0, label: name)])
        verdict.tests[0].race = DataRace(lines: [.init(line: 1, does: .writes, code: "\(name) = 1")])
        verdict.tests[0].schedule = Schedule(
            text: "A4>C", rows: [.init(thread: 0, line: 1, code: "\(name) = 1", does: .writes)],
            waits: [.init(thread: 0, on: .lock, line: 1, code: "\(name).lock()")])
        let code = "// Created by \(name)\nlet \(name.lowercased().replacing(" ", with: "_")) = 1\n"
        events.insert(
            contentsOf: [
                InterviewEvent(SampleSession.at(185), .saved(number: 7, kata: "FirstValue", text: code)),
                InterviewEvent(SampleSession.at(185), .graded(save: 7, verdict)),
                InterviewEvent(SampleSession.at(186), .note(kata: "FirstValue", text: "\(name.uppercased()) asks why")),
            ], at: 12)
        guard let record = InterviewRecord(events) else { preconditionFailure() }
        return record
    }

    @Test("With --blind, nothing that is written or shown has a name, in any case or spelling")
    func traceless() throws {
        let names = ["Zörgiebel Quux", "Wqxz Vantablack"]
        try SampleSession.withFolder { (folder: URL) throws in
            let localization = try SampleSession.localization()
            // An earlier report in the folder, with names, is removed too.
            _ = try InterviewReportFolder.write(
                InterviewComparison(names.map(named), blind: false), to: folder.appendingPathComponent("report"),
                localization: localization, solutions: [:])
            let comparison = InterviewComparison(names.map(named), blind: true)
            let page = try InterviewReportFolder.write(
                comparison, to: folder.appendingPathComponent("report"), localization: localization,
                solutions: SampleSession.solutions)
            var texts = InterviewComparisonText(comparison, localization: localization, style: plain).lines()
            let written = try FileManager.default.contentsOfDirectory(atPath: page.deletingLastPathComponent().path)
            #expect(
                Set(written) == [
                    "comparison.csv", "comparison.html", "comparison.json", "replay-A.html", "replay-B.html",
                ])
            for name in written {
                let file = page.deletingLastPathComponent().appendingPathComponent(name)
                texts += [name, try String(contentsOf: file, encoding: .utf8)]
            }
            for text in texts {
                let plain = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
                for part in ["zorgiebel", "quux", "wqxz", "vantablack"] { #expect(!plain.contains(part)) }
                // The day of the session is not shown either.
                #expect(!plain.contains("1700000000"))
            }
            #expect(texts.contains { $0.contains("printed by A") || $0.contains("printed by B") })
        }
    }

    @Test("Sessions of different length are reported, each with its length")
    func lengths() throws {
        var short = quick("Bo Kim")
        short.plan.minutes = 30
        let comparison = InterviewComparison([quick("Ana"), short], blind: false)
        #expect(
            try comparison.remarks(InterviewReportStrings(.english)) == [
                "The sessions were not of the same length, so their times and points are not fully comparable: "
                    + "Ana: 45:00, Bo Kim: 30:00."
            ])
    }

    @Test("Where most of a kata came with one save after a long time, that is said, and it is no text at once")
    func unseen() throws {
        let text = (1...20).map { "send(\($0), to: receiver, after: delay\($0))\n" }.joined()
        let record = try #require(
            InterviewRecord([
                InterviewEvent(SampleSession.at(0), .begun(SampleSession.plan("Ana", katas: [SampleSession.kata]))),
                InterviewEvent(SampleSession.at(0), .opened(kata: "FirstValue", text: "import Combine\n")),
                InterviewEvent(SampleSession.at(900), .saved(number: 1, kata: "FirstValue", text: text)),
                InterviewEvent(
                    SampleSession.at(901), .graded(save: 1, SampleSession.verdict(.failed, "FFF"))),
                InterviewEvent(SampleSession.at(930), .closed(.finished)),
            ]))
        let characters = try #require(record.saves[0].added?.characters)
        #expect(
            try InterviewComparison([record], blind: false).remarks(InterviewReportStrings(.english)) == [
                "Ana: FirstValue: \(characters) of the \(characters) new characters came with save 1, after 0:15:00 "
                    + "(hours:minutes:seconds) without a save. The session does not show how they were written."
            ])
        #expect(record.katas[0].bursts == 0)
    }

    @Test("The CSV has a line for each session and kata, and no field that a spreadsheet would calculate")
    func csv() throws {
        let comparison = InterviewComparison([SampleSession.record(), quick("=Bo, Kim")], blind: false)
        let report = try InterviewComparisonReport(comparison, strings: InterviewReportStrings(.english))
        #expect(
            report.csv.split(separator: "\r\n").map(String.init) == [
                "\u{FEFF}session,kata,changed,outcome,points,maxPoints,firstCorePass,passed,mastered,hints,hintLimit,"
                    + "saves,bursts,seconds,minutes,sessionSeconds,pausedSeconds,asleepSeconds,awaySeconds,end,"
                    + "realSeconds,savesWhileStopped",
                "Ana García,FirstValue,false,failed,0,4,120,120,,1,5,3,0,200,45,400,300,3600,60,finished,4360,0",
                "\"'=Bo, Kim\",FirstValue,false,mastered,4,4,100,100,100,0,,1,0,120,45,120,0,0,0,timeUp,120,0",
            ])
    }

    /// Two sessions of which one was judged twice, and the other once.
    private func judged() -> [InterviewRecord] {
        var records = [SampleSession.record(), quick("Bo Kim")]
        func judgement(_ number: Int, _ mark: Int?, _ sentence: String) -> InterviewEvent {
            InterviewEvent(
                SampleSession.at(300),
                .judged(
                    .init(
                        kata: "FirstValue", number: number, question: "Why \(number), and who keeps `it`?", mark: mark,
                        sentence: sentence)))
        }
        records[0].add(observations: [
            judgement(1, 4, "Ana García knows why.\nAnd who."), judgement(3, nil, "=Skipped"),
        ])
        records[1].add(observations: [judgement(3, 2, "<b>Unsure</b> \u{1B}[31m")])
        return records
    }

    @Test("What the observer thought of the answers stands below the figures, the sessions next to each other")
    func rubric() throws {
        let comparison = InterviewComparison(judged(), blind: false)
        let text = try InterviewComparisonText(comparison, localization: SampleSession.localization(), style: plain)
        #expect(
            text.lines().suffix(8)
                == [
                    "",
                    "Session     Mark  In a sentence",
                    "1. Why 1, and who keeps `it`?",
                    "Ana García     4  Ana García knows why. And who.",
                    "Bo Kim         –",
                    "3. Why 3, and who keeps `it`?",
                    "Ana García     –  =Skipped",
                    "Bo Kim         2  <b>Unsure</b> ␛[31m",
                ])
        #expect(text.lines(columns: 50).allSatisfy { CellWidth.of($0) <= 50 })
    }

    @Test("The CSV has the marks and sentences of each question, and the JSON those of each session")
    func rubricData() throws {
        let comparison = InterviewComparison(judged(), blind: false)
        let report = try InterviewComparisonReport(comparison, strings: InterviewReportStrings(.english))
        let lines = report.csv.split(separator: "\r\n").map(String.init)
        #expect(lines[0].hasSuffix(",savesWhileStopped,mark1,sentence1,mark2,sentence2,mark3,sentence3"))
        #expect(lines[1].hasSuffix(",finished,4360,0,4,Ana García knows why. And who.,,,,\"'=Skipped\""), "\(lines[1])")
        #expect(lines[2].contains(",timeUp,120,0,,,,,2,"))
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
        let results = try #require((object?["katas"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
        let rubric = try #require(results[0]["rubric"] as? [[String: Any]])
        #expect(rubric.map { $0["number"] as? Int } == [1, 3] && rubric[1]["mark"] is NSNull)
        #expect(rubric[0]["question"] as? String == "Why 1, and who keeps `it`?")
        #expect((results[1]["rubric"] as? [[String: Any]])?.first?["mark"] as? Int == 2)
    }

    @Test("With blind, no name is in the rubric")
    func rubricBlind() throws {
        let comparison = InterviewComparison(judged(), blind: true)
        let report = try InterviewComparisonReport(comparison, strings: InterviewReportStrings(.english))
        let lines = try InterviewComparisonText(comparison, localization: SampleSession.localization(), style: plain)
            .lines()
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        for text in lines + [json, report.csv] { #expect(!text.contains("García") && !text.contains("Kim")) }
        #expect(lines.contains { $0.hasSuffix(" knows why. And who.") })
    }

    @Test("The page has a table of the questions, as text", .needs(.chromium), .startsPrograms)
    func rubricPage() throws {
        try SampleSession.withFolder { (folder: URL) throws in
            let file = try InterviewReportFolder.write(
                InterviewComparison(judged(), blind: false), to: folder, localization: SampleSession.localization(),
                solutions: [:])
            try Browser.show(file) { page in
                #expect(
                    try page.strings(
                        """
                        [...document.querySelectorAll('.rubric tbody tr')]
                            .map(r => [...r.children].map(c => c.textContent).join('|'))
                        """
                    ) == [
                        "1. Why 1, and who keeps it?", "Ana García|4|Ana García knows why.\nAnd who.", "Bo Kim|–|",
                        "3. Why 3, and who keeps it?", "Ana García|–|=Skipped", "Bo Kim|2|<b>Unsure</b> U+001B[31m",
                    ])
                try page.resize(width: 400, height: 900)
                #expect(try page.value("document.documentElement.scrollWidth <= 400") as? Bool == true)
            }
        }
    }

    @Test(
        "The curve of a session counts no test of code that does not compile or was rejected", .needs(.chromium),
        .startsPrograms, arguments: [Verdict.Outcome.didNotCompile, .rejected])
    func curveWithoutTests(outcome: Verdict.Outcome) throws {
        let kata = SampleSession.kata
        let verdict = Verdict.notRun(kata, outcome, LocalizableMessage(.verbatim, "expected pattern"))
        let record = try #require(
            InterviewRecord([
                InterviewEvent(SampleSession.at(0), .begun(SampleSession.plan(katas: [kata]))),
                InterviewEvent(SampleSession.at(60), .saved(number: 1, kata: kata.kata, text: "let x = 1\n")),
                InterviewEvent(SampleSession.at(60), .graded(save: 1, SampleSession.verdict(.passed, "PFP"))),
                InterviewEvent(SampleSession.at(120), .saved(number: 2, kata: kata.kata, text: "let\n")),
                InterviewEvent(SampleSession.at(120), .graded(save: 2, verdict)),
                InterviewEvent(SampleSession.at(180), .closed(.finished)),
            ]))
        try SampleSession.withFolder { (folder: URL) throws in
            let file = try InterviewReportFolder.write(
                InterviewComparison([record], blind: false), to: folder, localization: SampleSession.localization(),
                solutions: [:])
            try Browser.show(file) { (page: Browser) throws in
                #expect(
                    try page.text(
                        "JSON.stringify(JSON.parse(document.getElementById('data').textContent).curves)")
                        == "[[[0,0],[60,2],[120,0],[180,0]]]")
            }
        }
    }

    @Test("The JSON always has every key")
    func json() throws {
        let comparison = InterviewComparison([SampleSession.record(), quick("Bo Kim")], blind: false)
        let report = try InterviewComparisonReport(comparison, strings: InterviewReportStrings(.english))
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any]
        let json = try #require(object)
        #expect(json["schema"] as? Int == 1 && json["blind"] as? Bool == false)
        let sessions = try #require(json["sessions"] as? [[String: Any]])
        #expect(sessions[0]["hintLimit"] as? Int == 5 && sessions[1]["hintLimit"] is NSNull)
        #expect(sessions[0]["pausedSeconds"] as? Double == 300)
        let results = try #require((json["katas"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
        #expect(results[0]["mastered"] is NSNull && results[1]["mastered"] as? Double == 100)
    }

    @Test(
        "The page shows the same figures, in every language, with a curve and a link to the replay for each session",
        .needs(.chromium), .startsPrograms, arguments: Language.allCases)
    func page(language: Language) throws {
        let comparison = InterviewComparison([SampleSession.record(), quick(SampleSession.hostileNote)], blind: false)
        try SampleSession.withFolder { (folder: URL) throws in
            let localization = try SampleSession.localization(language)
            let file = try InterviewReportFolder.write(
                comparison, to: folder, localization: localization, solutions: [:])
            try Browser.show(file) { page in
                #expect(
                    try page.text("document.querySelector('h1').textContent")
                        == localization.interview(.comparisonTitle))
                #expect(
                    try page.strings(
                        "[...document.querySelectorAll('.kata tbody tr')].map(r => [...r.children].slice(2).map(c => c.textContent).join('|'))"
                    )
                        == ["0/4|2:00|2:00|–|1|3|0|3:20", "4/4|1:40|1:40|1:40|0|1|0|2:00"])
                #expect(try page.number("document.querySelectorAll('svg.curves path.curve').length") == 2)
                let links = try page.strings(
                    "[...document.querySelectorAll('#sessions a')].map(a => decodeURIComponent(a.getAttribute('href')))"
                )
                #expect(links.count == 2)
                try page.keepPicture("comparison-\(language.code)")
                for link in links {
                    #expect(FileManager.default.fileExists(atPath: folder.appendingPathComponent(link).path))
                }
            }
        }
    }
}
