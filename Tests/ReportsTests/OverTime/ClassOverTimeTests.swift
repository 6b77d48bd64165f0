import Foundation
import TestSupport
import Testing
import Workbook

@testable import Reports

@Suite("A class over time")
struct ClassOverTimeTests {
    typealias Learner = ClassReport.Learner

    private func result(_ percent: Int?) -> ClassOverTime.Result? {
        percent.map { ClassOverTime.Result(points: max(0, $0), isHandedIn: $0 >= 0, share: Double(max(0, $0)) / 100) }
    }

    /// -1 stands for a report that was not handed in, `nil` for one that the learner is not in.
    @Test(
        "Fell behind: 20 percentage points below the average of what was handed in before, or nothing any more",
        arguments: [
            ([90, 70], true), ([90, 71], false), ([100, 60, 60], true), ([100, 60, 61], false),
            // What was not handed in before makes the average no smaller.
            ([90, -1, 70], true), ([90, nil, 70], true),
            ([90, -1], true), ([90, nil], true), ([0, -1], true),
            ([-1, -1], false), ([nil, 10], false), ([-1, 50], false), ([50], false), ([-1], false), ([20, 90], false),
        ] as [([Int?], Bool)])
    func fellBehind(percents: [Int?], expected: Bool) {
        #expect(ClassOverTime.hasFallenBehind(percents.map(result)) == expected)
    }

    /// The points of each learner in each report, in the order in which the learners are shown.
    private func rows(_ reports: [[Learner]]) throws -> [String] {
        let overTime = try ClassOverTime(
            reports.enumerated().map { ClassReport("week\($0 + 1)", maxPoints: 100, learners: $1) })
        return overTime.learners.map { learner in
            "\(learner.name): " + learner.results.map { $0.map { "\($0.points)" } ?? "-" }.joined(separator: " ")
        }
    }

    @Test("A learner is found by number, address or account, whatever the name is")
    func byMark() throws {
        let rows = try rows([
            [Learner("garciaana", number: "12", points: 1), Learner("ben", github: "Ben-K", points: 2)],
            [
                Learner("Ana García", number: "12", email: "ana@example.org", points: 3),
                Learner("Kim, Ben", github: "ben-k", points: 4),
            ],
            [Learner("A. G.", email: "ANA@example.org", points: 5)],
        ])
        #expect(rows == ["Kim, Ben: 2 4 -", "A. G.: 1 3 5"])
    }

    @Test("Where one report knows no number, the name finds the learner in any form")
    func byName() throws {
        let rows = try rows([
            [Learner("Doe, Jane", points: 1), Learner("Lee", number: "1", points: 2)],
            [Learner("doejane", number: "7", points: 3), Learner("lee", points: 4)],
        ])
        #expect(rows == ["doejane: 1 3", "lee: 2 4"])
    }

    @Test("Two people of one name stay two, and a shared number goes to the one with the same name")
    func sameName() throws {
        let rows = try rows([
            [Learner("Kim", number: "1", points: 1), Learner("Kim", number: "2", points: 2)],
            [Learner("Kim", number: "2", points: 3), Learner("Kim", number: "3", points: 4)],
            [Learner("Kim", points: 9)],
        ])
        #expect(rows == ["Kim: 1 - -", "Kim: 2 3 -", "Kim: - 4 -", "Kim: - - 9"])
        let shared = [Learner("Ana", number: "5", points: 1), Learner("Ben", number: "5", points: 2)]
        #expect(try self.rows([shared, shared.reversed()]) == ["Ana: 1 1", "Ben: 2 2"])
    }

