import Foundation
import Storage
import TestSupport
import Testing
import Workbook

/// The reports after an interview, written by the program itself.
@Suite("grader interview report and compare", .startsPrograms)
struct InterviewReportTests {
    /// A workbook that keeps sessions, as `grader interview` leaves them.
    private struct Sessions {
        let scratch: ScratchFolder
        let workbook: SmallWorkbook

        init() throws {
            scratch = try ScratchFolder()
            workbook = try SmallWorkbook(at: scratch("workbook"), katas: ["Greet", "Part"], sharesCache: false)
        }

        /// A session of two saves, the second of which passes.
        func hold(_ candidate: String, katas: [String] = ["Greet"], seconds: Double = 60) throws -> InterviewFolder {
            let all = try WorkbookFolder(workbook.folder).katas()
            let plan = InterviewPlan(
                candidate: candidate, language: .english, katas: all.filter { katas.contains($0.kata) }, minutes: 45,
                hints: 3, seed: 7, versions: .init(grader: "1.0.0", swift: "6.3.1"))
            let began = Date(timeIntervalSince1970: 1_773_064_000 + seconds)
            let folder = try InterviewFolder.create(for: plan, in: WorkbookFolder(workbook.folder), at: began)
            let journal = try InterviewJournal(folder.journal)
            func add(_ at: Double, _ kind: InterviewEvent.Kind) throws {
                try journal.append(InterviewEvent(InterviewMoment(at: at, time: began + at), kind))
            }
            let kata = katas[0]
            func verdict(_ outcome: Verdict.Outcome, _ tests: [TestVerdict.Outcome]) -> Verdict {
                let manifest = plan.katas[0]
                return Verdict(
                    kata: kata, outcome: outcome, points: outcome == .passed ? 1 : 0, maxPoints: 3, seconds: 0.5,
                    diagnostics: [],
                    tests: zip(manifest.tests, tests).map { test, outcome in
                        TestVerdict(
                            id: test.id, outcome: outcome, points: outcome == .passed ? test.points : 0,
                            output: "I greet \(candidate)")
                    })
            }
            try add(0, .begun(plan))
            try add(0, .opened(kata: kata, text: SmallWorkbook.stub))
            try add(seconds, .saved(number: 1, kata: kata, text: "// \(candidate.uppercased())\n" + SmallWorkbook.stub))
            try add(seconds, .graded(save: 1, verdict(.failed, [.failed, .failed])))
            try add(seconds + 5, .note(kata: kata, text: "\(candidate) asks what a stranger is"))
            try add(seconds * 2, .saved(number: 2, kata: kata, text: SmallWorkbook.passing))
            try add(seconds * 2, .graded(save: 2, verdict(.passed, [.passed, .failed])))
            try add(seconds * 3, .closed(.finished))
            return folder
        }

        func run(_ arguments: String...) async throws -> Program.Run {
            try await Program.run(["interview"] + arguments, in: workbook.folder)
        }

        /// Everything that is in a folder: names and contents.
        func contents(_ folder: URL) throws -> String {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            return names.map { name in
                let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                return name + "\n" + (text ?? "")
            }.joined(separator: "\n")
        }
    }

