import Foundation
import Reports
import Storage
import TerminalDriver
import TestSupport
import Testing
import Workbook

@testable import grader

/// A session at a real terminal, from its first second to the last. The test moves the clock, so nothing has to wait.
@Suite("An interview at a terminal", .grades)
struct InterviewTests {
    private static let failing = "public func greeting(_ name: String) -> String { \"Hi\" }\n"
    private static let unfinished = "public func greeting(_ name: String) -> String {\n"

    @Test(
        "records what happened: saves, a hint, a note, a pause, a kill, the machine's sleep, and the end of the time")
    func wholeSession() throws {
        let place = try InterviewPlace()
        let untouched = try place.learnerFiles()
        var terminal = try place.open([
            "interview", "--katas", "greeting,Parting", "--minutes", "30", "--candidate", "Ann /../ Lee", "--hints",
            "1",
            "--seed", "7",
        ])
        try terminal.wait(for: "The session is ready")
        try place.pass(100)
        terminal.type("\r")
        try terminal.wait(for: "30:00 left")
        try terminal.wait(for: "Kata 1 of 2")
        try terminal.wait(for: "1 hint left")
        try terminal.wait(for: "not started")
        let folder = try place.session()

        try place.pass(10)
        try folder.save("Greeting", Self.failing)
        try terminal.wait(for: "failed")
        terminal.type("h")
        try terminal.wait(for: "en greets.1")
        try terminal.wait(for: "0 hints left")
        try terminal.waitForAbsence(of: "Next hint")
        terminal.type("h")
        try terminal.wait(for: "You have used all hints of this session.", anywhere: true)

        terminal.type("a")
        try terminal.wait(for: "Note:")
        terminal.type("ทำไมม")
        terminal.type("\u{7F} <b>왜?</b>")
        try terminal.wait(for: "ทำไม <b>왜?</b>")
        try place.pass(20)
        try terminal.wait(for: "29:30 left")
        terminal.type("\r")
        try terminal.wait(for: "The note is saved.")
        terminal.type("a")
        terminal.type("q")
        try terminal.wait(for: "Note: q")
        terminal.type("\u{1B}")
        try terminal.waitForAbsence(of: "Note:")

        terminal.type("p")
        try terminal.wait(for: "The time is stopped")
        #expect(!terminal.screen.text.contains("failed"))
        try place.pass(600)
        try folder.save("Greeting", SmallWorkbook.passing)
        try terminal.wait(for: "It will be graded when you continue.", anywhere: true)
        #expect(terminal.screen.text.contains("29:30 left"))
        terminal.type("p")
        // The verdict before it says “not passed yet”.
        try terminal.wait(for: "Greeting · passed")
        #expect(!terminal.screen.text.contains("Solutions"))

        terminal.type("n")
        try terminal.wait(for: "Kata 2 of 2")
        try place.pass(30)
        try terminal.wait(for: "29:00 left")
        try folder.save("Parting", Self.unfinished)
        try terminal.wait(for: "does not compile")
        terminal.signal(SIGKILL)
        #expect(try terminal.exitCode() == -SIGKILL)

        try place.pass(500)
        try folder.save("Parting", Self.failing)
        terminal = try place.open(["interview", "--resume"])
        try terminal.wait(for: "The program was not running for 8:20.", anywhere: true)
        try terminal.wait(for: "29:00 left")
        try terminal.wait(for: "Kata 2 of 2")
        try terminal.wait(for: "failed")
        try place.sleep(300)
        try terminal.wait(for: "The computer slept for 5:00.", anywhere: true)
        try place.pass(1440)
        try terminal.wait(for: "! Only 5:00 left")
        try folder.save("Parting", SmallWorkbook.answer)
        try terminal.wait(for: "mastered")

        try folder.save("Greeting", SmallWorkbook.answer)
        try terminal.wait(for: "Kata 1 of 2")
        try place.pass(301)
        try terminal.wait(for: "Time is up")
        try terminal.wait(for: "-interviews/", anywhere: true)
        try folder.save("Greeting", Self.failing)
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        #expect(!terminal.screen.isAlternate)

        let contents = try folder.folder.load()
        #expect(contents.trouble == nil)
        let record = contents.record
        #expect(try folder.sessionFile() == record)
        #expect(record.plan.candidate == "Ann /../ Lee")
        #expect(record.plan.katas.map(\.kata) == ["Greeting", "Parting"])
        #expect((record.plan.minutes, record.plan.hints, record.plan.seed) == (30, 1, 7))
        #expect(record.clock == .file)
        #expect(record.end == .timeUp)
        #expect(record.last.at == 1800)
        #expect(record.openings.map(\.kata) == ["Greeting", "Parting", "Greeting"])
        #expect(record.openings.map(\.moment.at) == [0, 30, 1500])
        #expect(
            record.openings.map(\.text) == [SmallWorkbook.stub, SmallWorkbook.stub, SmallWorkbook.passing])
        #expect(record.saves.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(record.saves.map(\.moment.at) == [10, 30, 60, 60, 1500, 1500])
        #expect(record.saves.map(\.kata) == ["Greeting", "Greeting", "Parting", "Parting", "Parting", "Greeting"])
        #expect(
            record.saves.map(\.text) == [
                Self.failing, SmallWorkbook.passing, Self.unfinished, Self.failing, SmallWorkbook.answer,
                SmallWorkbook.answer,
            ])
        #expect(
            record.saves.map { $0.verdict?.outcome } == [
                .failed, .passed, .didNotCompile, .failed, .mastered, .mastered,
            ])
        #expect(record.saves.map(\.stopped) == [nil, .paused, nil, .away, nil, nil])
        // The folder's name is not in what others get to read.
        let files = record.saves[2].verdict?.diagnostics.map(\.file) ?? []
        #expect(Set(files) == ["Exercises/Parting/Parting.swift"])
        #expect(record.hints.map(\.test) == ["GreetingTests/greets()"])
        #expect(record.hints.map(\.level) == [1])
        #expect(record.hints.map(\.moment.at) == [10])
        #expect(record.notes.map(\.text) == ["ทำไม <b>왜?</b>"])
        #expect(record.notes.map(\.moment.at) == [10])
        #expect(record.gaps.map(\.cause) == [.paused, .away, .asleep])
        #expect(record.gaps.map(\.seconds) == [600, 500, 300])
        #expect(record.gaps.map(\.moment.at) == [30, 60, 60])
        #expect(record.missing == [])
        #expect(record.katas.map(\.outcome) == [.mastered, .mastered])
        #expect(record.katas.map(\.hints) == [1, 0])

        #expect(try place.learnerFiles() == untouched)
        #expect(!FileManager.default.fileExists(atPath: place.workbook.folder.path + "/.grader/progress.json"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.home.path) == [])
    }

    @Test("that is quit stays open and can be resumed, in every size and language", arguments: WatchTests.places)
    func quitAndResumed(at: WatchTests.Place) throws {
        let place = try InterviewPlace()
        let (strings, reports) = (try InterviewStrings(at.language), try ReportStrings(at.language))
        let open = { (arguments: [String]) in
            try place.open(arguments, language: at.language.code, columns: at.columns, rows: at.rows)
        }
        let fits = { (terminal: PseudoTerminal) in
            terminal.screen.lines.allSatisfy { CellWidth.of($0) <= at.columns }
        }
        var terminal = try open(["interview", "--katas", "Greeting,Parting", "--candidate", "안나"])
        try terminal.wait(for: strings(.ready), anywhere: true)
        try terminal.wait(for: strings(.keyStart), anywhere: true)
        #expect(fits(terminal))
        terminal.type("\r")
        try terminal.wait(for: strings(.timeLeft, "45:00"), anywhere: true)
        try terminal.wait(for: strings(.keyFinish), anywhere: true)
        #expect(fits(terminal))
        let folder = try place.session()
        try folder.save("Greeting", SmallWorkbook.answer)
        try terminal.wait(for: reports(Verdict.Outcome.mastered), anywhere: true)
        #expect(fits(terminal))
        terminal.type("p")
        try terminal.wait(for: strings(.pausedExplained), anywhere: true)
        #expect(fits(terminal))
        terminal.type("q")
        #expect(try terminal.exitCode() == 1)
        #expect(!terminal.screen.isAlternate && terminal.screen.isCursorShown && terminal.isCooked)
        try expect(terminal, tells: strings(.stillOpen, "45:00", "").split(separator: "`").first ?? "")
        let brief = folder.folder.exercises.exercise("Greeting").appendingPathComponent("README.md")
        #expect(try String(contentsOf: brief, encoding: .utf8).contains(at.language == .korean ? "인사" : "Greet"))

        try place.pass(60)
        terminal = try open(["interview", "--resume"])
        try terminal.wait(for: strings(.away, "1:00"), anywhere: true)
        try terminal.wait(for: reports(Verdict.Outcome.mastered), anywhere: true)
        terminal.type("f")
        try terminal.wait(for: strings(.askFinish, "y"), anywhere: true)
        #expect(fits(terminal))
        terminal.type("y")
        try terminal.wait(for: strings(.finished), anywhere: true)
        try terminal.wait(for: strings(.worked, "0:00", "45:00"), anywhere: true)
        #expect(fits(terminal))
        terminal.type("q")
        // One of the two katas is passed.
        #expect(try terminal.exitCode() == 1)
        let record = try folder.sessionFile()
        #expect(record.end == .finished)
        #expect(record.gaps.map(\.cause) == [.paused, .away])
        #expect(record.seconds(.away) == 60)
        #expect(record.katas.map(\.outcome) == [.mastered, .notStarted])
    }

    @Test("that is killed while a save is graded grades that save later, after newer saves")
    func killedWhileGrading() throws {
        let place = try InterviewPlace()
        var terminal = try place.begin(["interview", "--katas", "Greeting"])
        try terminal.wait(for: "45:00 left")
        let folder = try place.session()
        try folder.save("Greeting", SmallWorkbook.sleeping)
        try terminal.wait(for: try WatchStrings(.english)(.grading), anywhere: true)
        terminal.signal(SIGKILL)
        #expect(try terminal.exitCode() == -SIGKILL)
        #expect(try folder.folder.load().record.saves.map(\.verdict) == [nil])

        try folder.save("Greeting", SmallWorkbook.answer)
        terminal = try place.open([
            "interview", "--resume", "../workbook-interviews/\(folder.folder.url.lastPathComponent)",
        ])
        try terminal.wait(for: "mastered")
        terminal.type("f")
        try terminal.wait(for: "Finish the session now?")
        terminal.type("y")
        try terminal.wait(for: "interview report", anywhere: true)
        // The older verdict is recorded, and does not replace the newer one.
        #expect(terminal.screen.text.contains("mastered"))
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        let record = try folder.folder.load().record
        #expect(record.saves.map(\.text) == [SmallWorkbook.sleeping, SmallWorkbook.answer])
        #expect(record.saves.map { $0.verdict?.outcome } == [.failed, .mastered])
    }

    @Test("shows its rules and its files before its time begins, in a folder that an editor opens as a package")
    func ready() throws {
        let place = try InterviewPlace()
        let terminal = try place.open([
            "interview", "--katas", "Greeting,Parting", "--minutes", "30", "--hints", "2", "--candidate", "Ann",
        ])
        try terminal.wait(for: "The session is ready")
        let folder = try place.session()
        for sentence in [
            "You have 30:00 (minutes:seconds) for these katas.", "1 Greeting", "2 Parting", folder.folder.url.path,
            "You can take 2 hints.", "When the time is up, the files are graded as they are.",
        ] { try expect(terminal, tells: sentence) }
        #expect(!terminal.screen.text.contains("left"))
        // Next to the workbook, where no name is hidden.
        #expect(folder.folder.url.deletingLastPathComponent().lastPathComponent == "workbook-interviews")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.url.path)
        #expect(Set(names).isSuperset(of: ["Package.swift", "README.md", "Exercises", ".support"]))
        let manifest = try String(
            contentsOf: folder.folder.url.appendingPathComponent("Package.swift"), encoding: .utf8)
        #expect(manifest.contains("[\"Greeting\", \"Parting\"]"))
        #expect(
            FileManager.default.fileExists(atPath: folder.folder.url.path + "/.support/Combine/Publishers/Just.swift"))
        let around = WorkbookFolder(containing: folder.folder.exercises.exercise("Greeting"))
        #expect(around?.url.path == WorkbookFolder(place.workbook.folder).url.path)

        try place.pass(3600)
        try folder.save("Greeting", SmallWorkbook.answer)
        terminal.type("\r")
        try terminal.wait(for: "30:00 left")
        try terminal.wait(for: "mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 1)
        let record = try folder.sessionFile()
        #expect(record.saves.map(\.moment.at) == [0])
        #expect(record.gaps == [])
    }

    @Test(
        "can be read only by its owner, and so can the folder of all sessions; a folder that was there stays as it is")
    func permissions() throws {
        let place = try InterviewPlace()
        let parent = place.home.appendingPathComponent("ours")
        try FileManager.default.createDirectory(
            at: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o750])
        for folder in [nil, parent] {
            let arguments = ["interview", "--katas", "Greeting"] + (folder.map { ["--in", $0.path] } ?? [])
            let terminal = try place.open(arguments)
            try terminal.wait(for: "The session is ready")
            let session = try place.session(in: folder).folder.url
            let modes = try [session, session.deletingLastPathComponent()].map {
                try FileManager.default.attributesOfItem(atPath: $0.path)[.posixPermissions] as? Int
            }
            #expect(modes == [0o700, folder == nil ? 0o700 : 0o750])
            terminal.type("q")
            #expect(try terminal.exitCode() == 1)
        }
    }

    @Test("--pause M and --no-pause are said in the rules and kept, and --resume --in finds the session in that folder")
    func pauses() throws {
        let place = try InterviewPlace()
        var terminal = try place.open(["interview", "--katas", "Greeting", "--pause", "2", "--in", "ours"])
        try terminal.wait(for: "The session is ready")
        try expect(terminal, tells: "`p` stops the time and hides the results, for 2:00 (minutes:seconds) in all.")
        terminal.type("\rp")
        try terminal.wait(for: "You have 2:00", anywhere: true)
        try place.pass(130)
        try terminal.wait(for: "The time for pauses is used up", anywhere: true)
        try terminal.wait(for: "44:50 left")
        terminal.type("q")
        _ = try terminal.exitCode()
        terminal = try place.open(["interview", "--resume", "--in", "ours"])
        try terminal.wait(for: "44:50 left")
        terminal.type("p")
        try terminal.wait(for: "The time for pauses is used up", anywhere: true)
        terminal.type("q")
        _ = try terminal.exitCode()
        let folder = try place.session(in: place.workbook.folder.appendingPathComponent("ours"))
        let record = try folder.folder.load().record
        #expect(record.plan.pauseMinutes == 2 && record.seconds(.paused) == 120)

        terminal = try place.open(["interview", "--katas", "Greeting", "--no-pause"])
        try terminal.wait(for: "The session is ready")
        try expect(terminal, tells: "This session cannot be paused.")
        terminal.type("\r")
        // The rules say the same sentence: the session has to begin before the key says it.
        try terminal.wait(for: "45:00 left")
        terminal.type("p")
        try terminal.wait(for: "This session cannot be paused.", anywhere: true)
        try place.pass(10)
        try terminal.wait(for: "44:50 left")
        terminal.type("q")
        _ = try terminal.exitCode()
    }

    @Test("says that a kata's file is missing, until it is there again")
    func missingFile() throws {
        let place = try InterviewPlace()
        let terminal = try place.begin(["interview", "--katas", "Greeting"])
        try terminal.wait(for: "45:00 left")
        let folder = try place.session()
        try FileManager.default.removeItem(at: folder.folder.exercises.learnerFile("Greeting"))
        try terminal.wait(for: "is missing. Save it there again.", anywhere: true)
        try folder.save("Greeting", SmallWorkbook.answer)
        try terminal.wait(for: "mastered")
        #expect(!terminal.screen.text.contains("is missing"))
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
    }

    @Test("that is killed before its start says that nothing of it is recorded, and how to go on")
    func killedBeforeTheStart() throws {
        let place = try InterviewPlace()
        let terminal = try place.open(["interview", "--katas", "Greeting"])
        try terminal.wait(for: "The session is ready")
        let folder = try place.session().folder
        terminal.signal(SIGKILL)
        #expect(try terminal.exitCode() == -SIGKILL)
        let resumed = try place.open(["interview", "--resume", folder.url.path])
        #expect(try resumed.exitCode() == 2)
        try expect(resumed, tells: "was never started, so nothing of it is recorded.")
    }

    @Test("is created in the folder that --in names, and leaves no folder if it is quit before its time begins")
    func leftBeforeTheStart() throws {
        let place = try InterviewPlace()
        let parent = place.home.appendingPathComponent("ours")
        let terminal = try place.open(["interview", "--katas", "Greeting", "--in", parent.path])
        try terminal.wait(for: "The session is ready")
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).count == 1)
        terminal.type("q")
        #expect(try terminal.exitCode() == 1)
        try expect(terminal, tells: "The session was not started.")
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == [])
    }

    @Test("that an older version recorded in the workbook's hidden folder can be resumed")
    func fromTheHiddenFolder() throws {
        let place = try InterviewPlace()
        var terminal = try place.begin(["interview", "--katas", "Greeting"])
        try terminal.wait(for: "45:00 left")
        terminal.type("q")
        #expect(try terminal.exitCode() == 1)
        let session = try place.session().folder.url
        let hidden = place.workbook.folder.appendingPathComponent(".grader/interviews")
        try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: session, to: hidden.appendingPathComponent(session.lastPathComponent))
        terminal = try place.open(["interview", "--resume"])
        try terminal.wait(for: "45:00 left")
        terminal.type("q")
        #expect(try terminal.exitCode() == 1)
    }

    @Test("is open in one terminal at a time, and another terminal says why it cannot open it")
    func refused() throws {
        let place = try InterviewPlace()
        let none = try place.open(["interview", "--resume"])
        #expect(try none.exitCode() == 3)
        try expect(
            none,
            tells:
                "There is no open session in `\(InterviewFolder.all(in: WorkbookFolder(place.workbook.folder)).path)`.")
        let many = try place.open(["interview", "--count", "3"])
        #expect(try many.exitCode() == 2)
        try expect(many, tells: "The workbook has 2. Write `--count 2` or a smaller number.")

        let first = try place.begin(["interview", "--count", "1", "--seed", "3"])
        try first.wait(for: "Kata 1 of 1")
        let second = try place.open(["interview", "--resume"])
        #expect(try second.exitCode() == 3)
        try expect(second, tells: "is open in another terminal.")
        first.type("f")
        try first.wait(for: "Finish the session now?")
        first.type("y")
        try first.wait(for: "The session is finished")
        first.signal(SIGHUP)
        #expect(try first.exitCode() == 1)
        let folder = try place.session().folder
        let over = try place.open(["interview", "--resume", folder.url.path])
        #expect(try over.exitCode() == 2)
        try expect(over, tells: "is over. To see its replay, run")
    }

    @Test("that cannot be written any more stops before anything is lost, and continues when it can be written")
    func diskFull() throws {
        let place = try InterviewPlace()
        // No file may grow beyond 64 KB: writing more fails.
        var terminal = try place.begin(
            ["interview", "--katas", "Greeting"], by: "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"")
        try terminal.wait(for: "45:00 left")
        let folder = try place.session()
        let before = try Data(contentsOf: folder.folder.journal)
        let long = SmallWorkbook.answer + String(repeating: "// A long thought.\n", count: 5_000)
        try folder.save("Greeting", long)
        #expect(try terminal.exitCode() == 3)
        try expect(terminal, tells: "The session stopped because `\(folder.folder.url.path)/journal`")
        #expect(try Data(contentsOf: folder.folder.journal) == before)

        terminal = try place.open(["interview", "--resume"])
        try terminal.wait(for: "mastered")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        #expect(try folder.folder.load().record.saves.map(\.text) == [long])
    }

    enum Loss: CaseIterable {
        case removed, replaced, shortened
    }

    @Test(
        "whose journal is removed, replaced or shortened says so in its record, loses nothing, and stays this program's",
        arguments: Loss.allCases)
    func journalLost(loss: Loss) throws {
        let place = try InterviewPlace()
        var terminal = try place.begin(["interview", "--katas", "Greeting", "--hints", "1"])
        try terminal.wait(for: "45:00 left")
        let session = try place.session()
        let folder = session.folder
        try session.save("Greeting", Self.failing)
        try terminal.wait(for: "failed")
        terminal.type("h")
        try terminal.wait(for: "0 hints left")
        let whole = try Data(contentsOf: folder.journal)
        switch loss {
        case .removed: try FileManager.default.removeItem(at: folder.journal)
        case .replaced: try Data(whole.dropLast(300)).write(to: folder.journal, options: .atomic)
        case .shortened: #expect(truncate(folder.journal.path, 300) == 0)
        }
        try place.pass(10)
        try terminal.wait(for: "44:50 left")
        try session.save("Greeting", SmallWorkbook.answer)
        try terminal.wait(for: "mastered")
        let second = try place.open(["interview", "--resume", folder.url.path])
        #expect(try second.exitCode() == 3)
        try expect(second, tells: "is open in another terminal.")
        terminal.signal(SIGKILL)
        #expect(try terminal.exitCode() == -SIGKILL)

        terminal = try place.open(["interview", "--resume"])
        try terminal.wait(for: "0 hints left")
        terminal.type("q")
        #expect(try terminal.exitCode() == 0)
        let contents = try folder.load()
        #expect(contents.trouble == nil)
        #expect(contents.record.journalLost?.map(\.at) == [10])
        #expect(contents.record.saves.map(\.text) == [Self.failing, SmallWorkbook.answer])
        #expect(contents.record.hints.count == 1)
        #expect(contents.record.missing == [])
        #expect(try session.sessionFile() == contents.record)
    }

    @Test("that is killed together with its journal keeps its saves and the used hints, and reports the loss")
    func journalLostWithTheProgram() async throws {
        let place = try InterviewPlace()
        // A whole journal, and one of which the first lines are left.
        for kept in [0, 3] {
            var terminal = try place.begin(["interview", "--katas", "Greeting", "--hints", "1", "--in", "kept\(kept)"])
            try terminal.wait(for: "45:00 left")
            let session = try place.session(in: place.workbook.folder.appendingPathComponent("kept\(kept)"))
            let folder = session.folder
            try session.save("Greeting", Self.failing)
            try terminal.wait(for: "failed")
            terminal.type("h")
            try terminal.wait(for: "0 hints left")
            terminal.signal(SIGKILL)
            #expect(try terminal.exitCode() == -SIGKILL)
            let lines = try Data(contentsOf: folder.journal).split(separator: UInt8(ascii: "\n"))
            if kept == 0 {
                try FileManager.default.removeItem(at: folder.journal)
            } else {
                try Data(lines.prefix(kept).map { $0 + Data("\n".utf8) }.joined()).write(to: folder.journal)
            }
            let missing = Array(kept + 1...lines.count)

            terminal = try place.open(["interview", "--resume", folder.url.path])
            try terminal.wait(for: "0 hints left")
            try session.save("Greeting", SmallWorkbook.answer)
            try terminal.wait(for: "mastered")
            terminal.type("f")
            try terminal.wait(for: "Finish the session now?")
            terminal.type("y")
            try terminal.wait(for: "The session is finished")
            terminal.type("q")
            #expect(try terminal.exitCode() == 0)
            let record = try folder.load().record
            #expect(record.missing == missing)
            #expect(record.saves.map(\.text) == [Self.failing, SmallWorkbook.answer])
            #expect(record.hints.count == 1 && record.end == .finished)

            let report = try await Program.run(["interview", "report", folder.url.path], in: place.workbook.folder)
            #expect(report.code == 0)
            let remark =
                "\(missing.count) entries are missing from the session's journal: "
                + "numbers \(kept + 1)–\(lines.count)."
            #expect(report.errors.contains(remark), "\(report.errors)")
            let page = try String(contentsOf: folder.url.appendingPathComponent("replay.html"), encoding: .utf8)
            #expect(page.contains(remark))
            #expect(try session.sessionFile() == record)
        }
    }

    @Test("of which journal and session.json are gone, or have no beginning, is not resumed with all hints")
    func nothingToResume() throws {
        let place = try InterviewPlace()
        let terminal = try place.begin(["interview", "--katas", "Greeting", "--hints", "1"])
        try terminal.wait(for: "45:00 left")
        let folder = try place.session().folder
        terminal.type("q")
        #expect(try terminal.exitCode() == 1)
        try FileManager.default.removeItem(at: folder.session)
        let lines = try Data(contentsOf: folder.journal).split(separator: UInt8(ascii: "\n"))
        try Data(lines.dropFirst().map { $0 + Data("\n".utf8) }.joined()).write(to: folder.journal)
        let damaged = try place.open(["interview", "--resume", folder.url.path])
        #expect(try damaged.exitCode() == 3)
        try expect(damaged, tells: "is damaged: its first entry was expected to be the beginning of the session.")
        try FileManager.default.removeItem(at: folder.journal)
        let gone = try place.open(["interview", "--resume", folder.url.path])
        #expect(try gone.exitCode() == 3)
        try expect(gone, tells: "contains no practice session")
        #expect(!FileManager.default.fileExists(atPath: folder.journal.path))
    }

    @Test("marks what is pasted shortly before the end, also into the file of a kata that is not on the screen")
    func lateText() throws {
        let place = try InterviewPlace()
        let terminal = try place.begin(["interview", "--katas", "Greeting,Parting", "--minutes", "30"])
        try terminal.wait(for: "30:00 left")
        let folder = try place.session()
        try folder.save("Greeting", Self.failing)
        try terminal.wait(for: "failed")
        let pasted = (1...40).map { "// step\($0): ask \($0 * 7) people and greet them all\n" }.joined()
        try place.pass(30)
        try terminal.wait(for: "29:30 left")
        try folder.save("Parting", pasted + SmallWorkbook.answer)
        try terminal.wait(for: "Kata 2 of 2")
        try terminal.wait(for: "You saved `Parting`", anywhere: true)
        terminal.type("f")
        try terminal.wait(for: InterviewStrings(.english)(.askFinish, "y"), anywhere: true)
        terminal.type("y")
        // The session's folder is in the path of the kata's file too: only the last screen names this command.
        try terminal.wait(for: "interview report", anywhere: true)
        terminal.type("q")
        _ = try terminal.exitCode()

        let record = try folder.folder.load().record
        #expect(record.openings.map(\.kata) == ["Greeting", "Parting"])
        #expect(record.saves.map(\.kata) == ["Greeting", "Parting"])
        #expect(record.saves.map { $0.burst != nil } == [false, true])
        #expect(record.katas.map(\.bursts) == [0, 1])
        #expect(record.plan.stubs == ["Greeting": SmallWorkbook.stub, "Parting": SmallWorkbook.stub])
    }

    /// Expects the sentence on the terminal, wherever its lines are broken.
    private func expect(
        _ terminal: PseudoTerminal, tells sentence: some StringProtocol, _ place: SourceLocation = #_sourceLocation
    ) throws {
        let told = terminal.screen.text.filter { !$0.isWhitespace }
        #expect(told.contains(sentence.filter { !$0.isWhitespace }), "\(terminal.screen.text)", sourceLocation: place)
    }
}