    @Test("The average is that of those who handed in, and the weakest theme comes first")
    func ofTheClass() throws {
        let overTime = try ClassOverTime([
            ClassReport(
                "one", maxPoints: 50,
                learners: [
                    Learner("a", points: 50), Learner("b", points: 25), Learner("c", points: 0, isHandedIn: false),
                ],
                themes: ["errors": .init(passed: 3, tests: 4), "demand": .init(passed: 0, tests: 2)]),
            ClassReport(
                "two", maxPoints: 10, learners: [Learner("a", points: 0, isHandedIn: false)],
                themes: ["errors": .init(passed: 0, tests: 4)]),
        ])
        #expect(overTime.reports.map(\.average) == [0.75, nil])
        #expect(overTime.reports.map(\.handedIn) == [2, 0])
        #expect(overTime.maxPoints == 60)
        #expect(overTime.themes.map(\.theme) == ["demand", "errors"])
        #expect(
            overTime.themes.map(\.results) == [
                [.init(passed: 0, tests: 2), nil], [.init(passed: 3, tests: 4), .init(passed: 0, tests: 4)],
            ])
    }

    private func numbers(_ names: [String]) -> LearnerNumbers {
        var numbers = LearnerNumbers()
        var generator = SystemRandomNumberGenerator()
        // One after another: their order is known.
        for name in names { numbers.add([name], using: &generator) }
        return numbers
    }

    private func numbered(_ name: String, _ numbers: LearnerNumbers) -> ClassReport {
        ClassReport(
            name, maxPoints: 1, learners: [Learner("0001", points: 1), Learner("0002", points: 1)], numbers: numbers)
    }

    @Test("Numbers in place of names match only where their tables agree, which one that has grown does")
    func numbersInPlaceOfNames() throws {
        let first = numbered("one", numbers(["ana", "ben"]))
        let grown = numbered("two", numbers(["ana", "ben", "eve"]))
        #expect(try ClassOverTime([first, grown]).learners.map(\.name) == ["0001", "0002"])
        #expect(throws: ClassOverTime.Mistake.otherNumbers("one", "two")) {
            try ClassOverTime([first, numbered("two", numbers(["ben", "ana"]))])
        }
        #expect(throws: ClassOverTime.Mistake.otherNumbers("one", "two")) {
            try ClassOverTime([first, numbered("two", LearnerNumbers())])
        }
        let named = ClassReport("three", maxPoints: 1, learners: [Learner("ana", points: 1)])
        #expect(throws: ClassOverTime.Mistake.numbersAndNames("two", "three")) {
            try ClassOverTime([named, grown])
        }
        #expect(try ClassOverTime([numbered("one", LearnerNumbers())]).learners.count == 2)
    }

    @Test("Folders that have the names of students' numbers are no numbers in place of names")
    func numbersAsNames() {
        var report = ClassReport(
            "one", maxPoints: 1, learners: [Learner("20240012", points: 1)], numbers: LearnerNumbers())
        report.setNumbers(LearnerNumbers())
        #expect(report.numbers == nil)
        report = numbered("one", LearnerNumbers())
        report.setNumbers(LearnerNumbers())
        #expect(report.numbers != nil)
    }

    // MARK: What is read

    private func read(_ json: String) throws -> ClassReport {
        let scratch = try ScratchFolder()
        try Data(json.utf8).write(to: scratch("gradebook.json"))
        return try ClassReport("week", in: scratch("."))
    }

    private func gradebook(_ entries: String, schema: Int = 1) -> String {
        #"{"schema":\#(schema),"katas":[{"kata":"A","maxPoints":100,"tests":[]}],"learners":[\#(entries)]}"#
    }

    private func kata(_ points: Int, _ outcome: String = "passed", handedIn: Bool = true) -> String {
        #"{"kata":"A","outcome":"\#(outcome)","points":\#(points),"handedIn":\#(handedIn),"themes":[{"theme":"errors","passed":1,"tests":2}]}"#
    }

    @Test("The points that count are read, and the themes of what was handed in with a change")
    func reading() throws {
        let report = try read(
            gradebook(
                #"{"learner":"ana","sources":["ana"],"number":"7","time":{"points":45},"katas":[\#(kata(50))]},"#
                    + #"{"learner":"ben","sources":[],"time":null,"katas":[\#(kata(0, "notStarted", handedIn: false))]},"#
                    + #"{"learner":"eve","sources":["eve"],"katas":[]},"#
                    + #"{"learner":"fay","sources":["fay"],"katas":[\#(kata(20, "notStarted"))]}"#))
        #expect(report.maxPoints == 100)
        #expect(
            report.learners == [
                Learner("ana", number: "7", points: 45), Learner("ben", points: 0, isHandedIn: false),
                Learner("eve", points: 0, isHandedIn: false), Learner("fay", points: 20),
            ])
        #expect(report.themes == ["errors": .init(passed: 1, tests: 2)])
        #expect(report.numbers == nil)
    }

    @Test("It makes no difference how the file is laid out")
    func layout() throws {
        let entries = [
            #"{"learner":"ana","sources":["a]\n"],"katas":[\#(kata(50))]}"#,
            #"{"learner":"ben","sources":["b"],"katas":[\#(kata(60))]}"#,
        ]
        let compact = try read(gradebook(entries.joined(separator: ",")))
        let opening = #"{"schema":1,"katas":[{"maxPoints":100}],"# + "\n\"learners\":["
        let lines = opening + "\n" + entries.joined(separator: ",\n") + "\n],\n\"totals\":{}\n}\n"
        #expect(try read(lines) == compact)
        #expect(compact.learners.map(\.points) == [50, 60])
        #expect(try read(opening + "\n],\n\"totals\":{}\n}\n").learners == [])
        for cut in [2, 20, 60, 200] {
            #expect(throws: ClassReport.Problem.damaged) { try read(String(lines.dropLast(cut))) }
        }
    }

    @Test("Those who handed in together are learners of their own, where the platform says who they are")
    func together() throws {
        let report = try read(
            gradebook(
                #"{"learner":"Ana, Ben","sources":["s"],"number":"1, 2","email":"a@x.org, b@x.org","katas":[\#(kata(60))]},"#
                    + #"{"learner":"Doe, Jane","sources":["s"],"number":"3","katas":[\#(kata(60))]}"#))
        #expect(
            report.learners == [
                Learner("Ana", number: "1", email: "a@x.org", points: 60),
                Learner("Ben", number: "2", email: "b@x.org", points: 60),
                Learner("Doe, Jane", number: "3", points: 60),
            ])
    }

    @Test("What is no report, of another schema or not there is told apart")
    func problems() throws {
        #expect(throws: ClassReport.Problem.otherSchema(2)) { try read(#"{"schema":2,"learners":"other"}"#) }
        #expect(throws: ClassReport.Problem.damaged) { try read(String(gradebook("").dropLast(3))) }
        #expect(throws: ClassReport.Problem.damaged) { try read("[]") }
        #expect(throws: ClassReport.Problem.damaged) { try read(gradebook(#"{"learner":7}"#)) }
        let scratch = try ScratchFolder()
        #expect(throws: ClassReport.Problem.missing) { try ClassReport("week", in: scratch(".")) }
    }

    // MARK: What is shown

    static func sample() throws -> ClassOverTime {
        func report(_ name: String, _ points: [(String, Int?)], _ themes: [String: ClassReport.ThemeTests])
            -> ClassReport
        {
            ClassReport(
                name, maxPoints: 200,
                learners: points.map { Learner($0, points: $1 ?? 0, isHandedIn: $1 != nil) }, themes: themes)
        }
        return try ClassOverTime([
            report(
                "week1", [("Ana García", 180), ("김민수", 200), (SampleClass.hostileName, nil)],
                ["errors": .init(passed: 3, tests: 4), "demand": .init(passed: 1, tests: 4)]),
            report("week2", [("Ana García", 120), ("김민수", 190), ("Zoe", 20)], ["errors": .init(passed: 2, tests: 4)]),
        ])
    }

    private func lines(_ language: Language = .english, columns: Int? = nil) throws -> [String] {
        let localization = try OverTimeLocalization(ReportStrings(language))
        let style = TextStyle(isColored: false, isUnicode: true)
        return ClassOverTimeText(try Self.sample(), localization: localization, style: style).lines(columns: columns)
    }

    @Test("The console has a line for each learner, the averages, who fell behind, and the weakest themes")
    func console() throws {
        #expect(
            try lines() == [
                "  Learner                                week1      week2    Total",
                "! Ana García                         180 (90%)  120 (60%)  300/400",
                "  </script><img src=x onerror=\"wi…           –               0/400",
                "  Zoe                                            20 (10%)   20/400",
                "  김민수                            200 (100%)  190 (95%)  390/400",
                "",
                "  Average of those who submitted           95%        55%",
                "",
                "! Fell behind: the score in the last report is at least 20 percentage points below the average of the earlier reports with a submission, or the last report has no submission although an earlier one has.",
                "",
                "Themes, weakest first: the share of tests that pass",
                "  Theme                  week1  week2",
                "  Demand                   25%",
                "  Errors and completion    75%    50%",
            ])
    }

    @Test("Where there is little room, reports have numbers that are explained", arguments: Language.allCases)
    func narrow(language: Language) throws {
        let lines = try lines(language, columns: 60)
        #expect(lines.prefix(3) == ["1: week1", "2: week2", ""])
        #expect(lines[4].hasPrefix("! Ana García") && lines[4].hasSuffix("300/400"))
        #expect(lines.allSatisfy { CellWidth.of($0) <= 60 }, "\(lines)")
    }

    @Test("The table has a line a learner, and no name is a formula")
    func csv() throws {
        let localization = try OverTimeLocalization(ReportStrings(.english))
        let lines = ClassOverTimeReport(try Self.sample(), localization: localization).csv(localization)
            .components(separatedBy: "\r\n")
        #expect(
            lines[0]
                == "\u{FEFF}Learner,fell behind,week1: Points,week1: percentage,week2: Points,week2: percentage,Total,Maximum points,Number,GitHub,Email"
        )
        #expect(lines[1] == "Ana García,fell behind,180,90,120,60,300,400,,,")
        #expect(lines[2].hasSuffix(",,0,not handed in,,,0,400,,,"))
        #expect(lines.count == 6)
    }

    @Test("The catalog has every text in six languages, and nothing else")
    func complete() throws {
        let keys = Set(OverTimeKey.allCases.map(\.rawValue))
        #expect(try CatalogReview(contentsOf: OverTimeKey.catalog, keys: keys).findings == [])
    }
}

