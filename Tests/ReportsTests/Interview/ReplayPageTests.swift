import Foundation
import Reports
import TestSupport
import Testing
import Workbook

/// The page as a browser shows it, from a file and with no network.
@Suite("replay.html", .needs(.chromium), .startsPrograms)
struct ReplayPageTests {
    private func withPage(
        _ language: Language = .english, _ record: InterviewRecord = SampleSession.record(),
        solutions: [String: String] = SampleSession.solutions, _ body: (Browser) throws -> Void
    ) throws {
        try SampleSession.withFolder { (folder: URL) throws in
            let page = try ReplayPage(record, localization: SampleSession.localization(language), solutions: solutions)
            try Browser.show(InterviewReportFolder.write(page, to: folder), body)
        }
    }

    private let now = "document.getElementById('now').textContent"
    private let place = "Number(document.getElementById('timeline').getAttribute('aria-valuenow'))"
    /// The code's lines, each with its sign.
    private let code =
        "[...document.querySelectorAll('#code .line')].map(l => l.children[1].textContent + l.children[2].textContent)"

    @Test("is in the reader's language", arguments: Language.allCases)
    func language(language: Language) throws {
        try withPage(language) { (page: Browser) throws in
            let strings = try InterviewReportStrings(language)
            #expect(try page.text("document.documentElement.lang") == language.code)
            #expect(try page.text("document.querySelector('h1').textContent") == "Ana García – " + strings(.title))
            #expect(try page.text("document.title") == "Ana García – " + strings(.title))
            #expect(try page.text("document.getElementById('answer').textContent") == strings(.answerShow))
            try page.press("ArrowRight")
            try page.press("m", text: "m")
            try page.keepPicture("replay-\(language.code)")
            #expect(try page.value("document.body.innerText.includes('undefined')") as? Bool == false)
            #expect(try page.value("document.body.innerText.includes('NaN')") as? Bool == false)
        }
    }