/// A workbook of two small katas with a clock and a home of its own, removed after the test.
final class InterviewPlace {
    let workbook: SmallWorkbook
    let home: URL
    private let scratch: ScratchFolder
    private let clock: URL
    private var awake = 1000
    private var asleep = 50

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"), katas: ["Greeting", "Parting"])
        home = scratch("home")
        clock = scratch("time/clock")
        for folder in [home, scratch("time")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try tellTime()
    }

    /// Moves the clock on by so many seconds.
    func pass(_ seconds: Int) throws {
        awake += seconds
        try tellTime()
    }

    func sleep(_ seconds: Int) throws {
        asleep += seconds
        try tellTime()
    }

    private func tellTime() throws { try Data("\(awake) \(asleep)\n".utf8).write(to: clock, options: .atomic) }

    /// - Parameter script: what a shell does before it becomes the program.
    func open(
        _ arguments: [String], by script: String? = nil, language: String = "en", columns: Int = 80, rows: Int = 24
    ) throws -> PseudoTerminal {
        let program = try Program.executable
        let command = (script.map { ["/bin/bash", "-c", $0] } ?? []) + [program.path] + arguments
        return try PseudoTerminal(
            URL(fileURLWithPath: command[0]), command.dropFirst() + ["--language", language],
            environment: Program.environment([
                "LANG": "C.UTF-8", "HOME": home.path, "GRADER_CLOCK": clock.path,
            ]), folder: workbook.folder, columns: columns, rows: rows)
    }

