import Foundation
import Reports
import Storage
import TestSupport
import Testing
import Workbook

/// The program grades: compiler, suite, sandbox and all.
@Suite("grader check", .grades)
struct CheckTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func grader(_ workbook: SmallWorkbook, _ arguments: String...) async throws -> Program.Run {
        try await Program.run(
            arguments + ["--progress", scratch("progress.json").path], in: workbook.folder)
    }

    @Test("For a file that does not compile, hint shows the compiler's error, and no hint is used up")
    func hintWithoutTests() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", "public func greeting(_ name: String) -> String { nothing }\n")
        let json = try await grader(workbook, "hint", "Greeting", "--json")
        let report = try JSONDecoder().decode(HintReport.self, from: Data(json.output.utf8))
        #expect(report.outcome == .didNotCompile)
        #expect(report.diagnostics.first?.message.contains("'nothing'") == true)
        #expect(report.level == 0)
        let told = try await grader(workbook, "hint", "Greeting")
        #expect(told.output.contains("Greeting.swift:1:50: error:") && !told.output.contains("Hint"))
        try workbook.learn("Greeting", SmallWorkbook.stub + "// begun\n")
        #expect(try await grader(workbook, "hint", "Greeting").output.contains("Hint 1 of 3"))
    }

    @Test("A second Swift file beside the learner's is named, since it is not graded")
    func secondFile() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.stub + "// begun\n")
        try Data("func other() {}\n".utf8).write(
            to: workbook.folder.appendingPathComponent("Exercises/Greeting/Other.swift"))
        let told = try await grader(workbook, "check", "Greeting")
        #expect(told.output.contains("Only `Greeting.swift` is graded"))
        #expect(told.output.contains("Other.swift."))
    }

    @Test("The editor's task finds the place of a compiler message in what check prints")
    func editorTask() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", "public func greeting(_ name: String) -> String { nothing }\n")
        let told = try await grader(workbook, "check", "Greeting")
        let matcher = try editorMatcher()
        let pattern = try NSRegularExpression(pattern: matcher.regexp, options: .anchorsMatchLines)
        let output = told.output as NSString
        let match = try #require(
            pattern.firstMatch(in: told.output, range: NSRange(location: 0, length: output.length)))
        func group(_ number: Int) -> String { output.substring(with: match.range(at: number)) }
        #expect(group(matcher.file) == "Exercises/Greeting/Greeting.swift")
        #expect(group(matcher.line) == "1")
        #expect(group(matcher.column) == "50")
        #expect(group(matcher.severity) == "error")
        #expect(group(matcher.message).contains("nothing"))
    }

    @Test("With --problems, a failed test is a line like a compiler error's, which the editor's task finds")
    func problems() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let matcher = try editorMatcher()
        let pattern = try NSRegularExpression(pattern: matcher.regexp, options: .anchorsMatchLines)
        func found(_ output: String) -> [String] {
            pattern.matches(in: output, range: NSRange(location: 0, length: (output as NSString).length)).map { match in
                [matcher.file, matcher.line, matcher.column, matcher.severity, matcher.message]
                    .map { (output as NSString).substring(with: match.range(at: $0)) }.joined(separator: " ")
            }
        }
        try workbook.learn("Greeting", SmallWorkbook.stub + "// begun\n")
        let failed = try await grader(workbook, "check", "Greeting", "--problems")
        #expect(found(failed.output).first == "Exercises/Greeting/Greeting.swift 1 1 error en greets.title")
        #expect(found(try await grader(workbook, "check", "Greeting").output) == [])
        try workbook.learn("Greeting", SmallWorkbook.passing)
        let passed = try await grader(workbook, "check", "Greeting", "--problems")
        #expect(found(passed.output) == ["Exercises/Greeting/Greeting.swift 1 1 warning en stranger.title"])
    }

    private func editorMatcher() throws -> EditorTasks.Task.Matcher.Pattern {
        let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let tasks = try JSONDecoder().decode(
            EditorTasks.self, from: Data(contentsOf: package.appendingPathComponent(".vscode/tasks.json")))
        return try #require(tasks.tasks.lazy.compactMap(\.problemMatcher?.pattern).first)
    }

    /// What of `.vscode/tasks.json` finds places in output.
    private struct EditorTasks: Decodable {
        struct Task: Decodable {
            struct Matcher: Decodable {
                struct Pattern: Decodable {
                    var regexp: String
                    var file, line, column, severity, message: Int
                }
                var pattern: Pattern
            }
            var problemMatcher: Matcher?

            private enum CodingKeys: CodingKey { case problemMatcher }

            init(from decoder: any Decoder) throws {
                // A task without one has an empty list.
                problemMatcher = try? decoder.container(keyedBy: CodingKeys.self)
                    .decode(Matcher.self, forKey: .problemMatcher)
            }
        }
        var tasks: [Task]
    }

    /// A suite that says of the answer what the exploration of orders would: it asks the answer where it is called from.
    private static let saysDataRace = """
        import Foundation
        import Greeting
        import KataSupport
        import Testing

        struct Found: KataSupport.FindingError {
            let finding: KataSupport.Finding
            let prose = "found"
        }

        @Suite struct GreetingTests {
            @Test func greets() throws {
                typealias Lookup = @convention(c) (UnsafeRawPointer, UnsafeMutablePointer<Int>) -> Int32
                let lookup = unsafeBitCast(try #require(dlsym(nil, "dladdr")), to: Lookup.self)
                // A name, where the image was loaded, and two more.
                var image = [0, 0, 0, 0]
                #expect(lookup(#dsohandle, &image) != 0)
                let base = image[1]
                func place(_ name: String) -> [Int] {
                    greeting(name).split(separator: " ").compactMap { Int($0) }.map { $0 - base - 1 }
                }
                let (first, second) = (place("first"), place("second"))
                throw Found(
                    finding: .init(
                        key: "dataRace", arguments: [],
                        schedule: .init(
                            text: "A4>C", race: [.init(at: first, does: .writes), .init(at: second, does: .reads)],
                            steps: [
                                .init(thread: 0, at: first, does: .writes), .init(thread: 0, at: [1], does: .locks),
                                .init(thread: 2, at: second, does: .reads, mistake: true),
                            ]), kind: .dataRace))
            }
        }

        """

    private static let saysPlaces = """
        import Foundation

        public func greeting(_ name: String) -> String {
            if name == "first" {
                return text(Thread.callStackReturnAddresses)
            }
            return name == "second" ? text(Thread.callStackReturnAddresses) : "Hello, stranger"
        }

        private func text(_ places: [NSNumber]) -> String { places.map { "\\($0)" }.joined(separator: " ") }

        """

    @Test("A data race is shown by its two lines, and by what both threads did", .needs(.bubblewrap))
    func dataRace() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.test("Greeting", Self.saysDataRace)
        try workbook.learn("Greeting", Self.saysPlaces)
        let told = try await grader(workbook, "check", "Greeting", "--language", "en")
        #expect(told.code == 1)
        #expect(told.output.contains("line 5 writes:  return text(Thread.callStackReturnAddresses)"), "\(told.text)")
        #expect(told.output.contains("--schedule 'A4>C'`"))
        let json = try await grader(workbook, "check", "Greeting", "--json")
        let report = try JSONDecoder().decode(CheckReport.self, from: Data(json.output.utf8))
        let test = try #require(report.katas.first?.tests.first)
        #expect(test.race?.lines.map(\.line) == [5, 7])
        #expect(test.schedule == "A4>C")
        #expect(test.scheduleRows?.map(\.line) == [5, 7])
        #expect(test.scheduleRows?.last?.mistake == true)
    }

    @Test("One order of steps is run again and shown whole, and is no grading", .needs(.bubblewrap))
    func schedule() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.answer)
        let again = ["check", "Greeting", "--language", "en", "--schedule"]
        func run(_ arguments: String...) async throws -> Program.Run {
            try await Program.run(
                again + arguments + ["--progress", scratch("progress.json").path], in: workbook.folder)
        }
        let fine = try await run("")
        #expect(fine.code == 0 && fine.output == "This order of steps shows no mistake.\n", "\(fine.text)")
        try workbook.test("Greeting", Self.saysDataRace)
        try workbook.learn("Greeting", Self.saysPlaces)
        let told = try await run("A4>C")
        #expect(told.code == 1)
        #expect(told.output.contains("  5 writes  return text("), "\(told.text)")
        #expect(told.output.contains("│ 7 reads   return name ==") && !told.output.contains("--schedule"))
        #expect(try await grader(workbook, "list").output.contains("not started"))
        let portable = try await run("A4>C", "--engine", "portable")
        #expect(portable.code == 3 && portable.errors.contains("`portable`"), "\(portable.text)")
    }

    @Test("If SwiftPM itself crashes under the portable engine, the error names the signal")
    func crashOfSwiftPM() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.answer)
        let tools = scratch("toolchain/bin")
        for name in ["swift", "swiftc", "swift-frontend"] {
            try await scratch.addProgram("toolchain/bin/\(name)", "kill -SEGV $$")
        }
        let run = try await Program.run(
            ["check", "Greeting", "--engine", "portable", "--no-cache"], in: workbook.folder,
            environment: ["PATH": "\(tools.path):/usr/bin:/bin"])
        #expect(run.code == 3)
        #expect(run.errors.contains("swift test was ended by signal 11."), "\(run.text)")
    }

    @Test(
        "If the sandbox cannot start the tests, its error is shown and there is no verdict", .needs(.bubblewrap),
        arguments: [
            ("echo 'bwrap: Creating new namespace failed' >&2; exit 1", "bwrap: Creating new namespace failed"),
            ("exit 1", "exit 1"), ("kill -SEGV $$", "SIGSEGV"),
        ])
    func sandboxThatFails(end: String, words: String) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.answer)
        let sandbox = try #require(Need.bubblewrap.path)
        try await scratch.addProgram(
            "tools/bwrap",
            """
            case "$*" in
            *" /grader/harness") \(end) ;;
            *) exec \(sandbox) "$@" ;;
            esac
            """)
        let tools = scratch("tools").path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let run = try await Program.run(
            ["check", "Greeting", "--no-cache"], in: workbook.folder, environment: ["PATH": "\(tools):\(path)"])
        #expect(run.code == 3)
        #expect(run.errors.contains("`\(tools)/bwrap`, but it failed: \(words)"), "\(run.text)")
    }

    @Test("From the stub to a mastered kata, one edit at a time")
    func story() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let stub = try await grader(workbook, "check", "Greeting")
        #expect(stub.code == 1)
        #expect(stub.output.contains("Greeting · not started"))

        try workbook.learn("Greeting", "public func greeting(_ name: String) -> String {\n    nothing\n}\n")
        let broken = try await grader(workbook, "check", "Greeting")
        #expect(broken.code == 1)
        #expect(broken.output.contains("Exercises/Greeting/Greeting.swift:2:5: error: cannot find 'nothing' in scope"))
        #expect(!broken.text.contains(workbook.folder.path))

        try workbook.learn("Greeting", SmallWorkbook.stub.replacing("\"\"", with: "print(\"hey\"); return \"Hi\""))
        let failing = try await grader(workbook, "check", "Greeting")
        #expect(failing.code == 1)
        #expect(failing.output.contains("✗ en greets.title"))
        #expect(failing.output.contains("│ hey"))
        #expect(failing.output.contains("grader hint Greeting`"))

        for level in 1...4 {
            let hint = try await grader(workbook, "hint", "Greeting")
            #expect(hint.code == 0)
            #expect(hint.output.contains("Hint \(min(level, 3)) of 3"))
        }

        try workbook.learn("Greeting", SmallWorkbook.passing)
        let passing = try await grader(workbook, "check", "Greeting")
        #expect(passing.code == 0)
        #expect(passing.output.contains("Greeting · passed · 60/100 points"))
        #expect(passing.output.contains("en kata.mastering"))
        #expect(passing.output.contains("Seed: "))

        try workbook.learn("Greeting", SmallWorkbook.answer)
        let mastered = try await grader(workbook, "check", "Greeting")
        #expect(mastered.code == 0)
        #expect(mastered.output.contains("en kata.achieved"))
        #expect(mastered.output.contains("All katas are mastered."))
        // Nothing has failed, and no seed was given.
        #expect(!mastered.output.contains("Seed: "))
        #expect(try await grader(workbook, "check", "Greeting", "--seed", "5").output.contains("Seed: `5`"))
        #expect(!mastered.output.contains("other ways"))
        let approaches = workbook.folder.appendingPathComponent("Solutions/Greeting/Approaches")
        try FileManager.default.createDirectory(at: approaches, withIntermediateDirectories: true)
        try Data(SmallWorkbook.answer.utf8).write(to: approaches.appendingPathComponent("Other.swift"))
        let other = try await grader(workbook, "check", "Greeting")
        #expect(other.output.contains("There are other ways to write this."))
        #expect(other.output.contains("grader solution Greeting`"))
        #expect(try await grader(workbook, "hint", "Greeting").output.contains("no more hints"))

        let progress = try ProgressStore(file: scratch("progress.json")).load().progress
        let kata = try #require(progress.katas["Greeting"])
        #expect(kata.best?.outcome == .mastered)
        #expect(kata.attempts == 4)
        #expect(kata.hintsShown == ["GreetingTests/greets()": 3])
    }

    @Test("A suite's input is shown above what was expected, as text, as JSON and in the reader's language")
    func input() async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.test(
            "Greeting",
            """
            import Greeting
            import KataSupport
            import Testing

            @Suite(.ownProcess) struct GreetingTests {
                @Test func greets() async throws {
                    let clock = KataSupport.TestClock()
                    let greetings = KataSupport.Log<String>(time: clock)
                    greetings.input("Ann")
                    await clock.advance(by: .milliseconds(200))
                    greetings.record(greeting("Ann"))
                    try greetings.expect([("Hello, Ann", .milliseconds(200))])
                }
            }

            """)
        try workbook.learn("Greeting", SmallWorkbook.stub.replacing("\"\"", with: "\"Hi\""))
        let text = try await grader(workbook, "check", "Greeting").output.replacing("─", with: "-")
        #expect(
            text.contains(
                """
                    input     Ann-----------
                    expected  ----Hello, Ann
                    got       ----Hi--------
                                  ^ first difference: 200 ms

                """))
        let spanish = try await grader(workbook, "check", "Greeting", "--language", "es")
        #expect(spanish.output.contains("    entrada   Ann"))
        let json = try await grader(workbook, "check", "Greeting", "--json")
        let report = try JSONDecoder().decode(CheckReport.self, from: Data(json.output.utf8))
        let marbles = report.katas.first?.tests.compactMap(\.marbles).first
        #expect(marbles?.input == [.init(milliseconds: 0, label: "Ann")])
        #expect(marbles?.actual.map(\.label) == ["Hi"])
    }

    @Test("check --json prints the documented object, and nothing else", arguments: [Language.english, .korean])
    func json(language: Language) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.passing)
        let run = try await grader(workbook, "check", "--json", "--seed", "123", "--language", language.code)
        #expect(run.code == 0)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        #expect(object["schema"] as? Int == 1)
        #expect(object["seed"] as? Int == 123)
        #expect(object["language"] as? String == language.code)
        let kata = try #require((object["katas"] as? [[String: Any]])?.first)
        #expect(kata["outcome"] as? String == "passed")
        let tests = try #require(kata["tests"] as? [[String: Any]])
        #expect(tests.map { $0["outcome"] as? String } == ["passed", "failed"])
        #expect(
            tests.map { $0["title"] as? String } == [
                "\(language.code) greets.title", "\(language.code) stranger.title",
            ])
        #expect(tests[1]["hint"] as? String == "\(language.code) stranger.1")
        #expect((tests[0]["output"] as? String)?.contains("I greet Ann") == true)
    }

    @Test(
        "The first hint is about code that was written, and a part that is not written yet is reported as that",
        arguments: [true, false])
    func partsThatAreNotWritten(firstIsWritten: Bool) async throws {
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        let (written, open) = firstIsWritten ? ("greeting", "farewell") : ("farewell", "greeting")
        try workbook.giveTwoParts(open: open)
        let (own, other) = firstIsWritten ? ("greets", "stranger") : ("stranger", "greets")
        try workbook.learn("Greeting", SmallWorkbook.twoParts([written: "Hm"]))
        let wrong = try await grader(workbook, "check", "Greeting")
        let places = try ["en \(own).title", "en \(other).title", "`\(open)` is not written yet."].map {
            try #require(wrong.output.firstRange(of: $0)?.lowerBound, "\($0) is not in \(wrong.output)")
        }
        #expect(places == places.sorted())
        let hint = try await grader(workbook, "hint", "Greeting")
        #expect(hint.output.contains("en \(own).1") && !hint.output.contains("not written"))
        let found = try await grader(workbook, "hint", "Greeting", "--json").output
        let finding = try JSONDecoder().decode(HintReport.self, from: Data(found.utf8))
        #expect(finding.unwritten == nil && finding.message?.contains("Hm") == true)
        // This verdict is remembered.
        let again = try await grader(workbook, "check", "Greeting")
        #expect(again.output.contains("`\(open)` is not written yet."))

        try workbook.learn("Greeting", SmallWorkbook.twoParts([written: written]))
        let next = try await grader(workbook, "hint", "Greeting")
        #expect(next.output.contains("`\(open)` is not written yet.") && next.output.contains("en \(other).1"))
        let json = try await grader(workbook, "hint", "Greeting", "--json").output
        let report = try JSONDecoder().decode(HintReport.self, from: Data(json.utf8))
        #expect(report.unwritten == [open] && report.message == "`\(open)` is not written yet.")

        try workbook.learn("Greeting", SmallWorkbook.twoParts([written: "Hm", open: "Hm"]))
        #expect(try await !grader(workbook, "check", "Greeting").output.contains("not written"))
    }
}

