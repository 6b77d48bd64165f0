import Foundation
import Storage
import TestSupport
import Testing
import Workbook

/// The program itself, on a workbook in which nothing has to be graded.
@Suite("The learner's commands", .grades)
struct CommandTests {
    private let folder: ScratchFolder
    private let workbook: SmallWorkbook

    init() throws {
        folder = try ScratchFolder()
        workbook = try SmallWorkbook(at: folder("workbook"), katas: ["Greeting", "Parting"], sharesCache: false)
    }

    private func grader(
        _ arguments: String..., from path: String = "", environment: [String: String] = [:]
    ) async throws -> Program.Run {
        try await Program.run(
            arguments, in: workbook.folder.appendingPathComponent(path), environment: environment)
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("Without a terminal, grader without arguments lists the katas")
    func bare() async throws {
        let run = try await grader()
        #expect(run.code == 0)
        #expect(run.output.contains("Phase 1: Preparation"))
        #expect(run.output.contains("Greeting         3/5  not started"))
        #expect(run.output == (try await grader("list")).output)
        #expect(!run.text.contains("\u{1B}"))
    }

    @Test("The workbook is found from any folder inside it, and paths are relative to the working folder")
    func upwards() async throws {
        let run = try await grader("list", from: "Exercises/Greeting")
        #expect(run.code == 0)
        #expect(run.output.contains("../Parting/Parting.swift"))
    }

    @Test("Without a workbook, a message says what was looked for")
    func noWorkbook() async throws {
        let away = try ScratchFolder()
        let run = try await Program.run(["list"], in: away.url)
        #expect(run.code == 3)
        #expect(run.errors.contains("`Exercises`") && run.errors.contains("`--workbook`"))
        let named = try await Program.run(["list", "--workbook", workbook.folder.path], in: away.url)
        #expect(named.code == 0)
        let wrong = try await grader("list", "--workbook", "Exercises")
        #expect(wrong.code == 2)
    }

    @Test("In a folder that was removed, it looks no further and says that there is no workbook")
    func removedFolder() async throws {
        let away = try ScratchFolder()
        let folder = away("removed")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let remove = ["/bin/sh", "-c", "rmdir ../removed && exec \"$@\"", "sh"]
        let run = try await Program.run(["list"], in: folder, by: remove)
        #expect(run.code == 3)
        #expect(run.errors.contains("`Exercises`") && run.errors.contains("`--workbook`"))
    }

    @Test(
        "A typing mistake is answered with what was probably meant",
        arguments: [
            (["chek"], "`check`"), (["list", "--jsn"], "`--json`"), (["show", "greting"], "`Greeting`"),
            (["list", "--language", "Koraen"], "한국어"), (["show", "Nothing"], "Greeting, Parting"),
            (["reset"], "reset KATA"), (["check", "--seed", "x"], "--seed 42"),
        ])
    func mistakes(arguments: [String], meant: String) async throws {
        let run = try await Program.run(arguments, in: workbook.folder)
        #expect(run.code == 2)
        #expect(run.errors.contains(meant))
    }

    @Test("A mistake is reported in the language that the command line names")
    func mistakeInKorean() async throws {
        let run = try await grader("chek", "--language", "ko")
        #expect(run.errors == "`chek` 명령은 없습니다. 혹시 `check` 명령을 찾으셨나요?\n")
        #expect(run.output == "")
    }

    @Test("A mistake is reported in the language of the workbook that --workbook names, from any folder")
    func mistakeInRememberedLanguage() async throws {
        #expect(try await grader("language", "ko").code == 0)
        let options = [
            ["--workbook", "workbook"], ["--workbook=workbook"], ["--progress=workbook/.grader/progress.json"],
        ]
        for option in options {
            let run = try await Program.run(["chek"] + option, in: folder.url)
            #expect(run.errors == "`chek` 명령은 없습니다. 혹시 `check` 명령을 찾으셨나요?\n")
        }
    }

    @Test("The help of a command shows the values that its options take")
    func helpOfCommand() async throws {
        #expect(try await grader("help", "doctor").output.contains("--report FILE"))
        #expect(try await grader("help", "grade").output.contains("--report FOLDER"))
        #expect(try await grader("help", "check").output.contains("--format junit|gradescope|exercism|json"))
        #expect(try await grader("help", "merge").output.contains("--format csv|html|pages|junit|gradescope|exercism"))
    }

    @Test(
        "For the first word of longer commands, help shows those commands",
        arguments: [["help", "kata"], ["kata", "-h"]])
    func helpOfFamily(arguments: [String]) async throws {
        let run = try await Program.run(arguments, in: workbook.folder)
        #expect(run.code == 0)
        #expect(run.output.contains("kata new NAME") && run.output.contains("kata verify [KATA …]"))
    }

    @Test("The language is that of the option, else the chosen one, else that of the locale, else English")
    func language() async throws {
        #expect(try await grader("list", environment: ["LANG": "th_TH.UTF-8"]).output.contains("แบบฝึกหัด"))
        #expect(try await grader("list", environment: ["LANG": "C"]).output.contains("Kata"))
        let chosen = try await grader("language", "한국어")
        #expect(chosen.output == "이제부터 메시지가 한국어로 표시됩니다.\n")
        #expect(try await grader("list", environment: ["LANG": "th_TH.UTF-8"]).output.contains("카타"))
        #expect(try await grader("list", "--language", "es").output.contains("Estado"))
        let stored = try object(
            String(contentsOf: workbook.folder.appendingPathComponent(".grader/progress.json"), encoding: .utf8))
        #expect(stored["language"] as? String == "ko")
    }

    @Test(
        "A kata's name is known in any case, and by its file's path",
        arguments: ["greeting", "GREETING", "Exercises/Greeting/Greeting.swift"])
    func anyCase(name: String) async throws {
        let run = try await grader("show", name)
        #expect(run.code == 0)
        #expect(run.output.contains("Greet people."))
    }

    @Test("The brief is in the reader's language, or in English if there is no translation")
    func brief() async throws {
        #expect(try await grader("show", "Greeting", "--language", "ko").output.contains("인사하세요"))
        #expect(try await grader("show", "Greeting", "--language", "th").output.contains("Greet people."))
        let json = try object(try await grader("show", "Greeting", "--json").output)
        #expect((json["brief"] as? String)?.contains("Greet people.") == true)
        #expect((json["tests"] as? [Any])?.count == 2)
    }

    @Test("list --json is one object with an entry for each kata")
    func listJSON() async throws {
        let json = try object(try await grader("list", "--json").output)
        #expect(json["schema"] as? Int == 1)
        let katas = try #require(json["katas"] as? [[String: Any]])
        #expect(katas.map { $0["kata"] as? String } == ["Greeting", "Parting"])
        #expect(katas[0]["outcome"] as? String == "notStarted")
        #expect(katas[0]["maxPoints"] as? Int == 100)
        #expect(katas[0]["file"] as? String == "Exercises/Greeting/Greeting.swift")
    }

    @Test("The JSON of list, show and hint always has the same keys")
    func keys() async throws {
        let entry: Set = [
            "kata", "order", "phase", "difficulty", "strand", "needs", "warmUp", "outcome", "best", "points",
            "maxPoints",
            "file",
        ]
        let list = try object(try await grader("list", "--json").output)
        #expect(Set(list.keys) == ["schema", "language", "katas"])
        let katas = try #require(list["katas"] as? [[String: Any]])
        #expect(katas.allSatisfy { Set($0.keys) == entry })

        let show = try object(try await grader("show", "Greeting", "--json").output)
        #expect(Set(show.keys) == ["schema", "language", "kata", "interface", "brief", "tests"])
        #expect(Set(try #require(show["kata"] as? [String: Any]).keys) == entry)
        let tests = try #require(show["tests"] as? [[String: Any]])
        #expect(tests.allSatisfy { Set($0.keys) == ["id", "tier", "points", "title", "hintsShown"] })

        // Without a compiler the remembered verdict is shown: nothing is graded here.
        let nowhere = ["PATH": "/nowhere"]
        let hintKeys: Set = [
            "schema", "language", "kata", "outcome", "test", "title", "level", "levels", "hints", "unwritten",
            "stillRunning", "message", "diagnostics",
        ]
        let hint = try object(try await grader("hint", "Greeting", "--json", environment: nowhere).output)
        #expect(Set(hint.keys) == hintKeys)
        #expect(hint["level"] as? Int == 1)
        let file = workbook.folder.appendingPathComponent(".grader/progress.json")
        let kata = Kata(kata: "Greeting", order: 1, phase: 1, interface: [], tests: [])
        let verdict = Verdict(
            kata: "Greeting", outcome: .mastered, points: 3, maxPoints: 3, seconds: 0, diagnostics: [], tests: [])
        _ = try ProgressStore(file: file).update { $0.record(verdict, of: kata, at: Date()) }
        let mastered = try object(try await grader("hint", "Greeting", "--json", environment: nowhere).output)
        #expect(Set(mastered.keys) == hintKeys)
        #expect(mastered["test"] is NSNull)
        // A kata that could not be graded now is not reported as mastered.
        let run = try await grader("hint", "Greeting", environment: nowhere)
        #expect(run.code == 3)
        #expect(run.output == "")
    }

    @Test("With --json, an error is one object too, with its message")
    func troubleJSON() async throws {
        let run = try await grader("show", "nothing", "--json")
        #expect(run.code == 2)
        #expect(try object(run.output)["error"] as? String == run.errors.trimmingCharacters(in: .newlines))
    }

    @Test("reset restores the stub and keeps a copy of the learner's file")
    func reset() async throws {
        let mine = "let mine = 1 // \u{1F680}\n"
        try workbook.learn("Greeting", mine)
        let run = try await grader("reset", "greeting")
        #expect(run.code == 0)
        #expect(try String(contentsOf: workbook.learnerFile("Greeting"), encoding: .utf8) == SmallWorkbook.stub)
        let backups = workbook.folder.appendingPathComponent(".grader/backups")
        let kept = try FileManager.default.contentsOfDirectory(atPath: backups.path)
        #expect(kept.count == 1)
        #expect(try String(contentsOf: backups.appendingPathComponent(kept[0]), encoding: .utf8) == mine)
        #expect(run.output.contains(kept[0]))
    }

    @Test("Each reset keeps its own copy, also within one second")
    func resetTwice() async throws {
        for text in ["one", "two"] {
            try workbook.learn("Greeting", text)
            #expect(try await grader("reset", "Greeting").code == 0)
        }
        let backups = workbook.folder.appendingPathComponent(".grader/backups")
        #expect(try FileManager.default.contentsOfDirectory(atPath: backups.path).count == 2)
    }

    @Test("reset changes nothing if the file is the stub, and restores a missing file")
    func resetEdges() async throws {
        #expect(try await grader("reset", "Greeting").output.contains("already"))
        try FileManager.default.removeItem(at: workbook.learnerFile("Greeting"))
        #expect(try await grader("reset", "Greeting").code == 0)
        #expect(try String(contentsOf: workbook.learnerFile("Greeting"), encoding: .utf8) == SmallWorkbook.stub)
    }

    @Test("reset moves away a folder, a link or a FIFO that is in place of the file")
    func resetOdd() async throws {
        let file = workbook.learnerFile("Greeting")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(try await grader("reset", "Greeting").code == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) == SmallWorkbook.stub)
        let elsewhere = folder("elsewhere.swift")
        try Data("kept".utf8).write(to: elsewhere)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
        #expect(try await grader("reset", "Greeting").code == 0)
        #expect(try String(contentsOf: elsewhere, encoding: .utf8) == "kept")
        try FileManager.default.removeItem(at: file)
        try #require(mkfifo(file.path, 0o600) == 0)
        #expect(try await grader("reset", "Greeting").code == 0)
        #expect(try String(contentsOf: file, encoding: .utf8) == SmallWorkbook.stub)
    }