    @Test("shows every moment of the session in its order, and on the timeline")
    func moments() throws {
        try withPage { (page: Browser) throws in
            let list = try page.strings(
                "[...document.querySelectorAll('#list li')].map(e => [...e.childNodes].filter(c => c.className !== 'words').map(c => c.textContent).join(''))"
            )
            #expect(
                list == [
                    "▸0:00 Kata opened · FirstValue", "✗1:00 Save 1 · FirstValue · not passed yet · 0/3",
                    "?1:30 Hint 1 · FirstValue · comes title <b>", "✎1:40 Note · FirstValue",
                    "✓2:00 Save 2 · FirstValue · passed · 2/3", "‖2:10 Paused · 5:00",
                    "✗3:00 Save 3 · FirstValue · not passed yet · 0/3", "▸3:20 Kata opened · AsyncMap",
                    "⚠4:00 Save 4 · AsyncMap · does not compile · 0/3", "★5:00 Save 5 · AsyncMap · mastered · 3/3",
                    "☾5:10 Computer asleep · 1:00:00", "⇥5:30 Program not running · 1:00",
                    "–6:00 Save 6 · AsyncMap · no verdict", "■6:40 End of the session · finished early",
                ])
            #expect(try page.number("document.querySelectorAll('#timeline .moment').length") == SampleSession.moments)
            #expect(try page.number("document.querySelectorAll('#timeline .tick').length") == 6)
            // The first kata's core test passes and later fails; the second kata's tests stay passed.
            let curve = try #require(try page.text("document.getElementById('curve-all').getAttribute('d')"))
            #expect(curve.count { $0 == "V" } == 7)
        }
    }

    @Test(
        "marks the saves that were made while the time was stopped: in the list, in a sentence, and before the figures")
    func stopped() throws {
        var events = SampleSession.events()
        events.insert(
            InterviewEvent(
                SampleSession.at(130), .saved(number: 7, kata: "FirstValue", text: "x\n", stopped: .paused)), at: 9)
        let record = try #require(InterviewRecord(events))
        let strings = try InterviewReportStrings(.english)
        #expect(record.remarks(strings).contains(strings(.remarkStopped, .integer(1), "7")))
        try withPage(.english, record) { (page: Browser) throws in
            let item = "[...document.querySelectorAll('#list li')].find(e => e.textContent.includes('Save 7'))"
            #expect(try page.text("\(item).textContent")?.hasSuffix("· ‖ time stopped") == true)
            _ = try page.value("\(item).click()")
            #expect(try page.text("document.getElementById('said').textContent") == strings(.stoppedSave))
        }
    }

    @Test("shows the text of hints and notes in the list of moments")
    func words() throws {
        try withPage { (page: Browser) throws in
            let words = try page.strings("[...document.querySelectorAll('#list .words')].map(e => e.textContent)")
            #expect(words.count == 2)
            #expect(words[0].contains("comes"))
            #expect(words[1].hasPrefix("</script><img src=x"))
        }
    }

    @Test(
        "shows the timeline, the code and the verdict together on a laptop's screen, and the code first on a phone's",
        arguments: Language.allCases)
    func places(language: Language) throws {
        try withPage(language) { (page: Browser) throws in
            let inSight = { (query: String) throws -> Bool? in
                try page.value(
                    """
                    {const b = document.querySelector('\(query)').getBoundingClientRect();
                     window.scrollY === 0 && b.top >= 0 && b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight
                         && b.height >= 100}
                    """) as? Bool
            }
            try page.resize(width: 1280, height: 900)
            for moment in 1...SampleSession.moments {
                try page.value("document.getElementById('moment-\(moment)').click()")
                for query in ["#timeline", "#code", "#verdict", "#list"] {
                    #expect(try inSight(query) == true, "\(query)")
                }
            }
            try page.keepPicture("replay-desk-\(language.code)")
            try page.value("document.getElementById('moment-3').click()")
            try page.resize(width: 400, height: 800)
            #expect(try inSight("#code") == true)
            let tops = try page.value(
                "['#code', '#verdict', '#list', '#timeline'].map(q => document.querySelector(q).getBoundingClientRect().top)"
            )
            let places = try #require(tops as? [Double])
            #expect(places == places.sorted())
            #expect(try page.value("document.documentElement.scrollWidth <= 400") as? Bool == true)
            try page.keepPicture("replay-phone-\(language.code)")
        }
    }

    @Test("shows the observers' scorecards and where they differ, and without an observer not even their words")
    func scorecard() throws {
        var record = SampleSession.record()
        for (name, mark) in [("Ben <i>", 4), ("김민수", 1)] {
            let kinds: [InterviewEvent.Kind] = [
                .named(observer: name), .scored(.init(.recommendation, mark: mark, sentence: "<b>\(mark)</b>")),
                .scored(.init(.focus, mark: 5)),
            ]
            record.add(observations: kinds.map { InterviewEvent(SampleSession.at(300), $0) })
        }
        try withPage(.english, record) { (page: Browser) throws in
            let rows = try page.strings(
                "[...document.querySelectorAll('#scorecard tbody tr')].map(r => [...r.children].map(c => c.textContent).join('|'))"
            )
            #expect(
                rows == [
                    "Recommendation|Ben <i>|Strong yes|<b>4</b>", "Recommendation|김민수|Strong no|<b>1</b>",
                    "Works toward the goal|Ben <i>|5/5|", "Works toward the goal|김민수|5/5|",
                ])
            let spreads = try page.strings("[...document.querySelectorAll('#spreads li')].map(e => e.textContent)")
            #expect(spreads == ["Recommendation: from Strong no to Strong yes"])
            try page.keepPicture("replay-scorecard")
        }
        try withPage(.english, record.withoutObserver) { (page: Browser) throws in
            let data = try #require(try page.text("document.getElementById('data').textContent"))
            for words in ["Scorecard", "Recommendation", "Strong", "spread"] { #expect(!data.contains(words)) }
        }
    }

    @Test("shows the name of each observer at their notes and marks")
    func observers() throws {
        var record = SampleSession.record()
        for (name, mark) in [("Ben <i>", 4), ("김민수", 2)] {
            record.add(observations: [
                InterviewEvent(SampleSession.at(100), .named(observer: name)),
                InterviewEvent(SampleSession.at(110), .observed(kata: "FirstValue", text: "note \(mark)")),
                InterviewEvent(
                    SampleSession.at(300),
                    .judged(.init(kata: "FirstValue", number: 1, question: "Why?", mark: mark, sentence: ""))),
            ])
        }
        try withPage(.english, record) { (page: Browser) throws in
            let rows = try page.strings(
                "[...document.querySelectorAll('#rubric tbody tr')].map(r => [...r.children].map(c => c.textContent).join('|'))"
            )
            #expect(rows == ["FirstValue|Why?|Ben <i>|4/5|", "FirstValue|Why?|김민수|2/5|"])
            let list = try page.strings("[...document.querySelectorAll('#list li')].map(e => e.textContent)")
            for (name, mark) in [("Ben <i>", 4), ("김민수", 2)] {
                #expect(list.contains("✐1:50 Observer's note · FirstValue · \(name)note \(mark)"))
            }
        }
    }

    @Test("shows the observer's notes and marks, if the record has them")
    func observer() throws {
        var record = SampleSession.record()
        record.add(observations: [
            InterviewEvent(SampleSession.at(110), .observed(kata: "FirstValue", text: "thinks <i>aloud</i>")),
            InterviewEvent(
                SampleSession.at(300),
                .judged(
                    .init(kata: "FirstValue", number: 2, question: "Why `sink`?", mark: 4, sentence: "<b>Knows</b> it"))
            ),
        ])
        try withPage(.english, record) { (page: Browser) throws in
            try page.value("document.getElementById('moment-5').click()")
            #expect(try page.text(now) == "1:50 · Observer's note · FirstValue")
            #expect(try page.text("document.getElementById('said').textContent") == "thinks <i>aloud</i>")
            #expect(
                try page.strings("[...document.querySelectorAll('#rubric tbody tr > *')].map(e => e.textContent)") == [
                    "FirstValue", "Why sink?", "4/5", "<b>Knows</b> it",
                ])
        }
        try withPage(.english, record.withoutObserver) { (page: Browser) throws in
            #expect(try page.value("document.getElementById('rubric') === null") as? Bool == true)
            #expect(try page.value("document.getElementById('data').textContent.includes('aloud')") as? Bool == false)
        }
    }

    @Test("shows verdicts with different signs, not only with colour")
    func signs() throws {
        try withPage { (page: Browser) throws in
            let ticks = try page.strings(
                "[...document.querySelectorAll('#timeline .tick + text')].map(e => e.textContent)")
            #expect(Set(ticks) == ["✗", "✓", "⚠", "★", "–"])
            let heights = try page.strings(
                "[...document.querySelectorAll('#timeline .tick')].map(e => e.getAttribute('class') + e.getAttribute('height'))"
            )
            #expect(Set(heights).count == 5)
            let legend = try page.strings("[...document.querySelectorAll('.legend li')].map(e => e.textContent)")
            #expect(legend.contains("✓Save · passed") && legend.contains("?Hint") && legend.contains("‖Paused"))
        }
    }

    @Test("steps with the arrow keys, and goes to both ends")
    func steps() throws {
        try withPage { (page: Browser) throws in
            #expect(try page.text(now) == "0:00 · Kata opened · FirstValue")
            try page.press("ArrowRight")
            #expect(try page.text(now) == "1:00 · Save 1 · FirstValue · not passed yet · 0/3")
            try page.press("ArrowRight")
            try page.press("ArrowLeft")
            #expect(try page.number(place) == 2)
            try page.press("End")
            #expect(try page.number(place) == SampleSession.moments)
            try page.press("ArrowRight")
            #expect(try page.number(place) == SampleSession.moments)
            try page.press("Home")
            #expect(try page.number(place) == 1)
            #expect(try page.value("document.getElementById('previous').disabled") as? Bool == true)
        }
    }

    @Test("marks the lines that changed since the save before, and the changes within a line")
    func changes() throws {
        try withPage { (page: Browser) throws in
            #expect(try page.strings(code).allSatisfy { $0.hasPrefix(" ") })
            try page.press("ArrowRight")
            #expect(
                try page.strings(code) == [
                    " import Combine", " ", " func first() {", "−    fatalError()", "+    return wrong(1)", " }",
                ])
            // A hint does not change the code.
            try page.press("ArrowRight")
            #expect(try page.strings(code).count == 6)
            try page.press("ArrowRight")
            try page.press("ArrowRight")
            #expect(
                try page.strings("[...document.querySelectorAll('#code b')].map(e => e.textContent)")
                    == ["wrong", "right"])
            // The line numbers are those of the new text, and of the text before for a removed line.
            let numbers = "[...document.querySelectorAll('#code .line')].map(l => l.children[0].textContent)"
            #expect(try page.strings(numbers) == ["1", "2", "3", "4", "4", "5"])
        }
    }

    @Test("shows the verdict of the save: its tests, their differences, the compiler's messages, or that there is none")
    func verdicts() throws {
        try withPage { (page: Browser) throws in
            let verdict = "document.getElementById('verdict').innerText"
            #expect(try page.text(verdict)?.contains("Nothing of this kata was graded before this moment.") == true)
            try page.press("ArrowRight")
            #expect(try page.text(verdict)?.contains("not passed yet") == true)
            #expect(
                try page.strings("[...document.querySelectorAll('#verdict .diff code')].map(e => e.textContent)")
                    == ["[1, 2]", "[1, <i>3</i>]"])
            let turned = "[...document.querySelectorAll('.turned')].map(e => e.textContent)"
            #expect(try page.strings(turned) == [])
            try page.value("document.getElementById('moment-5').click()")
            #expect(try page.strings(turned) == ["▲ Now passes comes title <b> · time title <b>"])
            try page.value("document.getElementById('moment-7').click()")
            #expect(try page.strings(turned) == ["▼ No longer passes comes title <b> · time title <b>"])
            try page.value("document.getElementById('moment-9').click()")
            #expect(
                try page.text("document.querySelector('#verdict .diagnostics').textContent")
                    == "AsyncMap.swift: expected pattern")
            try page.value("document.getElementById('moment-13').click()")
            #expect(try page.text(verdict)?.contains("This save has no verdict") == true)
        }
    }

    @Test("jumps to a moment that is clicked: in the list, on the timeline, or in a table")
    func jumps() throws {
        try withPage { (page: Browser) throws in
            try page.value("document.getElementById('moment-7').click()")
            #expect(try page.number(place) == 7)
            try page.value(
                "document.querySelector('#timeline .moment[data-index=\"3\"] circle').dispatchEvent(new MouseEvent('click', {bubbles: true}))"
            )
            #expect(try page.text(now) == "1:40 · Note · FirstValue")
            #expect(try page.value("document.getElementById('said').hidden") as? Bool == false)
            // A click on an empty place selects the nearest moment.
            try page.value(
                """
                {const t = document.getElementById('timeline'), b = t.getBoundingClientRect();
                 t.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: b.right - 1, clientY: b.bottom - 1}));}
                """)
            #expect(try page.number(place) == SampleSession.moments)
            try page.value(
                "[...document.querySelectorAll('#katas button')].find(b => b.textContent === '5:00').click()")
            #expect(try page.text(now)?.hasPrefix("5:00 · Save 5 · AsyncMap") == true)
        }
    }

    @Test("works without a mouse: marks, the list, the model answer, and a visible focus")
    func keyboard() throws {
        try withPage { (page: Browser) throws in
            try page.press("n", text: "n")
            #expect(try page.text(now)?.hasPrefix("1:30 · Hint 1") == true)
            try page.press("n", text: "n")
            try page.press("n", text: "n")
            #expect(try page.text(now)?.hasPrefix("2:10 · Paused") == true)
            try page.press("p", text: "p")
            #expect(try page.text(now)?.hasPrefix("1:40 · Note") == true)
            try page.value("document.getElementById('list').focus()")
            try page.press("ArrowDown")
            #expect(try page.number(place) == 5)
            #expect(
                try page.text("document.getElementById('list').getAttribute('aria-activedescendant')") == "moment-5")
            #expect(try page.number("document.querySelectorAll('#list [aria-selected=true]').length") == 1)
            #expect(try page.text("document.activeElement.id") == "list")
            // Every control is reached with the Tab key, and shows that it has the focus.
            let reached = try page.strings(
                """
                [...document.querySelectorAll('button, select, input, [tabindex="0"]')].filter(e => !e.disabled)
                    .filter(e => { e.focus(); return document.activeElement !== e; }).map(e => e.outerHTML)
                """)
            #expect(reached == [])
            try page.value("document.getElementById('list').focus()")
            try page.press("ArrowDown")
            #expect(try page.text("getComputedStyle(document.activeElement).outlineStyle") == "solid")
            try page.press("m", text: "m")
            #expect(try page.value("document.getElementById('answer-view').hidden") as? Bool == false)
        }
    }

    @Test("plays to the end by itself, at the chosen speed, and stops when it is asked to")
    func plays() throws {
        try withPage { (page: Browser) throws in
            try page.value(
                """
                {window.seen = []; const now = document.getElementById('now');
                 new MutationObserver(() => window.seen.push(now.textContent)).observe(now, {childList: true});
                 const speed = document.getElementById('speed'); speed.value = '64'; speed.dispatchEvent(new Event('change'));}
                """)
            #expect(
                try page.strings("[...document.querySelectorAll('#speed option')].map(e => e.textContent)") == [
                    "1×", "4×", "16×", "64×",
                ])
            try page.press(" ", text: " ")
            #expect(try page.text("document.getElementById('play').textContent") == "◼ Stop")
            try page.value(
                """
                new Promise(done => { const check = () => \(place) === \(SampleSession.moments)
                    && document.getElementById('play').textContent.includes('Play') ? done() : requestAnimationFrame(check); check(); })
                """)
            #expect(try page.number("window.seen.length") == SampleSession.moments - 1)
            // At the end, playing begins again; a step stops it.
            try page.press(" ", text: " ")
            #expect(try page.number(place) == 1)
            try page.press("ArrowRight")
            #expect(try page.text("document.getElementById('play').textContent") == "▶ Play")
        }
    }

    @Test("shows code and notes as text, and names the characters that would hide or reverse text")
    func hostile() throws {
        var plan = SampleSession.plan("</title><script>window.pwned=9</script>{{data}}")
        plan.versions.grader = "<img src=x onerror='window.pwned=4'>"
        try withPage(.english, SampleSession.record(plan)) { (page: Browser) throws in
            #expect(try page.text("document.querySelector('#candidate b').textContent") == plan.candidate)
            try page.value("document.getElementById('moment-4').click()")
            #expect(
                try page.text("document.getElementById('said').textContent")
                    == SampleSession.hostileNote.replacing("\u{2028}", with: "U+2028").replacing(
                        "\u{202E}", with: "U+202E"))
            try page.value("document.getElementById('moment-7').click()")
            let added = try page.strings(code).filter { $0.hasPrefix("+") }
            #expect(added.first == "+let a = \"</script><script>window.pwned=2</script>\"")
            #expect(added.last == "+// U+202EdrawrofU+2028<img src=x onerror='window.pwned=3'>")
            #expect(try page.number("document.querySelectorAll('main script, main img, main i').length") == 0)
        }
    }

    @Test("marks a save in which much text was added at once, and says what that means")
    func bursts() throws {
        let paste = "func first() {\n" + (1...20).map { "    send(value: \($0), to: receiver\($0))\n" }.joined() + "}\n"
        var events = SampleSession.events()
        events.insert(
            InterviewEvent(SampleSession.at(184), .saved(number: 7, kata: SampleSession.kata.kata, text: paste)), at: 12
        )
        let record = try #require(InterviewRecord(events))
        try withPage(.english, record) { (page: Browser) throws in
            let marked = "[...document.querySelectorAll('#list li')].map(e => e.innerText).filter(t => t.includes('≡'))"
            #expect(try page.strings(marked).count == 1)
            #expect(
                try page.strings(marked)[0].contains("3:04 Save 7 · FirstValue · no verdict · ≡ Text in one save"))
            #expect(try page.number("document.querySelectorAll('#timeline .burst').length") == 1)
            try page.value("document.getElementById('moment-8').click()")
            #expect(
                try page.text("document.getElementById('said').textContent")?.contains(
                    "new characters came with one save, within 0:04") == true)
            #expect(
                try page.strings(
                    "[...document.querySelectorAll('#katas tbody tr')].map(r => r.children[8].textContent)") == [
                        "1", "0",
                    ])
        }
    }

    @Test(
        "counts no test of code that does not compile or was rejected: in the list, above it, in the curve and on paper",
        arguments: [(Verdict.Outcome.didNotCompile, "⚠", "does not compile"), (.rejected, "⊘", "rejected")])
    func withoutTests(outcome: Verdict.Outcome, sign: String, words: String) throws {
        let kata = SampleSession.kata
        let verdict = Verdict.notRun(kata, outcome, LocalizableMessage(.verbatim, "expected pattern"))
        let record = try #require(
            InterviewRecord([
                InterviewEvent(SampleSession.at(0), .begun(SampleSession.plan(katas: [kata]))),
                InterviewEvent(SampleSession.at(0), .opened(kata: kata.kata, text: "import Combine\n")),
                InterviewEvent(SampleSession.at(60), .saved(number: 1, kata: kata.kata, text: "let x = 1\n")),
                InterviewEvent(SampleSession.at(60), .graded(save: 1, SampleSession.verdict(.passed, "PFP"))),
                InterviewEvent(SampleSession.at(120), .saved(number: 2, kata: kata.kata, text: "let\n")),
                InterviewEvent(SampleSession.at(120), .graded(save: 2, verdict)),
                InterviewEvent(SampleSession.at(180), .closed(.finished)),
            ]))
        try withPage(.english, record) { (page: Browser) throws in
            let saves = try page.strings("[...document.querySelectorAll('#list .is-save')].map(e => e.textContent)")
            #expect(
                saves == [
                    "✓1:00 Save 1 · FirstValue · passed · 2/3", "\(sign)2:00 Save 2 · FirstValue · \(words) · 0/3",
                ])
            let cards = try page.strings("[...document.querySelectorAll('#cards li')].map(e => e.textContent)")
            #expect(cards.contains("0/3Tests that pass"))
            #expect(
                try page.strings(
                    "[...document.querySelectorAll('#tests tbody tr')].map(r => r.lastElementChild.textContent)")
                    == ["–", "–", "–"])
            // The curve ends where it began.
            let heights = try page.strings(
                "document.getElementById('curve-all').getAttribute('d').match(/(?<=^M\\S+ |V)[^HV]+/g)")
            #expect(heights.count == 4 && heights[1] != heights[0] && heights[2] == heights[0])
            #expect(heights.last == heights.first)
            let rows = try page.strings(
                "[...document.querySelectorAll('#history tr')].map(r => [...r.children].map(c => c.textContent).join('|'))"
            )
            #expect(rows.contains("2:00|\(sign) Save 2|\(words)|0/3"))
        }
    }

    @Test("says for each test when it first passed and when it broke again, and for each kata what was reached when")
    func tables() throws {
        try withPage { (page: Browser) throws in
            func rows(_ id: String) throws -> [String] {
                try page.strings(
                    "[...document.querySelectorAll('#\(id) tbody tr')].map(r => [...r.children].map(c => c.textContent).join('|'))"
                )
            }
            #expect(
                try rows("katas") == [
                    "FirstValue|✗ not passed yet|0/4|2:00|2:00|–|1|3|0|3:20",
                    "AsyncMap|★ mastered|4/4|5:00|5:00|5:00|0|3|0|3:20",
                ])
            let tests = try rows("tests")
            #expect(tests.first == "FirstValue|comes title <b> core test|2:00|3:00|–")
            #expect(tests.last == "AsyncMap|time title <b> robust test|5:00|–|✓passed")
        }
    }

    @Test("hides the model answer until the reader opens it")
    func answer() throws {
        try withPage { (page: Browser) throws in
            let shown = "document.querySelector('main').textContent.includes('// the model answer')"
            #expect(try page.value(shown) as? Bool == false)
            try page.press("ArrowRight")
            try page.value("document.getElementById('answer').click()")
            let lines =
                "[...document.querySelectorAll('#answer-code .line')].map(l => l.children[1].textContent + l.children[2].textContent)"
            #expect(
                try page.strings(lines) == [
                    " import Combine", " ", " func first() {", "−    return wrong(1)",
                    "+    return right(1) // the model answer", " }",
                ])
            #expect(try page.text("document.getElementById('answer').getAttribute('aria-expanded')") == "true")
            try page.press("End")
            #expect(try page.strings(lines).contains("+let x = 3 // the model answer"))
            try page.value("document.getElementById('answer').click()")
            #expect(try page.value(shown) as? Bool == false)
        }
    }

    @Test("says so if it has no model answers")
    func noAnswer() throws {
        try withPage(solutions: [:]) { (page: Browser) throws in
            #expect(try page.value("document.getElementById('answer') === null") as? Bool == true)
            #expect(
                try page.text("document.getElementById('no-answer').textContent") == "This file holds no model answers."
            )
            try page.press("m", text: "m")
            #expect(try page.value("document.getElementById('answer-view').hidden") as? Bool == true)
        }
    }

    @Test("says what is missing: entries of the journal, verdicts of saves, the end of the session")
    func remarks() throws {
        var record = try #require(
            InterviewRecord(SampleSession.events().dropLast(), missing: [4, 5, 6, 9]))
        record.saves[0].verdict = nil
        try withPage(.english, record) { (page: Browser) throws in
            #expect(
                try page.strings("[...document.querySelectorAll('#remarks li')].map(e => e.textContent)") == [
                    "4 entries are missing from the session's journal: numbers 4–6, 9. What session.json has of them is shown.",
                    "2 saves have no verdict (numbers 1, 6): they were not graded, or their verdicts could not be read.",
                    "The session is still open. This is what is known so far.",
                ])
        }
    }

    @Test("says that the journal was lost while the session ran, and when")
    func journalLost() throws {
        var events = SampleSession.events()
        events.insert(InterviewEvent(SampleSession.at(82), .journalLost), at: 4)
        try withPage(.english, try #require(InterviewRecord(events))) { (page: Browser) throws in
            #expect(
                try page.strings("[...document.querySelectorAll('#remarks li')].map(e => e.textContent)").first
                    == "The session's journal was removed, replaced or shortened while the session ran. This was "
                    + "noticed at 1:22 (minutes:seconds). The program wrote it again from memory.")
        }
    }

    @Test("shows a session in which nothing happened yet, and a session with a kata that is not in its plan")
    func sparse() throws {
        let begun = try #require(InterviewRecord([InterviewEvent(SampleSession.at(0), .begun(SampleSession.plan()))]))
        try withPage(.english, begun) { (page: Browser) throws in
            #expect(try page.number("document.querySelectorAll('#list li').length") == 0)
            try page.press("ArrowRight")
            try page.press(" ", text: " ")
        }
        try withPage(.english, SampleSession.record(SampleSession.plan(katas: [SampleSession.kata]))) {
            (page: Browser) throws in
            try page.press("End")
            #expect(try page.text("document.getElementById('code').textContent")?.contains("let x = 2") == true)
        }
    }

    @Test("steps through what the list shows: without the saves if they are hidden")
    func stepsWithoutSaves() throws {
        try withPage { (page: Browser) throws in
            _ = try page.value("document.getElementById('only-marks').click()")
            var seen: [String] = []
            for _ in 0..<3 {
                try page.press("ArrowRight")
                seen.append(try #require(try page.text(now)))
            }
            #expect(seen.map { String($0.prefix(4)) } == ["1:30", "1:40", "2:10"])
            try page.press("End")
            #expect(try page.text(now)?.hasPrefix("6:40") == true)
        }
    }

    @Test("prints its timeline and each kata's history, and nothing that needs a screen")
    func prints() throws {
        try withPage { (page: Browser) throws in
            try page.prefer(dark: true)
            try page.emulate(print: true)
            let isShown = { (query: String) throws -> Bool? in
                try page.value("document.querySelector('\(query)').checkVisibility()") as? Bool
            }
            #expect(try isShown("#timeline") == true)
            #expect(try isShown("#history") == true)
            #expect(try isShown("#code") == false)
            // The verdict of the moment on the screen says nothing of the session.
            #expect(try isShown("#verdict") == false)
            #expect(try isShown(".tools") == false)
            #expect(try page.text("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)")
            let rows = try page.strings(
                "[...document.querySelectorAll('#history tr')].map(r => [...r.children].map(c => c.textContent).join('|'))"
            )
            #expect(rows.contains("2:00|✓ Save 2|passed|2/3"))
            let last = try page.strings("[...document.querySelectorAll('.last-code')].map(e => e.innerText)")
            #expect(last.count == 2 && last[0].contains("window.pwned=2") && last[1].contains("let x = 2"))
            #expect(try page.print().starts(with: Data("%PDF".utf8)))
            try page.keepPicture("replay-print")
        }
    }

    @Test("prints saves as one row only if they came one after the other and there is nothing to say about any of them")
    func printedRuns() throws {
        let verdict = SampleSession.verdict(.failed, "FNN")
        let other = SampleSession.verdict(.failed, "FNN", of: SampleSession.other)
        let pasted = (1...20).map { "send(\($0), to: receiver, after: delay\($0))\n" }.joined()
        var events = Array(SampleSession.events().prefix(2))
        for (number, kata) in ["FirstValue", "FirstValue", "AsyncMap", "FirstValue", "FirstValue"].enumerated() {
            let moment = SampleSession.at(Double(60 * (number + 1)))
            let text = number == 4 ? pasted + pasted.replacing("send", with: "take") : "let x = \(number)\n"
            events.append(InterviewEvent(moment, .saved(number: number + 1, kata: kata, text: text)))
            events.append(
                InterviewEvent(moment, .graded(save: number + 1, kata == "AsyncMap" ? other : verdict)))
        }
        try withPage(.english, try #require(InterviewRecord(events))) { (page: Browser) throws in
            let saves = try page.strings(
                "[...document.querySelectorAll('#history td:nth-child(2)')].map(e => e.textContent)"
            ).filter { $0.contains("Save") }
            #expect(saves.count == 4)
            #expect(saves[0] == "✗ Save 1–2" && saves[1] == "✗ Save 4")
            #expect(saves[2].hasPrefix("✗ Save 5") && saves[2].contains("new characters"))
            #expect(saves[3] == "✗ Save 3")
        }
    }

    @Test("begins with the candidate's name, which reads in its own direction")
    func heading() throws {
        let record = SampleSession.record(SampleSession.plan("שלום עולם \"א\""))
        try withPage(.english, record) { (page: Browser) throws in
            #expect(try page.text("document.querySelector('h1 > bdi').textContent") == "שלום עולם \"א\"")
            #expect(try page.text("document.querySelector('#candidate bdi').textContent") == "שלום עולם \"א\"")
            #expect(try page.value("document.querySelector('h1').getBoundingClientRect().top < 100") as? Bool == true)
        }
    }

    @Test("follows the reader's light or dark mode")
    func schemes() throws {
        try withPage { (page: Browser) throws in
            let background = "getComputedStyle(document.body).backgroundColor"
            try page.prefer(dark: true)
            let dark = try page.text(background)
            try page.value("document.getElementById('moment-5').click()")
            try page.keepPicture("replay-dark")
            try page.prefer(dark: false)
            #expect(try page.text(background) == "rgb(255, 255, 255)")
            #expect(dark != "rgb(255, 255, 255)")
            try page.press("m", text: "m")
            try page.keepPicture("replay-light")
        }
    }

    @Test("has each text of five hundred saves once, and steps and jumps through the saves")
    func large() throws {
        let lines = (0..<300).map { "    let line\($0) = value(\($0))" }
        var events = [
            InterviewEvent(SampleSession.at(0), .begun(SampleSession.plan(katas: [SampleSession.kata]))),
            InterviewEvent(
                SampleSession.at(0), .opened(kata: SampleSession.kata.kata, text: lines.joined(separator: "\n"))),
        ]
        for number in 1...500 {
            var text = lines
            text[number % 250] = "    let changed = \(number / 2)"
            let moment = SampleSession.at(Double(number) * 5)
            events.append(
                InterviewEvent(
                    moment,
                    .saved(number: number, kata: SampleSession.kata.kata, text: text.joined(separator: "\n"))))
            events.append(
                InterviewEvent(
                    moment,
                    .graded(save: number, SampleSession.verdict(.failed, number.isMultiple(of: 2) ? "PFF" : "FFF"))))
        }
        let record = try #require(InterviewRecord(events))
        try withPage(.english, record) { (page: Browser) throws in
            #expect(try page.number("document.querySelectorAll('#list li').length") == 501)
            for _ in 0..<20 { try page.value("document.getElementById('next').click()") }
            #expect(try page.text(now)?.hasPrefix("1:40 · Save 20") == true)
            try page.press("End")
            #expect(try page.text(now)?.hasPrefix("41:40 · Save 500") == true)
            try page.keepPicture("replay-large")
            #expect(try page.number("document.querySelectorAll('#code .added').length") == 2)
            #expect(try page.number("document.querySelectorAll('#code .line').length") == 302)
            #expect(
                try page.number("JSON.parse(document.getElementById('data').textContent).verdicts.length") == 2)
        }
    }
}

@Suite("What the report of a session says")
struct InterviewReportCatalogTests {
    @Test("The catalog has every text in six languages, and nothing else")
    func complete() throws {
        let keys = Set(InterviewReportKey.allCases.map(\.rawValue))
        #expect(try CatalogReview(contentsOf: InterviewReportKey.catalog, keys: keys).findings == [])
        let scorecard = Set(ScorecardKey.allCases.map(\.rawValue))
        #expect(try CatalogReview(contentsOf: ScorecardKey.catalog, keys: scorecard).findings == [])
        let shared = Set(PageKey.allCases.map(\.rawValue))
        #expect(try CatalogReview(contentsOf: PageKey.catalog, keys: shared).findings == [])
    }
}