/// The page as a browser shows it, from a file and with no network.
@Suite("progress.html", .needs(.chromium), .startsPrograms)
struct ClassOverTimePageTests {
    private func withPage(_ language: Language = .english, _ body: (Browser) throws -> Void) throws {
        let scratch = try ScratchFolder()
        let localization = try OverTimeLocalization(ReportStrings(language))
        let report = ClassOverTimeReport(try ClassOverTimeTests.sample(), localization: localization)
        let file = scratch("progress.html")
        try Data(ClassOverTimePage(report, localization: localization).text().utf8).write(to: file)
        try Browser.show(file, body)
    }

    @Test("is in the reader's language, and fits a phone", arguments: Language.allCases)
    func language(language: Language) throws {
        try withPage(language) { (page: Browser) throws in
            let strings = try OverTimeStrings(language)
            #expect(try page.text("document.documentElement.lang") == language.code)
            #expect(try page.text("document.querySelector('h1').textContent") == strings(.title))
            #expect(try page.text("document.getElementById('rule').textContent") == strings(.rule))
            #expect(try page.value("document.body.innerText.includes('undefined')") as? Bool == false)
            #expect(try page.value("document.body.innerText.includes('NaN')") as? Bool == false)
            try page.keepPicture("progress-\(language.code)")
            try page.resize(width: 360, height: 700)
            #expect(try page.value("document.documentElement.scrollWidth <= innerWidth") as? Bool == true)
            try page.keepPicture("progress-phone-\(language.code)")
        }
    }

