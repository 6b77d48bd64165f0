import Foundation
import TestSupport
import Testing
import Workbook

@testable import Reports

/// The page as a browser shows it, from a file and with no network.
@Suite("gradebook.html", .needs(.chromium), .startsPrograms)
struct GradebookPageTests {
    private func withPage(
        _ language: Language = .english, _ records: [LearnerRecord] = SampleClass.records, fragment: String = "",
        formats: [String] = ["html"], _ body: (Browser) throws -> Void
    ) throws {
        try SampleClass.withReport(language, records, formats: formats) { (folder: URL) throws in
            try Browser.show(folder.appendingPathComponent("gradebook.html"), fragment: fragment, body)
        }
    }

    private let rows = "[...document.querySelectorAll('#map tbody th')].map(e => e.textContent)"

    @Test("shows the class at a glance, in every language", arguments: Language.allCases)
    func glance(language: Language) throws {
        try withPage(language) { (page: Browser) throws in
            let localization = try SampleClass.localization(language)
            #expect(try page.text("document.documentElement.lang") == language.code)
            #expect(try page.text("document.querySelector('h1').textContent") == localization.gradebook(.title))
            #expect(try page.number("document.querySelectorAll('#map tbody tr').length") == 5)
            #expect(try page.number("document.querySelectorAll('#distribution rect').length") == 10)
            #expect(try page.number("document.querySelectorAll('#time tbody tr').length") == 1)
            #expect(try page.number("document.querySelectorAll('#identical li a').length") == 2)
        }
    }

    @Test("shows results with different signs, not only with colour")
    func marks() throws {
        try withPage { (page: Browser) throws in
            let cells = try page.strings(
                """
                [...[...document.querySelectorAll('#testMap tbody tr')].find(r => r.textContent.includes('onerror'))
                    .querySelectorAll('.cell')].map(e => e.textContent)
                """)
            #expect(cells == ["✓", "✗", "‼"])
            let legend = try page.strings("[...document.querySelectorAll('#tests .legend li')].map(e => e.textContent)")
            #expect(legend.count == 5 && legend[0].hasPrefix("✓") && legend[0].contains("passed"))
        }
    }