    @Test("Without the shipped stub, reset changes nothing and says so")
    func stubMissing() async throws {
        try FileManager.default.removeItem(at: workbook.folder.appendingPathComponent("Exercises/Greeting/.shipped"))
        try workbook.learn("Greeting", "mine")
        let run = try await grader("reset", "Greeting")
        #expect(run.code == 3)
        #expect(run.errors.contains(".shipped/Greeting.swift"))
        #expect(try String(contentsOf: workbook.learnerFile("Greeting"), encoding: .utf8) == "mine")
    }

    @Test("solution prints the model answer and nothing else, so that it can be saved")
    func solution() async throws {
        let run = try await grader("solution", "Greeting")
        #expect(run.output == SmallWorkbook.answer)
        #expect(run.errors.contains("Solutions/Greeting/Greeting.swift"))
    }

    @Test("solution shows an answer that passes to who has passed, and the approaches to who has mastered")
    func solutions() async throws {
        func put(_ path: String, _ text: String) throws {
            let file = workbook.folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try put("Tests/GreetingTests/Mutants/Article.swift", "// mutant: a\n// fails: b\n\nlet article = 1\n")
        try put("Solutions/Greeting/Approaches/WithALoop.swift", "// right: a loop\nlet loop = 1\n")
        let file = workbook.folder.appendingPathComponent(".grader/progress.json")
        let kata = try #require(try WorkbookFolder(workbook.folder).katas().first)
        func reach(_ outcome: Verdict.Outcome, _ results: [TestVerdict.Outcome]) throws {
            let tests = zip(kata.tests, results).map { TestVerdict(id: $0.id, outcome: $1, points: 0) }
            let verdict = Verdict(
                kata: "Greeting", outcome: outcome, points: 60, maxPoints: 100, seconds: 0, diagnostics: [],
                tests: tests)
            _ = try ProgressStore(file: file).update { $0.record(verdict, of: kata, at: Date()) }
        }
        try reach(.passed, [.passed, .failed])
        let passed = try await grader("solution", "Greeting")
        #expect(passed.output == "let article = 1\n")
        #expect(passed.errors.contains("solution Greeting Greeting"))
        #expect(try await grader("solution", "Greeting", "Greeting").output == SmallWorkbook.answer)
        try reach(.mastered, [.passed, .passed])
        let mastered = try await grader("solution", "Greeting")
        #expect(mastered.output == SmallWorkbook.answer)
        #expect(mastered.errors.contains("WithALoop") && mastered.errors.contains("solution Greeting WithALoop"))
        #expect(try await grader("solution", "Greeting", "withaloop").output == "let loop = 1\n")
        let unknown = try await grader("solution", "Greeting", "Gone")
        #expect(unknown.code == 2)
        #expect(unknown.errors.contains("WithALoop"))
    }

    @Test("rule shows all rules, one rule with where it comes back, and the nearest name of one that there is not")
    func rules() async throws {
        #expect(try await grader("rule").output.contains("This workbook has no rules."))
        let texts = [
            "own-state.title": "Own state", "own-state.rule": "R", "own-state.code": "c", "own-state.trap": "T",
        ]
        let strings = texts.mapValues {
            ["localizations": ["en": ["stringUnit": ["state": "translated", "value": $0]]]]
        }
        let catalog: [String: Any] = ["sourceLanguage": "en", "version": "1.0", "strings": strings]
        try JSONSerialization.data(withJSONObject: catalog)
            .write(to: workbook.folder.appendingPathComponent("Exercises/Rules.xcstrings"))
        let manifest = WorkbookFolder(workbook.folder).manifest("Parting")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try Data(text.replacing("\"tier\":\"core\"", with: "\"tier\":\"core\",\"rule\":\"own-state\"").utf8)
            .write(to: manifest)
        #expect(try await grader("rule").output.contains("own-state    Own state"))
        #expect(try await grader("rule", "Own-State").output.contains("It comes back in Parting."))
        let json = try object(try await grader("rule", "own-state", "--json").output)
        let rule = try #require((json["rules"] as? [[String: Any]])?.first)
        #expect(Set(rule.keys) == ["rule", "title", "text", "code", "trap", "learnedIn", "katas"])
        #expect(rule["katas"] as? [String] == ["Parting"])
        #expect(rule["learnedIn"] is NSNull)
        let unknown = try await grader("rule", "own-sate")
        #expect(unknown.code == 2)
        #expect(unknown.errors.contains("`own-state`"))
    }

    @Test("help names every command and option in every language", arguments: Language.allCases)
    func help(language: Language) async throws {
        let run = try await grader("help", "--language", language.code)
        #expect(run.code == 0)
        for word in ["check", "hint", "reset", "--json", "--workbook", "--language"] {
            #expect(run.output.contains(word))
        }
        #expect(!run.output.contains("summary."))
    }

    @Test("A completion script is accepted by its shell", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async throws {
        for language in Language.allCases {
            let run = try await grader("completion", shell, "--language", language.code)
            #expect(run.code == 0)
            for command in ["check", "solution", "doctor"] { #expect(run.output.contains(command)) }
            guard let program = Self.find(shell) else { continue }
            let script = folder("completion")
            try Data(run.output.utf8).write(to: script)
            let process = Process()
            process.executableURL = program
            process.arguments = ["-n", script.path]
            try await Program.finish(process)
            #expect(process.terminationStatus == 0)
        }
    }

    @Test("bash finishes commands, katas, options and languages")
    func bash() async throws {
        let script = folder("completion")
        try Data(try await grader("completion", "bash").output.utf8).write(to: script)
        for (words, expected) in [
            (["grader", "ch"], ["check"]), (["grader", "--vers"], ["--version"]),
            (["grader", "show", "Gr"], ["Greeting"]),
            (["grader", "check", "--no"], ["--no-cache", "--no-sandbox"]), (["grader", "language", "k"], ["ko"]),
            (["grader", "list", "--language", "z"], ["zh"]), (["grader", "completion", "f"], ["fish"]),
            (["grader", "interview", "rep"], ["report"]), (["grader", "interview", "--res"], ["--resume"]),
            (["grader", "interview", "compare", "--bl"], ["--blind"]),
            (["grader", "interview", "report", "--bl"], []), (["grader", "interview", "report", "--no"], []),
            (["grader", "interview", "report", "--ob"], ["--observer"]), (["grader", "kata", "ver"], ["verify"]),
            (["grader", "kata", "verify", "Gr"], ["Greeting"]), (["grader", "kata", "verify", "--ru"], ["--runs"]),
            (["grader", "handout", "--with"], ["--with-tests"]), (["grader", "handout", "--with-tests", ""], ["core"]),
            (["grader", "check", "--format", "j"], ["junit", "json"]),
            (["grader", "merge", "--format", "cs"], ["csv"]),
        ] {
            let asked = """
                source '\(script.path)'; cd '\(workbook.folder.path)'
                COMP_WORDS=(\(words.joined(separator: " "))); COMP_CWORD=\(words.count - 1); _grader
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let output = folder("answer")
            try Data().write(to: output)
            let process = Process()
            process.executableURL = Self.find("bash")
            process.arguments = ["--norc", "-c", asked]
            process.standardOutput = try FileHandle(forWritingTo: output)
            try await Program.finish(process)
            let answer = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(answer == expected)
        }
    }

    private static func find(_ program: String) -> URL? {
        ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
            .map { URL(fileURLWithPath: $0).appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    @Test("In a C locale the English text is ASCII, with the same facts")
    func ascii() async throws {
        let run = try await grader("list", environment: ["LANG": "C"])
        #expect(run.output.utf8.allSatisfy { $0 < 0x80 })
        #expect(run.output.contains("Phase 1: Preparation"))
        #expect(run.output.contains("Greeting         3/5  not started"))
    }

    @Test("It is not an error if the reader closes the pipe early")
    func brokenPipe() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let process = try Program.process(["help"], in: workbook.folder)
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try await Program.finish(process)
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
    }

    #if os(Linux)
    @Test(
        "If standard output cannot be written, that is reported, and the exit code is not 0", arguments: ["", "--json"])
    func fullDevice(option: String) async throws {
        let full = ["/bin/sh", "-c", "\"$@\" > /dev/full", "sh"]
        let run = try await Program.run(
            ["list"] + (option.isEmpty ? [] : [option]), in: workbook.folder, by: full)
        #expect(run.code == 3)
        #expect(run.errors.contains("Not everything could be written to standard output"))
    }
    #endif

    @Test("A suggested command has --workbook where the workbook would not be found without it")
    func suggestedCommands() async throws {
        for arguments in [["list"], ["show", "Greeting"]] {
            let away = try await Program.run(arguments + ["--workbook", "workbook"], in: folder.url)
            #expect(away.output.contains("check Greeting --workbook workbook`"))
            let inside = try await Program.run(arguments, in: workbook.folder)
            #expect(inside.output.contains("check Greeting`"))
        }
        let handout = try await Program.run(["handout", "class", "--workbook", "workbook"], in: folder.url)
        #expect(handout.output.contains("grade FOLDER --report FOLDER --workbook workbook`"))
    }

    @Test("Without a compiler, a message says where one was looked for, and a hint is still given")
    func noCompiler() async throws {
        try workbook.learn("Greeting", SmallWorkbook.passing)
        let check = try await grader("check", "Greeting", environment: ["PATH": "/nowhere"])
        #expect(check.code == 3)
        #expect(check.errors.contains("`/nowhere`") && check.errors.contains("swift.org"))
        let hint = try await grader("hint", "Greeting", environment: ["PATH": "/nowhere"])
        #expect(hint.code == 0)
        #expect(hint.output.contains("en greets.1"))
        #expect(hint.errors.contains("`/nowhere`"))
    }

    @Test("doctor checks everything that grading needs, and reports it in the reader's language")
    func doctor() async throws {
        let run = try await grader("doctor", "--json", "--language", "ko")
        let json = try object(run.output)
        let facts = try #require(json["facts"] as? [[String: Any]])
        let subjects = facts.compactMap { $0["subject"] as? String }
        #expect(
            subjects == [
                "compiler", "linker", "xctest", "testing", "engine", "sandbox", "support", "cores", "disk", "folder",
                "suite", "schedules", "answer", "stub", "terminal",
            ])
        let isReady = !facts.contains { $0["state"] as? String == "failure" }
        #expect(json["ready"] as? Bool == isReady)
        #expect(run.code == (isReady ? 0 : 3))
        #expect((facts.last?["message"] as? String)?.contains("터미널") == true)
    }

    @Test("doctor says what to install if something is missing")
    func doctorFailure() async throws {
        let run = try await grader("doctor", environment: ["PATH": "/nowhere", "LANG": "C"])
        #expect(run.code == 3)
        #expect(run.output.contains("x No Swift compiler was found in `/nowhere`. Install Swift from swift.org"))
        #expect(run.output.contains("apt-get install bubblewrap"))
        #expect(run.output.contains("! The terminal's encoding is not UTF-8"))
    }

    @Test("A phase without a title is shown by its number alone")
    func phaseWithoutTitle() async throws {
        try FileManager.default.removeItem(at: workbook.folder.appendingPathComponent("Exercises/Phases.xcstrings"))
        #expect(try await grader("list").output.contains("\nPhase 1\n"))
        #expect(try await grader("show", "Greeting").output.hasPrefix("Greeting · not started · "))
    }

    @Test(
        "A mistake in a kata.json is reported to its author",
        arguments: [
            ("\"tier\":\"core\"", "\"hue\":1", "the test `GreetingTests/greets()` has no `tier`"),
            ("\"points\":1", "\"points\":\"1\"", "`points` of the test `GreetingTests/greets()` has a value"),
            ("\"order\":1", "\"place\":1", "/Exercises/Greeting/kata.json` has no `order`"),
            ("\"order\":1", "\"order\" 1", "kata.json` is not correct JSON: look at line 1, column "),
        ])
    func damagedKata(text: String, change: String, said: String) async throws {
        let manifest = workbook.folder.appendingPathComponent("Exercises/Greeting/kata.json")
        let whole = try String(contentsOf: manifest, encoding: .utf8)
        try Data(whole.replacing(text, with: change, maxReplacements: 1).utf8).write(to: manifest)
        let run = try await grader("list")
        #expect(run.code == 3)
        #expect(run.errors.contains(said), "\(run.errors)")
        #expect(!run.errors.contains("DecodingError"))
    }
}