    @Test("shows those who fell behind first, and says in words what lines and empty cells show")
    func learners() throws {
        try withPage { (page: Browser) throws in
            let rows = try page.strings(
                "[...document.querySelectorAll('#learners tbody tr')].map(r => [...r.children].map(c => c.textContent).join('|'))"
            )
            #expect(
                rows == [
                    "Ana García ▼ fell behind||180 (90%)|120 (60%)|300/400", "\(SampleClass.hostileName)||·||0/400",
                    "Zoe|||20 (10%)|20/400", "김민수||200 (100%)|190 (95%)|390/400",
                ])
            let curves = try page.strings(
                "[...document.querySelectorAll('#learners svg')].map(e => e.getAttribute('aria-label'))")
            #expect(
                curves == [
                    "week1: 90%; week2: 60%", "week1: not handed in; week2: not in this report",
                    "week1: not in this report; week2: 10%", "week1: 100%; week2: 95%",
                ])
            #expect(
                try page.strings("[...document.querySelectorAll('#learners tfoot td')].map(c => c.textContent)")
                    == ["", "95%", "55%", ""])
            #expect(
                try page.strings("[...document.querySelectorAll('#learners thead th')].map(c => c.textContent)")
                    == ["Learner", "Over time", "week1", "week2", "Total"])
            #expect(
                try page.strings("[...document.querySelectorAll('#cards b')].map(c => c.textContent)")
                    == ["4", "1", "55%"])
        }
    }

    @Test("shows the themes in shades, the weakest first")
    func themes() throws {
        try withPage { (page: Browser) throws in
            let rows = try page.strings(
                "[...document.querySelectorAll('#themes tbody tr')].map(r => [...r.children].map(c => c.textContent + ' ' + c.className).join('|'))"
            )
            #expect(
                rows == [
                    "Demand |25% number shade1| ", "Errors and completion |75% number shade4|50% number shade3",
                ])
            try page.prefer(dark: true)
            try page.keepPicture("progress-dark")
        }
    }
}