    @Test("names the tests that fail most often among learners who handed the kata in, with their hints")
    func hardest() throws {
        try withPage(.english, SampleClass.records + [SampleClass.absent]) { (page: Browser) throws in
            let rows = try page.strings(
                "[...document.querySelectorAll('#hardest tbody tr')].map(r => [...r.children].map(c => c.textContent).join('|'))"
            )
            #expect(
                rows == [
                    "FirstValue · cancels title <b>|1 (25%)|cancels 1 <b>",
                    "FirstValue · time title <b>|1 (25%)|time 1 <b>",
                ])
        }
    }

    @Test("shows who is late and by how much, and the points that count, with the reason in the detail")
    func late() throws {
        var policy = GradingPolicy()
        policy.deadline = DateText("2026-12-01T00:00:00Z")
        policy.late = .init(percent: 25, span: .day)
        var record = try #require(SampleClass.records.first { $0.learner == "bob" })
        record.time = SubmissionTime(seconds: (policy.deadline?.last ?? 0) + 3661)
        try SampleClass.withReport(.english, [record], policy: policy, formats: ["html"]) { (folder: URL) throws in
            try Browser.show(folder.appendingPathComponent("gradebook.html")) { (page: Browser) throws in
                #expect(try page.strings(rows) == ["bob late 1:01:01 −25%"])
                #expect(try page.text("document.querySelector('#map tbody .points').textContent") == "3")
                let said = "Late by 1:01:01 (h:mm:ss), deduction 25%: 4 → 3 points"
                try page.value("document.querySelector('#map tbody a').click()")
                #expect(
                    try page.text(
                        "new Promise(done => setTimeout(() => done(document.querySelector('.adjustment').textContent), 0))"
                    )
                        == said)
                #expect(try page.text("document.querySelector('.cards b').textContent") == "3/4")
            }
        }
    }

    @Test("has the points that count in the headline of each learner's page, in JUnit and at Gradescope too")
    func oneNumber() throws {
        var policy = GradingPolicy()
        policy.deadline = DateText("2026-12-01T00:00:00Z")
        var record = try #require(SampleClass.records.first { $0.learner == "bob" })
        record.time = SubmissionTime(seconds: (policy.deadline?.last ?? 0) + 3661)
        for (percent, points, said) in [
            (25, 3, "Late by 1:01:01 (h:mm:ss), deduction 25%: 4 → 3 points"), (0, 4, "Late by 1:01:01 (h:mm:ss)"),
        ] {
            policy.late = .init(percent: percent, span: .day)
            try SampleClass.withReport(.english, [record], policy: policy) { (folder: URL) throws in
                try Browser.show(folder.appendingPathComponent("pages/bob.html")) { (page: Browser) throws in
                    #expect(try page.text("document.querySelector('.cards b').textContent") == "\(points)/4")
                    #expect(try page.text("document.querySelector('.adjustment').textContent") == said)
                }
                let text = { (path: String) in
                    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
                }
                #expect(try text("junit/bob.xml").contains("<system-out>\(points)/4 points&#10;\(said)</system-out>"))
                #expect(try text("gradescope/bob.json").contains("\"score\":\(points)"))
                #expect(try text("gradescope/bob.json").contains(said))
            }
        }
    }

    @Test("shows a sign for the outcome of each kata, and its points")
    func endings() throws {
        try withPage(.english, SampleClass.records + [SampleClass.absent]) { (page: Browser) throws in
            let cells = try page.strings(
                "[...document.querySelectorAll('#map tbody tr')].map(r => r.querySelector('.kata').title)")
            #expect(
                Set(cells) == [
                    "", "FirstValue · mastered · 4/4", "FirstValue · not passed yet · 2/4",
                    "FirstValue · does not compile · 0/4", "FirstValue · not handed in",
                ])
            let marks = try page.strings(
                "[...document.querySelectorAll('#map tbody td.kata')].map(e => e.textContent)")
            #expect(Set(marks) == ["", "★ 4", "✗ 2", "! 0", "·"])
        }
    }

    /// A class with as many katas as a large workbook has, under names as long as the longest.
    private func withSixteenKatas(_ body: (Browser) throws -> Void) throws {
        let katas = (1...16).map { number in
            var kata = SampleClass.kata
            kata.kata = "CombineAsyncPublisher\(number)"
            return kata
        }
        var header = SampleClass.header
        header.katas = katas
        var localization = try SampleClass.localization()
        for kata in katas { localization.texts[kata.kata] = localization.texts["FirstValue"] }
        try SampleClass.withReport(.english, []) { (folder: URL) throws in
            let report = try GradebookFolder(folder, header: header, localization: localization, formats: ["html"])
            for name in ["Ana Núñez", "Bob", "Łukasz Øster"] {
                let records = katas.map { kata in
                    var verdict = SampleClass.verdict(.mastered, (0..<3).map(SampleClass.passing))
                    verdict.kata = kata.kata
                    return KataRecord(digest: "\(name) \(kata.kata)", path: "a.swift", verdict: verdict)
                }
                try report.add(LearnerRecord(learner: name, sources: [name], katas: records))
            }
            _ = try report.finish()
            try Browser.show(folder.appendingPathComponent("gradebook.html"), body)
        }
    }

    @Test("begins with the class's table, which has room for sixteen katas on a screen of 1280 pixels")
    func wide() throws {
        try withSixteenKatas { (page: Browser) throws in
            try page.resize(width: 1280, height: 900)
            #expect(try page.text("document.querySelector('main section').id") == "class")
            #expect(try page.number("document.querySelectorAll('#map thead .kata').length") == 16)
            let table = "document.querySelector('#class .scroll')"
            #expect(try page.value("\(table).scrollWidth <= \(table).clientWidth") as? Bool == true)
            #expect(try page.value("document.documentElement.scrollWidth <= innerWidth") as? Bool == true)
        }
    }

    @Test("has the numbers of a list in columns within their own column")
    func columns() throws {
        try withSixteenKatas { (page: Browser) throws in
            try page.resize(width: 1280, height: 900)
            let item = "document.querySelector('ol.names > li')"
            #expect(try page.number("parseFloat(getComputedStyle(\(item)).marginInlineStart)") ?? 0 >= 30)
            #expect(try page.number("parseFloat(getComputedStyle(\(item).parentElement).paddingInlineStart)") == 0)
        }
    }

    @Test("keeps the headings and the names of a long table in sight, and says what a number stands for")
    func headings() throws {
        let records = (100..<160).map { number in
            var record = SampleClass.records.first { $0.learner == "bob" } ?? SampleClass.records[0]
            record.learner = "learner \(number)"
            return record
        }
        try withPage(.english, records) { (page: Browser) throws in
            try page.resize(width: 1280, height: 900)
            for table in ["map", "testMap"] {
                // The learner's heading is where the table's region begins, also when that has been scrolled.
                let isKept = """
                    (() => {
                        const region = document.getElementById('\(table)').parentElement;
                        region.scrollTop = 500;
                        const [top, head] = [region, region.querySelector('thead th')].map(e => e.getBoundingClientRect());
                        return region.scrollTop === 500 && Math.abs(head.top - top.top) < 2 && Math.abs(head.left - top.left) < 2;
                    })()
                    """
                #expect(try page.value(isKept) as? Bool == true)
            }
            let said = "document.getElementById('testName').textContent"
            #expect(try page.text(said)?.trimmingCharacters(in: .whitespaces) == "")
            try page.value("document.querySelector('#testMap thead [tabindex=\"0\"]').focus()")
            #expect(try page.text(said) == "1. comes title <b>")
            try page.press("ArrowRight")
            #expect(try page.text(said) == "2. cancels title <b>")
            let isAbove =
                "document.querySelector('ol.names').getBoundingClientRect().bottom <= document.getElementById('testMap').parentElement.getBoundingClientRect().top"
            #expect(try page.value(isAbove) as? Bool == true)
        }
    }

    @Test("shades the core tests and each theme by the share that passes, and has the number in the cell")
    func themes() throws {
        try withPage { (page: Browser) throws in
            #expect(
                try page.strings("[...document.querySelectorAll('#themes thead th')].map(e => e.textContent)")
                    == ["Kata", "core test"])
            #expect(
                try page.strings(
                    "[...document.querySelectorAll('#themes tbody td')].map(e => e.textContent + ' ' + e.className)")
                    == ["75% number shade4"])
        }
    }

    @Test("is a list on a phone, and finds a name that is typed without accents")
    func narrow() throws {
        try withSixteenKatas { (page: Browser) throws in
            try page.resize(width: 400, height: 900)
            #expect(
                try page.value("innerWidth === 400 && document.documentElement.scrollWidth <= 400") as? Bool == true)
            #expect(try page.text("getComputedStyle(document.querySelector('#map thead')).display") == "none")
            for (typed, name) in [("nunez", "Ana Núñez"), ("Lukasz o", "Łukasz Øster"), ("NÚÑEZ", "Ana Núñez")] {
                try page.value(
                    "{const f = document.getElementById('filter'); f.value = '\(typed)'; f.dispatchEvent(new Event('input'));}"
                )
                #expect(try page.strings(rows) == [name])
            }
        }
    }

    @Test("sorts by the header that is clicked, and reverses the order when it is clicked again")
    func sorts() throws {
        try withPage { (page: Browser) throws in
            let sort = { (key: String) throws -> (String?, [String]) in
                try page.value("document.querySelector('[data-sort=\"\(key)\"] button').click()")
                let state = try page.text("document.querySelector('[data-sort=\"\(key)\"]').getAttribute('aria-sort')")
                return (state, try page.strings(rows))
            }
            let down = try sort("points")
            #expect(down.0 == "descending")
            #expect(Set(down.1.prefix(2)) == ["Ana, \"la\" 김 ไทย", "bob"])
            let up = try sort("points")
            #expect(up.0 == "ascending")
            #expect(up.1 == down.1.reversed())
            let byKata = try sort("0")
            #expect(Set(byKata.1.prefix(2)) == ["Ana, \"la\" 김 ไทย", "bob"])
        }
    }

    @Test("filters by name and by state, and says how many it shows")
    func filters() throws {
        try withPage { (page: Browser) throws in
            let type = { (text: String) throws -> [String] in
                try page.value(
                    "{const f = document.getElementById('filter'); f.value = '\(text)'; f.dispatchEvent(new Event('input'));}"
                )
                return try page.strings(rows)
            }
            let choose = { (state: String) throws -> [String] in
                try page.value(
                    "{const f = document.getElementById('state'); f.value = '\(state)'; f.dispatchEvent(new Event('change'));}"
                )
                return try page.strings(rows)
            }
            #expect(try type("BO") == ["bob"])
            #expect(try page.text("document.getElementById('shown').textContent") == "Shown: 1/5")
            #expect(try type("nobody") == [])
            #expect(
                try page.text("document.querySelector('#map tbody').textContent")
                    == "No learner matches the filter.")
            #expect(try type("").count == 5)
            #expect(Set(try choose("identical")) == ["Ana, \"la\" 김 ไทย", "bob"])
            #expect(Set(try choose("unpassed")) == [SampleClass.hostileName, "cleo"])
            #expect(try choose("problems") == ["=HYPERLINK(\"http://x\") ⚠"])
        }
    }

    @Test("filters those who are late and those who are similar to others, and has the median of what all katas gave")
    func lateAndSimilar() throws {
        var policy = GradingPolicy()
        policy.deadline = DateText("2026-12-01T00:00:00Z")
        policy.late = .init(percent: 50, span: .day)
        var records = SampleClass.similarRecords
        records[2].time = SubmissionTime(seconds: (policy.deadline?.last ?? 0) + 1)
        try SampleClass.withReport(
            .english, records, policy: policy, formats: ["html"], code: SampleClass.similarCode
        ) { (folder: URL) throws in
            try Browser.show(folder.appendingPathComponent("gradebook.html")) { (page: Browser) throws in
                func chosen(_ state: String) throws -> [String] {
                    try page.value(
                        "{const f = document.getElementById('state'); f.value = '\(state)'; f.dispatchEvent(new Event('change'));}"
                    )
                    return try page.strings(
                        "[...document.querySelectorAll('#map tbody a')].map(e => e.textContent)")
                }
                #expect(try chosen("late") == ["cleo"])
                #expect(try chosen("similar") == ["ana", "bob"])
                let cards = try page.strings("[...document.querySelectorAll('#cards li')].map(e => e.textContent)")
                #expect(cards.contains("100%Median of all katas, for each learner"))
                #expect(cards.contains("100%Average of the katas handed in"))
                #expect(cards.contains("3Learners"))
            }
        }
    }

    @Test("has a page for a learner: diagnostics, differences, marbles, hints, and output that is text")
    func learner() throws {
        let place = try #require(SampleClass.records.firstIndex { $0.learner == SampleClass.hostileName }) + 1
        try withPage(fragment: "#learner/\(place)") { (page: Browser) throws in
            #expect(try page.text("document.querySelector('h1').textContent") == SampleClass.hostileName)
            // Without the marks both sides are the same: the marked text is the difference.
            let sides = try page.strings("[...document.querySelectorAll('.diff code')].map(e => e.textContent)")
            #expect(sides == ["[1, 2, 3]", "[1, 3, <i>4</i>]"])
            let common = try page.strings(
                """
                [...document.querySelectorAll('.diff code')].map(
                    e => [...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE).map(n => n.data).join(''))
                """)
            #expect(common.count == 2 && common[0] == common[1] && common[0].contains("1") && !common[0].contains("2"))
            let marked = try page.strings("[...document.querySelectorAll('.diff del')].map(e => e.textContent)")
            #expect(marked.contains("2") && !marked.contains("1"))
            #expect(
                try page.text("document.querySelector('.test pre').textContent") == SampleClass.hostileOutput)
            #expect(try page.number("document.querySelectorAll('svg.marbles .ball').length") == 6)
            let rows = try page.strings("[...document.querySelectorAll('svg.marbles > text')].map(e => e.textContent)")
            #expect(Array(rows.prefix(3)) == ["input", "expected", "got"])
            // No ball covers another one of its row.
            let overlaps = """
                (() => {
                    const balls = [...document.querySelectorAll('svg.marbles .ball')].map(e => e.getBBox());
                    return balls.flatMap((a, i) => balls.slice(i + 1).filter(
                        b => a.y === b.y && a.x < b.x + b.width && b.x < a.x + a.width)).length;
                })()
                """
            #expect(try page.number(overlaps) == 0)
            #expect(try page.number("document.querySelectorAll('svg.marbles .differs').length") == 1)
            #expect(try page.number("document.querySelectorAll('main script, main img, main i').length") == 0)
        }
    }

    @Test(
        "shows a data race, who waits, and the order of steps in a column for each thread", arguments: Language.allCases
    )
    func threads(language: Language) throws {
        let code = "<b>a</b> += 1"
        var record = SampleClass.records.first { $0.learner == SampleClass.hostileName } ?? SampleClass.records[0]
        record.katas[0].verdict.tests[1].race = DataRace(lines: [
            .init(line: 9, does: .writes, code: code), .init(line: 12, does: .reads, code: "a"),
        ])
        record.katas[0].verdict.tests[1].schedule = Schedule(
            text: "A4>C",
            rows: [
                .init(thread: 0, line: 9, code: code, does: .writes, afterGap: true),
                .init(thread: 2, line: 12, code: "a", does: .reads, mistake: true),
            ], waits: [.init(thread: 2, on: .lock, line: 12, code: "a")])
        try withPage(language, [record], fragment: "#learner/1") { (page: Browser) throws in
            let strings = try ReportStrings(language)
            let texts = "(where) => [...document.querySelectorAll(where)].map(e => e.textContent)"
            let heads = try page.strings("(\(texts))('.steps th')")
            #expect(heads == [strings.thread(0), strings.thread(2)])
            #expect(try page.strings("(\(texts))('.steps tbody tr')") == ["……", "9 \(code)", "✗12 a"])
            #expect(try page.strings("(\(texts))('.steps .mistake code')") == ["a"])
            let told = try page.strings("(\(texts))('.told tr')")
            #expect(told.count == 3 && told[0] == strings(.accessWrites, .text("9")) + code)
            #expect(told[2] == strings.thread(2) + strings(.waitLock) + "12 a")
            #expect(try page.number("document.querySelectorAll('main b b, main script').length") == 0)
            try page.keepPicture("schedule-\(language.code)")
        }
    }

    /// The page of learners of whom two have much in common.
    private func withPair(_ code: ClassCode = SampleClass.similarCode, _ body: (Browser) throws -> Void) throws {
        try SampleClass.withReport(.english, SampleClass.similarRecords, formats: ["html"], code: code) {
            (folder: URL) throws in
            try Browser.show(folder.appendingPathComponent("gradebook.html"), fragment: "#pair/1", body)
        }
    }

    @Test("shows two similar files side by side: what matches has the same number and color, what was given is dimmed")
    func pair() throws {
        try withPair { (page: Browser) throws in
            let marks = { (side: Int) in
                try page.strings(
                    "[...document.querySelectorAll('.side')[\(side)].querySelectorAll('.line')].map(e => e.children[1].textContent)"
                )
            }
            let dots = Array(repeating: "·", count: 12)
            #expect(try marks(0) == dots + [""] + Array(repeating: "1", count: 40) + Array(repeating: "", count: 4))
            #expect(try marks(1) == dots + Array(repeating: "", count: 4) + Array(repeating: "1", count: 40) + [""])
            let colors = try page.strings(
                "[...new Set([...document.querySelectorAll('.line.match')].map(e => getComputedStyle(e).backgroundColor))]"
            )
            #expect(colors.count == 1 && colors != ["rgba(0, 0, 0, 0)"])
            #expect(
                try page.strings("[...document.querySelectorAll('#matches button')].map(e => e.textContent)")
                    == ["1 14–53 ↔ 17–56"])
            let text = try page.text("document.querySelectorAll('.side')[1].textContent") ?? ""
            #expect(text.contains("</script><img src=x onerror="))
            #expect(try page.number("document.querySelectorAll('.side img, .side script').length") == 0)
        }
    }

    @Test("colors the code of both files, and leaves what was given dimmed")
    func colors() throws {
        try withPair { (page: Browser) throws in
            let of = { (row: Int) in
                try page.strings(
                    "[...document.querySelectorAll('.side')[0].querySelectorAll('.line')[\(row)].querySelectorAll('[class^=code]')].map(e => e.className + ' ' + e.textContent)"
                )
            }
            #expect(try of(12) == ["code5 // by bob"])
            #expect(try of(13).first == "code1 let")
            let colors = try page.strings(
                "[0, 13].map(i => getComputedStyle(document.querySelectorAll('.side')[0].querySelectorAll('.line')[i].querySelector('.code1')).color)"
            )
            #expect(Set(colors).count == 2)
        }
    }

    @Test("has a pair's files next to each other on a laptop, one below the other on a phone", arguments: [1280, 400])
    func pairWidths(width: Int) throws {
        try withPair { (page: Browser) throws in
            try page.resize(width: width, height: 900)
            let boxes = "[...document.querySelectorAll('.pane')].map(e => e.getBoundingClientRect())"
            let isBeside = try page.value("(([a, b]) => a.right <= b.left && a.top === b.top)(\(boxes))") as? Bool
            let isBelow = try page.value("(([a, b]) => a.bottom <= b.top && a.left === b.left)(\(boxes))") as? Bool
            #expect(isBeside == (width == 1280) && isBelow == (width == 400))
            #expect(try page.value("document.documentElement.scrollWidth <= \(width)") as? Bool == true)
            try page.keepPicture("gradebook-pair-\(width)")
        }
    }

    @Test("scrolls both files of a pair together, so that the same match is at the top of both")
    func pairScrolls() throws {
        try withPair { (page: Browser) throws in
            try page.resize(width: 1280, height: 900)
            try page.value("document.querySelectorAll('.pane').forEach(e => { e.style.maxHeight = '200px'; })")
            let tops = try page.strings(
                """
                new Promise(done => {
                    const [first, second] = document.querySelectorAll('.pane');
                    first.dispatchEvent(new Event('wheel'));
                    second.addEventListener('scroll', () => done([first, second].map(e => [...e.children].find(
                        row => row.offsetTop + row.offsetHeight > e.scrollTop + 3).firstChild.textContent)), {once: true});
                    first.scrollTop = first.children[29].offsetTop;
                })
                """)
            #expect(tops == ["30", "33"])
        }
    }

    @Test("goes to a match in both files, from the class and back")
    func pairLinks() throws {
        try withPair { (page: Browser) throws in
            try page.resize(width: 1280, height: 900)
            try page.value("document.querySelectorAll('.pane').forEach(e => { e.style.maxHeight = '200px'; })")
            try page.value("document.querySelector('#matches button').click()")
            let seen = try page.strings(
                """
                [...document.querySelectorAll('.pane')].map(e => [...e.children].find(
                    row => row.offsetTop + row.offsetHeight > e.scrollTop + 50).textContent.slice(0, 3))
                """)
            #expect(seen == ["141", "171"])
            #expect(
                try page.text(
                    """
                    new Promise(done => {
                        window.addEventListener('hashchange', () => setTimeout(() => done(
                            document.querySelector('#similar li li').textContent), 0), {once: true});
                        location.hash = '';
                    })
                    """)?.hasPrefix("Side by side ana – bob ") == true)
            #expect(try page.text("document.querySelector('#similar li li a').getAttribute('href')") == "#pair/1")
        }
    }

    @Test("shows of a pair what it is told to show, and says what was not kept")
    func pairShown() throws {
        let blind = ClassCode(
            known: SampleClass.similarCode.known, text: SampleClass.similarCode.text,
            shown: { text, learners in learners.reduce(text) { $0.replacing($1, with: "0001") } })
        try withPair(blind) { (page: Browser) throws in
            let text = "[...document.querySelectorAll('.pane')].map(e => e.textContent)"
            #expect(try page.strings(text).allSatisfy { $0.contains("// by 0001") && !$0.contains("bob") })
        }
        try withPair(ClassCode()) { (page: Browser) throws in
            #expect(
                try page.strings("[...document.querySelectorAll('.note')].map(e => e.textContent)").allSatisfy {
                    !$0.isEmpty
                })
            #expect(try page.number("document.querySelectorAll('.side .note').length") == 2)
        }
    }

    @Test("works without a mouse")
    func keyboard() throws {
        try withPage { (page: Browser) throws in
            try page.press("/", text: "/")
            #expect(try page.text("document.activeElement.id") == "filter")
            #expect(try page.text("document.getElementById('filter').value") == "")
            try page.press("Escape")
            try page.value("document.querySelector('#map tbody a').focus()")
            try page.press("ArrowDown")
            let second = try page.strings(rows)[1]
            #expect(try page.text("document.activeElement.textContent") == second.replacing(" ⚠", with: ""))
            let arrived =
                "new Promise(done => window.addEventListener('hashchange', () => setTimeout(done, 0), {once: true}))"
            try page.value("{const a = \(arrived); document.activeElement.click(); a}")
            #expect(try page.text("location.hash") != "")
            let before = try page.text("document.querySelector('h1').textContent")
            try page.value("void (window.next = \(arrived))")
            try page.press("n")
            try page.value("window.next")
            #expect(try page.text("document.querySelector('h1').textContent") != before)
            try page.value("void (window.next = \(arrived))")
            try page.press("Escape")
            try page.value("window.next")
            #expect(try page.number("document.querySelectorAll('#map').length") == 1)
        }
    }

    @Test("follows the reader's light or dark mode")
    func schemes() throws {
        try withPage { (page: Browser) throws in
            let background = "getComputedStyle(document.body).backgroundColor"
            try page.prefer(dark: false)
            let light = try page.text(background)
            try page.prefer(dark: true)
            let dark = try page.text(background)
            #expect(light == "rgb(255, 255, 255)")
            #expect(dark != light)
            try page.keepPicture("gradebook-dark")
            try page.prefer(dark: false)
            try page.keepPicture("gradebook-light")
        }
    }

    @Test("runs no code from a page's data, even if the data is markup")
    func policy() throws {
        try SampleClass.withReport { (folder: URL) throws in
            let file = folder.appendingPathComponent("gradebook.html")
            let page = try String(contentsOf: file, encoding: .utf8)
            let hostile = page.replacing(
                "</main>", with: "<img src=x onerror='window.pwned=3'><script>window.pwned=4</script></main>")
            try Data(hostile.utf8).write(to: file)
            try Browser.withPage { browser in
                try browser.open(file)
                #expect(try browser.text("typeof window.pwned") == "undefined")
                #expect(browser.complaints.contains { $0.contains("Content Security Policy") })
            }
        }
    }

    @Test("stays usable with two thousand learners: a hundred at a time")
    func large() throws {
        let many = (0..<2000).map { number in
            var record = SampleClass.records.first { $0.learner == "bob" } ?? SampleClass.records[0]
            record.learner = "learner " + String(String(10_000 + number).dropFirst())
            return record
        }
        try withPage(.english, many) { (page: Browser) throws in
            #expect(try page.number("document.querySelectorAll('#map tbody tr').length") == 100)
            try page.value(
                "[...document.querySelectorAll('.tools button')].find(b => b.textContent === 'Next').click()")
            #expect(try page.strings(rows).first == "learner 0100")
        }
    }

    @Test("shows why a person should look at a submission, and finds those submissions")
    func look() throws {
        let records = SampleClass.records.map { record in
            var record = record
            if record.learner == "bob" {
                record.katas[0].verdict.reasonsToLook = [
                    ReasonToLook(LocalizableMessage(.lookCFunction, "<b>"), line: 12)
                ]
            }
            return record
        }
        try withPage(.english, records) { (page: Browser) throws in
            #expect(try page.strings(rows).filter { $0.contains("⚑") } == ["bob ⚑"])
            let found = try page.strings(
                """
                (() => { const state = document.getElementById('state'); state.value = 'look';
                    state.dispatchEvent(new Event('change')); return \(rows); })()
                """)
            #expect(found == ["bob ⚑"])
        }
        let place = try #require(records.firstIndex { $0.learner == "bob" })
        try withPage(.english, records, fragment: "#learner/\(place + 1)") { (page: Browser) throws in
            #expect(
                try page.strings("[...document.querySelectorAll('.look')].map(e => e.textContent)")
                    == ["⚑ Worth a look: FirstValue.swift:12: The C function <b> is used as a value."])
        }
    }

    // MARK: Who is similar to whom

    /// A ring of fourteen, of whom any two are a pair, twenty groups of two, and two who handed in the same file.
    private func withGroups(fragment: String = "", _ body: (Browser) throws -> Void) throws {
        let sizes = [14] + Array(repeating: 2, count: 20)
        var files: [(learner: String, digest: String, text: String)] = []
        for (group, size) in sizes.enumerated() {
            for member in 0..<size {
                let name = "g\(group + 10) m\(member + 10)"
                let own = 90_000 + files.count * 20
                let text =
                    SampleClass.statements(group * 1000..<group * 1000 + 100)
                    + SampleClass.statements(own..<own + 3 + member)
                files.append((name, name, text))
            }
        }
        let same = SampleClass.statements(50_000..<50_100)
        files += [("twin 1", "twins", same), ("twin 2", "twins", same)]
        let records = files.map { file in
            var record = SampleClass.similarRecords[0]
            record.learner = file.learner
            record.katas[0].digest = file.digest
            record.katas[0].fingerprints = SourceFingerprints(of: file.text.utf8)
            return record
        }
        let texts = Dictionary(files.map { ($0.digest, $0.text) }) { first, _ in first }
        let code = ClassCode(text: { texts[$0] })
        try SampleClass.withReport(.english, records, formats: ["html"], code: code) { (folder: URL) throws in
            try Browser.show(folder.appendingPathComponent("gradebook.html"), fragment: fragment, body)
        }
    }

    @Test("draws each group with a point a file and a line a pair, thicker the more they have in common")
    func circles() throws {
        try withGroups { (page: Browser) throws in
            #expect(try page.number("document.querySelectorAll('#similar figure').length") == 22)
            let ring = "document.querySelector('#similar figure')"
            #expect(try page.number("\(ring).querySelectorAll('.node').length") == 14)
            #expect(try page.number("\(ring).querySelectorAll('.link').length") == 91)
            let isInOrder = """
                (() => {
                    const lines = [...\(ring).querySelectorAll('.link')].map(e => [
                        Number(e.getAttribute('aria-label').match(/(\\d+)%/)[1]),
                        Number(e.querySelector('.drawn').getAttribute('stroke-width'))]);
                    const [first, last] = [lines[0], lines[lines.length - 1]];
                    return last[0] > first[0] && last[1] > first[1];
                })()
                """
            #expect(try page.value(isInOrder) as? Bool == true)
            // No name is written over another one.
            let overlaps = """
                [...document.querySelectorAll('#similar figure')].flatMap(figure => {
                    const boxes = [...figure.querySelectorAll('text')].map(e => e.getBBox());
                    return boxes.flatMap((a, i) => boxes.slice(i + 1).filter(b => a.x < b.x + b.width
                        && b.x < a.x + a.width && a.y + 2 < b.y + b.height && b.y + 2 < a.y + a.height));
                }).length
                """
            #expect(try page.number(overlaps) == 0)
            let twins = "[...document.querySelectorAll('#similar figure')].pop().textContent"
            #expect(try page.text(twins)?.contains("twin 1 +1") == true)
            for width in [1280, 400] {
                try page.resize(width: width, height: 900)
                #expect(try page.value("document.documentElement.scrollWidth <= \(width)") as? Bool == true)
            }
        }
    }

    @Test("draws the same picture each time")
    func sameCircles() throws {
        var pictures: [String] = []
        for _ in 0..<2 {
            try withGroups { (page: Browser) throws in
                pictures.append(try page.text("document.querySelector('.circles').innerHTML") ?? "")
            }
        }
        #expect(pictures[0] == pictures[1] && pictures[0].contains("<line"))
    }

    /// What has the focus after the address has changed.
    private func chosen(_ page: Browser, _ action: String) throws -> String? {
        try page.text(
            """
            new Promise(done => {
                window.addEventListener('hashchange', () => setTimeout(() => done(
                    document.activeElement.closest('details')?.id + ' ' + document.activeElement.closest('details')?.open
                        + ' ' + document.activeElement.tagName), 0), {once: true});
                \(action);
            })
            """)
    }

    @Test("opens the group or the pair that was chosen in the picture, with a pointer and with the keyboard")
    func chooses() throws {
        try withGroups { (page: Browser) throws in
            #expect(try page.number("document.querySelectorAll('#similar .groups details[open]').length") == 0)
            let click = "dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
            let pair = "document.querySelectorAll('#similar figure')[3].querySelector('.link').\(click)"
            #expect(try chosen(page, pair) == "group-4 true A")
            let node = "document.querySelectorAll('#similar figure')[1].querySelector('.node').\(click)"
            #expect(try chosen(page, node) == "group-2 true SUMMARY")
            // One stop of the tab key a group, and arrows within it.
            let svg = "document.querySelector('#similar figure svg')"
            #expect(try page.number("\(svg).querySelectorAll('[tabindex=\"0\"]').length") == 1)
            try page.value("\(svg).querySelector('[tabindex=\"0\"]').focus()")
            try page.press("ArrowLeft")
            #expect(try page.text("document.activeElement.getAttribute('class')")?.hasPrefix("link") == true)
            try page.press("ArrowRight")
            #expect(try page.text("document.activeElement.getAttribute('class')") == "node")
            // What the learner has nothing to do with steps back.
            #expect(try page.number("\(svg).querySelectorAll('.link.lit').length") == 13)
            try page.press("Enter", text: "\r")
            #expect(try page.text("location.hash") == "#similar/1")
        }
    }

    @Test("comes back from a pair to its place in the list")
    func backToTheList() throws {
        try withGroups(fragment: "#pair/1") { (page: Browser) throws in
            #expect(try chosen(page, "document.getElementById('back').click()") == "group-1 true A")
        }
    }
}