    @Test("report writes session.json and replay.html next to the journal, and says where")
    func report() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana García")
        let run = try await sessions.run("report", folder.url.path)
        #expect(run.code == 0)
        #expect(run.errors.isEmpty)
        let page = folder.url.appendingPathComponent("replay.html")
        #expect(run.output == "The report was written: `\(page.path)`\n")
        let record = try InterviewRecord.decoder.decode(InterviewRecord.self, from: Data(contentsOf: folder.session))
        #expect(record == (try folder.load().record))
        #expect(record.end == .finished && record.saves.count == 2 && record.katas[0].passed == 120)
        let text = try String(contentsOf: page, encoding: .utf8)
        // The candidate's last text and the workbook's titles, without its model answer.
        #expect(!text.contains("name.isEmpty"))
        #expect(text.contains("I greet"))
        #expect(text.contains("en greets.title"))
    }

    @Test("report is in the reader's language, and has the model answer if --solution is given")
    func options() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        let run = try await sessions.run("report", folder.url.path, "--language", "ko", "--solution")
        #expect(run.code == 0)
        let page = folder.url.appendingPathComponent("replay.html")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("<html lang=\"ko\">"))
        #expect(text.contains("name.isEmpty"))
        // The option of earlier versions asks for what is so without it.
        let former = try await sessions.run("report", folder.url.path, "--no-solution", "--no-observer")
        #expect(former.code == 0)
        #expect(try !String(contentsOf: page, encoding: .utf8).contains("name.isEmpty"))
    }

    /// What an observer kept, with words that are in no other place of a session.
    private static let observations = [
        InterviewEvent(
            InterviewMoment(at: 91, time: Date(timeIntervalSince1970: 1_773_064_151)),
            .observed(kata: "Greet", text: "thinks aloud")),
        InterviewEvent(
            InterviewMoment(at: 95, time: Date(timeIntervalSince1970: 1_773_064_155)),
            .judged(
                .init(kata: "Greet", number: 1, question: "Who is a stranger?", mark: 4, sentence: "Knows everybody."))),
    ]
    private static let privateWords = ["thinks aloud", "Who is a stranger", "Knows everybody", "T13:49:11", "\"mark\""]

    @Test(
        "report has nothing of the observer's in the candidate's folder, and with --observer it is next to their file")
    func observer() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        let journal = try InterviewJournal(folder.observer, isPrivate: true)
        for event in Self.observations { try journal.append(event) }
        for options in [[], ["--solution"], ["--observer"], ["--observer", "--solution"]] {
            try? FileManager.default.removeItem(at: folder.observedReplay)
            let run = try await Program.run(
                ["interview", "report", folder.url.path] + options, in: sessions.workbook.folder)
            #expect(run.code == 0)
            let candidates = try sessions.contents(folder.url)
            for words in Self.privateWords { #expect(!candidates.contains(words), "\(words) with \(options)") }
            let isObserved = options.contains("--observer")
            #expect(FileManager.default.fileExists(atPath: folder.observedReplay.path) == isObserved)
            guard isObserved else { continue }
            #expect(run.output.hasPrefix("The report was written: `\(folder.observedReplay.path)`\n"))
            #expect(run.output.contains(folder.observedSession.path))
            let page = try String(contentsOf: folder.observedReplay, encoding: .utf8)
            for words in Self.privateWords.prefix(3) { #expect(page.contains(words)) }
            #expect(page.contains("name.isEmpty") == options.contains("--solution"))
            for file in [folder.observedReplay, folder.observedSession] {
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
            let record = try InterviewRecord.decoder.decode(
                InterviewRecord.self, from: Data(contentsOf: folder.observedSession))
            #expect(record == (try folder.load().record))
            #expect(record.rubric?.map(\.mark) == [4] && record.privateNotes?.map(\.text) == ["thinks aloud"])
        }
    }

    @Test("report --for-candidate writes the last code, the verdicts and the hints that were used, and nothing else")
    func forCandidate() async throws {
        let sessions = try Sessions()
        _ = try sessions.hold("Vantablack", seconds: 30)
        let folder = try sessions.hold("Ana", katas: ["Greet", "Part"])
        let observer = try InterviewJournal(folder.observer, isPrivate: true)
        for event in Self.observations { try observer.append(event) }
        let kata = try folder.load().record.plan.katas[0]
        let moment = InterviewMoment(at: 121, time: Date(timeIntervalSince1970: 1_773_064_181))
        var verdict = try #require(try folder.load().record.saves.last?.verdict)
        verdict.reasonsToLook = [ReasonToLook(LocalizableMessage(.verbatim, "reads the clock"), line: 1)]
        let journal = try InterviewJournal(folder.journal)
        for kind: InterviewEvent.Kind in [
            .hint(kata: kata.kata, test: kata.tests[0].id, level: 2),
            .saved(number: 3, kata: kata.kata, text: "// the last text\n"), .graded(save: 3, verdict),
        ] { try journal.append(InterviewEvent(moment, kind)) }

        // Also where the other pages were written before.
        for options in [[], ["--observer", "--solution"], ["--for-candidate"]] {
            let run = try await Program.run(
                ["interview", "report", folder.url.path] + options, in: sessions.workbook.folder)
            #expect(run.code == 0)
            guard options == ["--for-candidate"] else { continue }
            #expect(run.output.contains(folder.url.appendingPathComponent("for-candidate.html").path))
        }
        let page = try String(contentsOf: folder.url.appendingPathComponent("for-candidate.html"), encoding: .utf8)
        for words in [
            "Ana", "// the last text", "en greets.title", "en stranger.title", "Hint 2 · en greets.title",
            "en greets.2",
            "\"outcome\":\"passed\"", "\"outcome\":\"notStarted\"", "\"name\":\"Part\"",
        ] { #expect(page.contains(words), "\(words)") }
        let (notes, answer) = (["asks what a stranger is"], ["name.isEmpty"])
        let others = ["Vantablack", "reads the clock", "similar", SmallWorkbook.passing.prefix(20).description]
        let times = [
            "\"moments\"", "\"at\"", "begun", "T13:4", "1773064", "2026", "\"seconds\"", "\"saves\"", "\"seed\":\"7\"",
        ]
        let hints = ["en greets.1", "en greets.3", "en stranger.1"]
        for words in Self.privateWords + notes + answer + others + times + hints + [
            "Observer", "rubric", "\"words\":\"\"",
        ] {
            #expect(!page.contains(words), "\(words)")
        }
        for option in ["--observer", "--solution"] {
            let both = try await sessions.run("report", folder.url.path, "--for-candidate", option)
            #expect(both.code == 2 && both.errors.contains(option))
        }
    }

    @Test("report --observer says where the observer's notes were expected, if there are none")
    func noObserver() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        let run = try await sessions.run("report", folder.url.path, "--observer")
        #expect(run.code == 0)
        #expect(run.errors.contains("No observer's notes or marks were found: they were expected in"))
        #expect(run.errors.contains(folder.observer.lastPathComponent))
        #expect(run.output.contains(folder.url.appendingPathComponent("replay.html").path))
    }

    @Test("what an earlier version kept of the observer's in session.json goes to the observer's file")
    func earlierObserver() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        var record = try folder.load().record
        record.add(observations: Self.observations)
        record.entries = nil
        try folder.write(record)
        let paths = [folder.url.path]
        #expect(try await sessions.run("compare", paths[0]).output.contains("Knows everybody."))
        #expect(try await sessions.run("report", paths[0]).code == 0)
        let candidates = try sessions.contents(folder.url)
        for words in Self.privateWords { #expect(!candidates.contains(words), "\(words)") }
        let moved = try folder.load().record
        #expect(moved.privateNotes == record.privateNotes && moved.rubric == record.rubric)
    }

    @Test("report keeps what only session.json has, and names it as missing from the journal, also if it is killed")
    func cutJournal() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        #expect(try await sessions.run("report", folder.url.path).code == 0)
        let kept = try Data(contentsOf: folder.session)
        let lines = try Data(contentsOf: folder.journal).split(separator: UInt8(ascii: "\n"))
        try Data(lines.prefix(4).map { $0 + Data("\n".utf8) }.joined()).write(to: folder.journal)
        var change = 1
        while true {
            let run = try await Program.run(
                ["interview", "report", folder.url.path], in: sessions.workbook.folder,
                environment: KillAtChange.environment(change))
            var record = try InterviewRecord.decoder.decode(
                InterviewRecord.self, from: Data(contentsOf: folder.session))
            #expect(record.missing == [] || record.missing == Array(5...lines.count))
            record.missing = []
            #expect(try record == InterviewRecord.decoder.decode(InterviewRecord.self, from: kept))
            guard run.wasKilled else {
                #expect(run.code == 0)
                #expect(run.errors.contains("entries are missing from the session's journal: numbers 5–"))
                break
            }
            change += 1
        }
        #expect(change > 2)
    }

    @Test("compare writes no report into the folder of a session")
    func compareIntoSession() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        for place in [folder.url, folder.url.appendingPathComponent("report")] {
            let run = try await sessions.run("compare", folder.url.path, "--report", place.path)
            #expect(run.code == 2)
            #expect(run.errors.contains("Choose a folder outside of the sessions' folders."))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("comparison.html").path))
    }

    @Test("a journal that was lost while the session ran is a remark of the report and of the comparison")
    func lostJournal() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        let journal = try InterviewJournal(folder.journal)
        let moment = InterviewMoment(at: 82, time: Date(timeIntervalSince1970: 1_773_064_082))
        try journal.append(InterviewEvent(moment, .journalLost))
        let remark = "was removed, replaced or shortened while the session ran. This was noticed at 1:22"
        #expect(try await sessions.run("report", folder.url.path).errors.contains(remark))
        let page = folder.url.appendingPathComponent("replay.html")
        #expect(try String(contentsOf: page, encoding: .utf8).contains(remark))
        #expect(try await sessions.run("compare", folder.url.path).errors.contains(remark))
        #expect(try await sessions.run("compare", folder.url.path, "--json").output.contains(remark))
        let session = try String(contentsOf: folder.session, encoding: .utf8)
        #expect(session.contains("\"journalLost\" : ["))
    }

    @Test("a damaged journal is reported on the terminal and in the page, and everything else is shown")
    func damaged() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        var lines = try String(contentsOf: folder.journal, encoding: .utf8).split(separator: "\n").map(String.init)
        // The first save's verdict, and the note.
        for place in [3, 4] { lines[place] = "spilt coffee" }
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: folder.journal)
        let run = try await sessions.run("report", folder.url.path)
        #expect(run.code == 0)
        let missing = "2 entries are missing from the session's journal: numbers 4–5."
        #expect(run.errors.contains(missing))
        #expect(run.errors.contains("1 save has no verdict (number 1)"))
        let text = try String(contentsOf: folder.url.appendingPathComponent("replay.html"), encoding: .utf8)
        #expect(text.contains(missing))
    }

    @Test("without its journal a session is read from session.json, which is not changed")
    func withoutJournal() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana")
        _ = try await sessions.run("report", folder.url.path)
        try FileManager.default.removeItem(at: folder.journal)
        let kept = try Data(contentsOf: folder.session) + Data(" \n".utf8)
        try kept.write(to: folder.session)
        let run = try await sessions.run("report", folder.url.path)
        #expect(run.code == 0)
        #expect(run.errors.contains("The session's journal could not be read."))
        #expect(try Data(contentsOf: folder.session) == kept)
        try FileManager.default.removeItem(at: folder.session)
        let nothing = try await sessions.run("report", folder.url.path)
        #expect(nothing.code == 3)
        #expect(nothing.errors.contains("contains no practice session"))
    }

    @Test("compare shows sessions side by side on their common katas, and --report writes a page")
    func compare() async throws {
        let sessions = try Sessions()
        let first = try sessions.hold("Ana García", katas: ["Greet", "Part"])
        let second = try sessions.hold("김민수", seconds: 30)
        let table = try await sessions.run("compare", first.url.path, second.url.path)
        #expect(table.code == 0)
        #expect(table.errors.contains("These katas are not compared, because not every session has them: Part."))
        #expect(
            table.output.hasSuffix(
                """

                Greet
                Session     State   Points  First core test  Passed  Mastered  Hints  Saves  Text in one save  Time spent
                Ana García  passed   1/100             2:00    2:00         –      0      2                 0        3:00
                김민수      passed   1/100             1:00    1:00         –      0      2                 0        1:30

                """))
        let report = sessions.scratch("report")
        let json = try await sessions.run(
            "compare", first.url.path, second.url.path, "--json", "--report", report.path)
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect((object?["sessions"] as? [[String: Any]])?.map { $0["session"] as? String } == ["Ana García", "김민수"])
        #expect(json.errors.contains(report.appendingPathComponent("comparison.html").path))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: report.path).sorted() == [
                "comparison.csv", "comparison.html", "comparison.json", "replay-Ana García.html", "replay-김민수.html",
            ])
        // The way back.
        let replay = try String(contentsOf: report.appendingPathComponent("replay-김민수.html"), encoding: .utf8)
        #expect(replay.contains("\"comparison\":\"comparison.html\""))
        _ = try await sessions.run("report", first.url.path)
        let own = try String(contentsOf: first.url.appendingPathComponent("replay.html"), encoding: .utf8)
        #expect(!own.contains("comparison.html"))
    }

    @Test("compare takes a folder of sessions, or all that is in it, and leaves out what is not a session")
    func compareFolder() async throws {
        let sessions = try Sessions()
        let folders = try [sessions.hold("Ana García"), sessions.hold("김민수", seconds: 30)]
        let all = folders[0].url.deletingLastPathComponent()
        try InterviewJournal(folders[0].observer, isPrivate: true).append(Self.observations[0])
        _ = try await sessions.run("report", folders[0].url.path, "--observer")
        let other = all.appendingPathComponent("pictures")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let damaged = all.appendingPathComponent("damaged")
        try FileManager.default.createDirectory(at: damaged, withIntermediateDirectories: true)
        try Data("spilt coffee\n".utf8).write(to: damaged.appendingPathComponent("journal"))

        let named = try await sessions.run("compare", folders[0].url.path, folders[1].url.path)
        let folder = try await sessions.run("compare", all.path)
        #expect(folder.code == 0 && folder.output == named.output)
        #expect(folder.errors.contains("damaged` is left out: it has no practice session that can be read."))
        #expect(!folder.errors.contains("pictures") && !folder.errors.contains(".observer"))
        let names = try FileManager.default.contentsOfDirectory(atPath: all.path).sorted().filter { $0 != "damaged" }
        let every = try await Program.run(
            ["interview", "compare"] + names.map { all.appendingPathComponent($0).path }, in: sessions.workbook.folder)
        #expect(every.code == 0 && every.output == named.output)
        #expect(every.errors.contains("pictures` is left out") && !every.errors.contains(".observer"))
        for path in [other.path, all.appendingPathComponent("missing").path] {
            let nothing = try await sessions.run("compare", path)
            #expect(nothing.code == 3 && nothing.errors.contains("contains no practice session"))
        }
    }

    @Test("list shows the sessions in the workbook's folder or in another one, as a table and as JSON")
    func list() async throws {
        let sessions = try Sessions()
        let empty = try await sessions.run("list")
        #expect(empty.code == 0 && empty.errors.contains("No practice session was found in"))
        let folders = try [sessions.hold("Ana García"), sessions.hold("김민수", katas: ["Greet", "Part"], seconds: 30)]
        try InterviewJournal(folders[1].observer, isPrivate: true).append(Self.observations[0])
        let table = try await sessions.run("list")
        #expect(table.code == 0)
        for words in [
            "Ana García", "김민수", "finished early", "3:00/45:00", "Greet passed", "Part not started",
            folders[0].url.lastPathComponent,
        ] { #expect(table.output.contains(words), "\(words): \(table.output)") }
        let json = try await sessions.run("list", folders[0].url.deletingLastPathComponent().path, "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let listed = try #require(object?["sessions"] as? [[String: Any]])
        #expect(object?["schema"] as? Int == 1)
        #expect(listed.map { $0["candidate"] as? String } == ["Ana García", "김민수"])
        #expect(listed.map { $0["observed"] as? Bool } == [false, true])
        #expect(listed.map { $0["folder"] as? String } == folders.map(\.url.path))
        #expect(listed.map { $0["end"] as? String } == ["finished", "finished"])
    }

    @Test("the help of interview names its other commands, and a number out of range is answered with the range")
    func help() async throws {
        let sessions = try Sessions()
        let help = try await sessions.run("--help")
        for words in [
            "interview [--resume [FOLDER]]", "interview watch FOLDER", "interview list [FOLDER]", "--no-pause",
        ] {
            #expect(help.output.contains(words), "\(words)")
        }
        #expect(
            try await sessions.run("--minutes", "1.5").errors.contains(
                "The option `--minutes` needs a whole number from 1 to 1,440, not `1.5`."))
        #expect(
            try await sessions.run("--hints", "-1").errors.contains(
                "The option `--hints` needs a whole number, 0 or more, not `-1`."))
    }

    @Test("compare shows the observer's marks and sentences, and leaves them out where that is asked for")
    func rubric() async throws {
        let sessions = try Sessions()
        let folders = try [sessions.hold("Ana García"), sessions.hold("김민수", seconds: 30)]
        for (folder, mark) in zip(folders, [5, 2]) {
            let moment = InterviewMoment(at: 90, time: Date(timeIntervalSince1970: 1_773_064_090))
            let judgement = InterviewRecord.Judgement(
                kata: "Greet", number: 1, question: "Who is a stranger?", mark: mark, sentence: "Said \(mark) things.")
            try InterviewJournal(folder.observer).append(InterviewEvent(moment, .judged(judgement)))
        }
        let paths = folders.map(\.url.path)
        let table = try await sessions.run("compare", paths[0], paths[1])
        #expect(
            table.output.hasSuffix(
                """

                Session     Mark  In a sentence
                1. Who is a stranger?
                Ana García     5  Said 5 things.
                김민수         2  Said 2 things.

                """))
        let blind = try await sessions.run("compare", paths[0], paths[1], "--blind").output
        #expect(blind.contains("Who is a stranger?") && !blind.contains("Ana") && !blind.contains("김"))
        let without = try await sessions.run("compare", paths[0], paths[1], "--no-observer")
        #expect(without.code == 0 && !without.output.contains("stranger"))
    }

    @Test("compare has a line for each observer of a session, and one cell for all of them in the CSV")
    func observers() async throws {
        let sessions = try Sessions()
        let folder = try sessions.hold("Ana García")
        for (name, mark) in [("Ben", 4), ("Cy", 2)] {
            let moment = InterviewMoment(at: 90, time: Date(timeIntervalSince1970: 1_773_064_090))
            let judgement = InterviewRecord.Judgement(
                kata: "Greet", number: 1, question: "Who is a stranger?", mark: mark, sentence: "Said \(mark) things.")
            let journal = try InterviewJournal(folder.observer(named: name), isPrivate: true)
            for kind: InterviewEvent.Kind in [.named(observer: name), .judged(judgement)] {
                try journal.append(InterviewEvent(moment, kind))
            }
        }
        let report = sessions.scratch("report")
        let table = try await sessions.run("compare", folder.url.path, "--report", report.path)
        #expect(
            table.output.contains("Ana García     4  Ben · Said 4 things.\nAna García     2  Cy · Said 2 things.\n"))
        let csv = try String(contentsOf: report.appendingPathComponent("comparison.csv"), encoding: .utf8)
        #expect(csv.contains("4; 2") && csv.contains("Ben · Said 4 things.; Cy · Said 2 things."))
        let json = try await sessions.run("compare", folder.url.path, "--json")
        #expect(json.output.contains("\"observer\" : \"Cy\"") || json.output.contains("\"observer\": \"Cy\""))
    }

    @Test(
        "with --blind, no name is in what is printed and written, in upper or lower case", arguments: [["--json"], []])
    func blind(form: [String]) async throws {
        let sessions = try Sessions()
        let folders = [try sessions.hold("Wqxz Quuxington"), try sessions.hold("Vantablack", seconds: 30)]
        // Also if the folder of the report has the name.
        let report = sessions.scratch("for-Wqxz-Quuxington")
        let run = try await Program.run(
            ["interview", "compare"] + folders.map(\.url.path) + ["--blind", "--report", report.path] + form,
            in: sessions.workbook.folder)
        #expect(run.code == 0)
        let told = (run.text + (try sessions.contents(report))).lowercased()
        for name in ["wqxz", "quuxington", "vantablack"] { #expect(!told.contains(name)) }
        #expect(told.contains("replay-a.html") && told.contains("asks what a stranger is"))
    }
}
