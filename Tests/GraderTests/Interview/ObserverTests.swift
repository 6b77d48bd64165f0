import Foundation
import Reports
import Storage
import TerminalDriver
import TestSupport
import Testing
import Workbook

@testable import grader

/// A session at one terminal, and its observer at another one.
@Suite("The observer of an interview", .grades)
struct ObserverTests {
    private static let failing = "public func greeting(_ name: String) -> String { \"Hi\" }\n"

    @Test("sees the current code, verdict and clock, and takes notes and marks that the candidate does not see")
    func watches() throws {
        let place = try InterviewPlace()
        try place.writeQuestions()
        let candidate = try place.open(["interview", "--katas", "Greeting", "--candidate", "Ann"])
        try candidate.wait(for: "The session is ready")
        let folder = try place.session()
        let observer = try place.open(["interview", "watch", folder.folder.url.path])
        try observer.wait(for: "The clock has not started.", anywhere: true)
        candidate.type("\r")
        try observer.wait(for: "45:00 left")
        try observer.wait(for: "Ann")

        try place.pass(65)
        try folder.save("Greeting", Self.failing)
        try observer.wait(for: "43:55 left")
        try observer.wait(for: "+ public func greeting(_ name: String) -> String { \"Hi\" }")
        try observer.wait(for: "Save 1 (1:05) not passed yet")
        observer.type("v")
        try observer.wait(for: "✗ en greets.title")

        let before = try Data(contentsOf: folder.folder.journal)
        observer.type("a")
        observer.type("asks q")
        try observer.wait(for: "Private note: asks q")
        try place.pass(10)
        try observer.wait(for: "43:45 left")
        observer.type("\r")
        try observer.wait(for: "The note is saved.")
        observer.type("v")
        try observer.wait(for: "1:05  Private note · asks q")

        observer.type("r")
        try observer.wait(for: "> [–] Why is a name empty?")
        observer.type("j4")
        try observer.wait(for: "> [4] And when it is long?")
        observer.type("\rknows it\r")
        try observer.wait(for: "knows it")
        observer.type("5")
        try observer.wait(for: "> [5] And when it is long?")
        #expect(try permissions(folder.folder.observer) == 0o600)
        #expect(try Data(contentsOf: folder.folder.journal) == before)
        observer.type("q")
        #expect(try observer.exitCode() == 0)
        #expect(!observer.screen.isAlternate)

        // Nothing of it is in the folder that the candidate has open, nor on the candidate's screen.
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.folder.url.path)
        for name in names where !name.hasPrefix(".support") {
            let text = try? String(contentsOf: folder.folder.url.appendingPathComponent(name), encoding: .utf8)
            #expect(text?.contains("asks q") != true && text?.contains("knows it") != true, "\(name)")
        }
        candidate.type("f")
        try candidate.wait(for: "Finish the session now?")
        // The screen is as it was read last: only now has it all that came before the key.
        #expect(!candidate.screen.text.contains("asks q") && !candidate.screen.text.contains("knows it"))
        candidate.type("y")
        try candidate.wait(for: "The session is finished")
        candidate.type("q")
        #expect(try candidate.exitCode() == 1)