extension SmallWorkbook {
    /// Two functions that return their own names.
    fileprivate static func twoParts(_ values: [String: String]) -> String {
        ["greeting", "farewell"].map { name in
            "public func \(name)() -> String {\n    // Write this function.\n    \"\(values[name] ?? "")\"\n}\n"
        }.joined(separator: "\n")
    }

    /// The test of the unwritten part comes first, and would explain the failure of the other test.
    fileprivate func giveTwoParts(open: String) throws {
        var greets = KataTest(
            id: "GreetingTests/greets()", framework: .testing, tier: .core, points: 1, hint: "greets",
            parts: ["greeting"])
        var leaves = KataTest(
            id: "GreetingXCTests/testLeaves", framework: .xctest, tier: .core, points: 1, hint: "stranger",
            parts: ["farewell"])
        if open == "greeting" { leaves.after = [greets.id] } else { greets.after = [leaves.id] }
        let kata = Kata(
            kata: "Greeting", order: 1, phase: 1, interface: [],
            tests: open == "greeting" ? [greets, leaves] : [leaves, greets])
        let files = [
            "Exercises/Greeting/kata.json": try JSONEncoder().encode(kata),
            "Exercises/Greeting/.shipped/Greeting.swift": Data(Self.twoParts([:]).utf8),
            "Solutions/Greeting/Greeting.swift": Data(
                Self.twoParts(["greeting": "greeting", "farewell": "farewell"]).utf8),
            "Tests/GreetingTests/GreetingTests.swift": Data(
                """
                import Greeting
                import Testing

                @Suite struct GreetingTests {
                    @Test func greets() { #expect(greeting() == "greeting") }
                }

                """.utf8),
            "Tests/GreetingTests/GreetingXCTests.swift": Data(
                """
                import Greeting
                import XCTest

                final class GreetingXCTests: XCTestCase {
                    func testLeaves() { XCTAssertEqual(farewell(), "farewell") }
                }

                """.utf8),
        ]
        for (path, data) in files { try data.write(to: folder.appendingPathComponent(path)) }
    }
}