    /// Opens a new session, and starts its time.
    func begin(_ arguments: [String], by script: String? = nil) throws -> PseudoTerminal {
        let terminal = try open(arguments, by: script)
        try terminal.wait(for: "The session is ready")
        terminal.type("\r")
        return terminal
    }

    /// The only session that there is, next to the workbook or in the folder.
    func session(in folder: URL? = nil) throws -> SessionFiles {
        let all = folder ?? InterviewFolder.all(in: WorkbookFolder(workbook.folder))
        let names = try FileManager.default.contentsOfDirectory(atPath: all.path)
        try #require(names.count == 1)
        return SessionFiles(folder: InterviewFolder(all.appendingPathComponent(names[0])))
    }

    /// Every file of the learner's own exercises.
    func learnerFiles() throws -> [String: Data] {
        let exercises = workbook.folder.appendingPathComponent("Exercises")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: exercises.path)
        return Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                (try? Data(contentsOf: exercises.appendingPathComponent(path))).map { (path, $0) }
            })
    }
}

/// What a candidate and a reader do in a session's folder.
struct SessionFiles {
    let folder: InterviewFolder

    /// Saves as an editor that replaces the file.
    func save(_ kata: String, _ text: String) throws {
        try Data(text.utf8).write(to: folder.exercises.learnerFile(kata), options: .atomic)
    }

    func sessionFile() throws -> InterviewRecord {
        try InterviewRecord.decoder.decode(InterviewRecord.self, from: Data(contentsOf: folder.session))
    }
}