        let record = try folder.folder.load().record
        #expect(record.notes == [])
        #expect(record.privateNotes?.map(\.text) == ["asks q"])
        #expect(record.privateNotes?.map(\.moment.at) == [65])
        #expect(record.rubric?.map(\.question) == ["And when it is long?"])
        #expect(record.rubric?.map(\.mark) == [5])
        #expect(record.rubric?.map(\.sentence) == ["knows it"])
        #expect(record.last.at == 75)
    }

    @Test(
        "stays at the code if a key is pressed that is not offered before the time begins",
        arguments: [Key.letter("r"), .letter("v"), .letter("a"), .escape])
    func keyBeforeTheStart(key: Key) {
        var model = ObserverModel(size: Terminal.Size(columns: 80, rows: 24), now: Date())
        let effects = model.handle(.key(key), at: Date())
        #expect(effects.isEmpty && model.view == .code && model.line == nil)
    }

    private func permissions(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test("gives marks for questions that the report has in its reader's language")
    func questionsTranslated() async throws {
        let place = try InterviewPlace()
        let workbook = WorkbookFolder(place.workbook.folder)
        for (language, question) in [(Language.english, "Why is a name empty?"), (.chinese, "名字为什么是空的？")] {
            let text = "# Greet\n\n## \(try InterviewStrings(language)(.observerQuestions))\n\n- \(question)\n"
            try Data(text.utf8).write(to: workbook.briefFile("Greeting", language))
        }
        let candidate = try place.begin(["interview", "--katas", "Greeting"])
        try candidate.wait(for: "45:00 left")
        let folder = try place.session().folder
        let observer = try place.open(["interview", "watch", folder.url.path], language: "zh")
        try observer.wait(for: "45:00", anywhere: true)
        observer.type("r")
        try observer.wait(for: "名字为什么是空的", anywhere: true)
        observer.type("4")
        try observer.wait(for: "> [4]", anywhere: true)
        for terminal in [observer, candidate] {
            terminal.type("q")
            _ = try terminal.exitCode()
        }
        let run = try await Program.run(
            ["interview", "report", folder.url.path, "--observer"], in: place.workbook.folder)
        #expect(run.code == 0)
        let page = try String(contentsOf: folder.observedReplay, encoding: .utf8)
        #expect(page.contains("Why is a name empty?") && !page.contains("名字为什么是空的"))
    }

    @Test("learns before a note is typed that another observer takes notes")
    func second() throws {
        let place = try InterviewPlace()
        let candidate = try place.begin(["interview", "--katas", "Greeting"])
        try candidate.wait(for: "45:00 left")
        let folder = try place.session().folder
        let observers = try (0..<2).map { _ in try place.open(["interview", "watch", folder.url.path]) }
        for observer in observers { try observer.wait(for: "45:00 left") }
        observers[0].type("afirst\r")
        try observers[0].wait(for: "The note is saved.")
        observers[1].type("a")
        try observers[1].wait(for: "Another observer is taking notes on this session.")
        #expect(!observers[1].screen.text.contains("Private note:"))
        observers[0].type("asecond\r")
        try observers[0].wait(for: "The note is saved.")
        for terminal in observers + [candidate] {
            terminal.type("q")
            _ = try terminal.exitCode()
        }
        #expect(try folder.load().record.privateNotes?.map(\.text) == ["first", "second"])
    }

    @Test(
        "takes notes at the same time as one with another name, neither sees the other's, and the report has all of them"
    )
    func several() async throws {
        let place = try InterviewPlace()
        try place.writeQuestions()
        let candidate = try place.begin(["interview", "--katas", "Greeting"])
        try candidate.wait(for: "45:00 left")
        let folder = try place.session().folder
        let names = ["Ann /../ Lee", "김 민수", nil]
        let observers = try names.map { name in
            try place.open(["interview", "watch", folder.url.path] + (name.map { ["--observer", $0] } ?? []))
        }
        for observer in observers { try observer.wait(for: "45:00 left") }
        let words = ["sees a race", "asks for an example", "reads the brief"]
        for (place, observer) in observers.enumerated() {
            observer.type("a\(words[place])\r")
            try observer.wait(for: "The note is saved.")
            observer.type("r\(place + 2)")
            try observer.wait(for: "> [\(place + 2)] Why is a name empty?")
            observer.type("rvv")
            try observer.wait(for: "Private note · \(words[place])")
            for other in words where other != words[place] { #expect(!observer.screen.text.contains(other)) }
        }
        // Each name has one file, and one program at a time writes it.
        let again = try place.open(["interview", "watch", folder.url.path, "--observer", "Ann /../ Lee"])
        try again.wait(for: "45:00 left")
        again.type("a")
        try again.wait(for: "Another observer is taking notes on this session.")
        for terminal in observers + [again, candidate] {
            terminal.type("q")
            _ = try terminal.exitCode()
        }
        let files = names.map(folder.observer(named:))
        #expect(
            files.map(\.lastPathComponent).prefix(2)
                == [".Ann-Lee.observer", ".김-민수.observer"].map { folder.url.lastPathComponent + $0 }[...])
        for file in files { #expect(try permissions(file) == 0o600) }

        let run = try await Program.run(
            ["interview", "report", folder.url.path, "--observer"], in: place.workbook.folder)
        #expect(run.code == 0)
        let record = try InterviewRecord.decoder.decode(
            InterviewRecord.self, from: Data(contentsOf: folder.observedSession))
        let notes = Dictionary(uniqueKeysWithValues: (record.privateNotes ?? []).map { ($0.text, $0.observer) })
        #expect(notes == Dictionary(uniqueKeysWithValues: zip(words, names)))
        #expect(record.rubric?.map(\.observer) == [nil, "Ann /../ Lee", "김 민수"])
        #expect(record.rubric?.map(\.mark) == [4, 2, 3])
        let page = try String(contentsOf: folder.observedReplay, encoding: .utf8)
        for text in words + names.compactMap(\.self) { #expect(page.contains(text)) }
        for options in [[], ["--for-candidate"]] {
            #expect(
                try await Program.run(["interview", "report", folder.url.path] + options, in: place.workbook.folder)
                    .code
                    == 0)
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        where !name.hasPrefix(".support") {
            let text = try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
            for hidden in words + ["Ann /../ Lee", "Ann-Lee", "민수"] {
                #expect(text?.contains(hidden) != true, "\(name)")
            }
        }
    }

    @Test("gives marks after the session too, in every language, and the report has them if --observer is given")
    func afterwards() async throws {
        let place = try InterviewPlace()
        try place.writeQuestions()
        let candidate = try place.begin(["interview", "--katas", "Greeting", "--candidate", "Ann"])
        try candidate.wait(for: "45:00 left")
        candidate.type("f")
        try candidate.wait(for: "Finish the session now?")
        candidate.type("y")
        try candidate.wait(for: "The session is finished")
        candidate.type("q")
        #expect(try candidate.exitCode() == 1)
        let folder = try place.session().folder
        // As an earlier version left it.
        #expect(FileManager.default.createFile(atPath: folder.observer.path, contents: nil))
        #expect(chmod(folder.observer.path, 0o644) == 0)
        for language in Language.allCases {
            let strings = try InterviewStrings(language)
            let observer = try place.open(
                ["interview", "watch", folder.url.path], language: language.code, columns: 60, rows: 20)
            try observer.wait(for: strings(.finished), anywhere: true)
            observer.type("r")
            try observer.wait(for: "> [", anywhere: true)
            observer.type("3\r" + language.code + " said\r")
            try observer.wait(for: language.code + " said", anywhere: true)
            #expect(observer.screen.lines.allSatisfy { CellWidth.of($0) <= 60 })
            let scorecard = try ScorecardStrings(language)
            observer.type("s")
            try observer.wait(for: scorecard(.title), anywhere: true)
            observer.type("j")
            try observer.wait(for: "> [", anywhere: true)
            observer.type("2")
            try observer.wait(for: "> [2/5]", anywhere: true)
            #expect(observer.screen.lines.allSatisfy { CellWidth.of($0) <= 60 })
            observer.type("q")
            #expect(try observer.exitCode() == 0)
        }
        // The last mark counts.
        let last = try #require(Language.allCases.last).code + " said"
        #expect(try folder.load().record.rubric?.map(\.sentence) == [last])

        #expect(try permissions(folder.observer) == 0o600)
        // The command on the candidate's last screen.
        let safe = try await Program.run(["interview", "report", folder.url.path], in: place.workbook.folder)
        #expect(safe.code == 0)
        let with = try await Program.run(
            ["interview", "report", folder.url.path, "--observer"], in: place.workbook.folder)
        #expect(with.code == 0)
        #expect(try String(contentsOf: folder.observedReplay, encoding: .utf8).contains(last))
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        for name in names where !name.hasPrefix(".support") {
            let text = try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
            #expect(text?.contains(last) != true, "\(name)")
        }
    }

    @Test(
        "fills in a scorecard, also after the session; the report has it by observer, and says where observers differ")
    func scorecard() async throws {
        let place = try InterviewPlace()
        let candidate = try place.begin(["interview", "--katas", "Greeting"])
        try candidate.wait(for: "45:00 left")
        let folder = try place.session().folder
        let ann = try place.open(["interview", "watch", folder.url.path, "--observer", "Ann"], columns: 100)
        try ann.wait(for: "45:00 left")
        ann.type("s")
        try ann.wait(for: "> [–] Recommendation")
        try ann.wait(for: "1: Strong no", anywhere: true)
        // A recommendation has four marks.
        ann.type("45")
        try ann.wait(for: "> [Strong yes] Recommendation")
        ann.type("j3")
        try ann.wait(for: "> [3/5] Writes code that handles concurrency correctly")
        try ann.wait(for: "2: Handles the usual case.", anywhere: true)
        try ann.wait(for: "4: Finds problems with cancellation", anywhere: true)
        ann.type("\rsees the race\r")
        try ann.wait(for: "sees the race")
        ann.type("j5")
        try ann.wait(for: "> [5/5] Explains decisions")
        ann.type("\u{7F}")
        try ann.wait(for: "> [–] Explains decisions")
        candidate.type("f")
        try candidate.wait(for: "Finish the session now?")
        #expect(!candidate.screen.text.contains("race"))
        candidate.type("y")
        try candidate.wait(for: "The session is finished")
        let ben = try place.open(["interview", "watch", folder.url.path, "--observer", "Ben"], columns: 100)
        try ben.wait(for: "finished", anywhere: true)
        ben.type("s")
        try ben.wait(for: "> [–] Recommendation")
        #expect(!ben.screen.text.contains("sees the race"))
        ben.type("2")
        try ben.wait(for: "> [No] Recommendation")
        ben.type("j3")
        try ben.wait(for: "> [3/5] Writes code")
        for terminal in [ann, ben, candidate] {
            terminal.type("q")
            _ = try terminal.exitCode()
        }

        for options in [[], ["--for-candidate"], ["--observer"]] {
            let run = try await Program.run(
                ["interview", "report", folder.url.path] + options, in: place.workbook.folder)
            #expect(run.code == 0)
        }
        let record = try InterviewRecord.decoder.decode(
            InterviewRecord.self, from: Data(contentsOf: folder.observedSession))
        let scores = (record.scores ?? []).map { "\($0.observer ?? "") \($0.item) \($0.mark ?? 0) \($0.sentence)" }
        #expect(
            scores == [
                "Ann recommendation 4 ", "Ben recommendation 2 ", "Ann concurrency 3 sees the race",
                "Ben concurrency 3 ",
                "Ann decisions 0 ",
            ])
        #expect(record.spreads?.map { "\($0.item) \($0.lowest) \($0.highest)" } == ["recommendation 2 4"])
        let page = try String(contentsOf: folder.observedReplay, encoding: .utf8)
        for words in ["sees the race", "Strong yes", "from No to Strong yes"] { #expect(page.contains(words)) }
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        where !name.hasPrefix(".support") {
            let text = try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
            for words in ["sees the race", "Strong", "Scorecard", "ecommendation", "\"scores\"", "\"spreads\" :"] {
                #expect(text?.contains(words) != true, "\(words) in \(name)")
            }
        }
    }

    @Test("gets an error for a folder without a session, which says where sessions are")
    func nothing() throws {
        let place = try InterviewPlace()
        let observer = try place.open(["interview", "watch", place.home.path], columns: 200)
        #expect(try observer.exitCode() == 3)
        #expect(observer.screen.text.contains("`<workbook>-interviews`"))
    }

    @Test("sees pauses, absences, changes of kata, and saves that were made while the time was stopped")
    func interruptions() throws {
        let place = try InterviewPlace()
        var candidate = try place.begin(["interview", "--katas", "Greeting,Parting", "--candidate", "Ann"])
        try candidate.wait(for: "45:00 left")
        let folder = try place.session()
        let observer = try place.open(["interview", "watch", folder.folder.url.path], columns: 100, rows: 40)
        try observer.wait(for: "45:00 left")
        observer.type("vv")
        try observer.wait(for: "0:00  Greeting · Kata opened")
        try place.pass(10)
        candidate.type("p")
        try observer.wait(for: "0:10  Paused")
        try place.pass(62)
        try folder.save("Greeting", Self.failing)
        try observer.wait(for: "0:10  Greeting · Save 1 · time stopped")
        candidate.type("p")
        try observer.wait(for: "0:10  Paused · 1:02")
        candidate.type("n")
        try observer.wait(for: "Parting · Kata opened")
        candidate.type("q")
        _ = try candidate.exitCode()
        // Seen at once: the clock has not moved.
        try observer.wait(for: "The candidate's program is not running", anywhere: true)
        try place.pass(43)
        candidate = try place.open(["interview", "--resume"])
        try observer.wait(for: "0:10  Program not running · 0:43")
        candidate.type("q")
        _ = try candidate.exitCode()
        observer.type("q")
        #expect(try observer.exitCode() == 0)
    }

    @Test("shows the questions of the brief, each on one line")
    func questions() {
        let brief = "# One\n\n## In an interview\n\n- Why is\n  that?\n- And `then`?\n\n## Next\n\n- no question\n"
        #expect(
            ObserverModel.Question.all(in: brief, of: "One", heading: "In an interview") == [
                .init(kata: "One", number: 1, text: "Why is that?"), .init(kata: "One", number: 2, text: "And `then`?"),
            ])
        #expect(ObserverModel.Question.all(in: brief, of: "One", heading: "Other") == [])
    }

    @Test("finds questions in every brief of the workbook, in every language", arguments: Language.allCases)
    func ofTheWorkbook(language: Language) throws {
        let workbook = try #require(WorkbookFolder(containing: URL(fileURLWithPath: #filePath)))
        let heading = try InterviewStrings(language)(.observerQuestions)
        for kata in try workbook.katas() {
            let brief = try #require(workbook.brief(kata.kata, language))
            let questions = ObserverModel.Question.all(in: brief, of: kata.kata, heading: heading)
            #expect(questions.count >= 2, "\(kata.kata)")
        }
    }
}

extension InterviewPlace {
    /// Ends each brief of a kata with questions.
    func writeQuestions() throws {
        let workbook = WorkbookFolder(workbook.folder)
        for language in Language.allCases {
            let heading = try InterviewStrings(language)(.observerQuestions)
            let text = "# Greet\n\n## \(heading)\n\n- Why is a name\n  empty?\n- And when it is long?\n\n## Next\n"
            try Data(text.utf8).write(to: workbook.briefFile("Greeting", language))
        }
    }
}
