import Foundation
import Storage
import TerminalDriver
import TestSupport
import Testing
import Workbook

/// The program without a terminal that has colors: the same facts, in plain text.
@Suite("Output without a terminal that has colors", .grades)
struct PlainSurroundingsTests {
    private let workbook: SmallWorkbook
    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
        workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.stub.replacing("\"\"", with: "\"Hi\""))
    }

    private static let commands: [[String]] = [
        ["check", "--seed", "7"], ["hint", "Greeting"], ["list"], ["show", "Greeting"], ["doctor"], ["help"],
        ["help", "check"], ["language"],
    ]

    /// The words of a text, without colors, line breaks, times, and sizes on this machine's disk. Outside a terminal a
    /// brief is Markdown.
    private func facts(_ text: String) -> String {
        text.replacing(/(?m)^# .*$/, with: "").replacing(/\u{1B}\[[0-9;?]*[a-zA-Z]/, with: "").replacing(
            /(· )?[0-9.,]+\s+(s|MB)\b/, with: ""
        )
        .filter { !$0.isWhitespace }
    }

    private func progress() throws -> String {
        let file = scratch("progress-\(UUID().uuidString).json")
        _ = try ProgressStore(file: file).update { $0.seed = 7 }
        return file.path
    }

    private func inAPipe(_ command: [String], _ environment: [String: String]) async throws -> Program.Run {
        // Help explains `--progress`, but does not take it.
        let isAbout = ["help"].contains(command[0])
        return try await Program.run(
            command + (isAbout ? [] : ["--progress", try progress()]), in: workbook.folder, environment: environment)
    }

    private func onATerminal(_ command: [String], columns: Int, _ environment: [String: String]) throws -> String {
        let isAbout = ["help"].contains(command[0])
        let terminal = try PseudoTerminal(
            Program.executable, command + (isAbout ? [] : ["--progress", try progress()]),
            environment: Program.environment(environment), folder: workbook.folder, columns: columns, rows: 24)
        return try terminal.allThatIsWritten()
    }

    @Test("A kata is one line of the list where there is no room for all columns", arguments: [70, 56, 40])
    func narrowList(columns: Int) throws {
        let text = try onATerminal(["list"], columns: columns, ["NO_COLOR": "1"])
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        let row = try #require(lines.firstIndex { $0.contains("Greeting") && $0.contains("not started") })
        #expect(!lines[row + 1].hasPrefix(" "))
        #expect(lines[row].contains("/100") == (columns > 40))
        #expect(!text.contains("Exercises/"))
        #expect(lines.allSatisfy { CellWidth.of($0) <= columns })
    }

    @Test("A pipe, TERM=dumb and NO_COLOR show what a terminal shows, without escape codes", arguments: commands)
    func sameFacts(command: [String]) async throws {
        // From here on, verdicts come from the cache, in the same words.
        _ = try await inAPipe(command, [:])
        let colored = try onATerminal(command, columns: 200, [:])
        let expected = facts(colored)
        #expect(expected.count > 50)
        let isColored = !["language"].contains(command[0])
        #expect(colored.contains("\u{1B}[") == isColored)

        let piped = try await inAPipe(command, ["TERM": "xterm-256color"]).text
        let narrowPipe = try await inAPipe(command, ["COLUMNS": "20"]).text
        let dumb = try onATerminal(command, columns: 200, ["TERM": "dumb"])
        let noColor = try onATerminal(command, columns: 200, ["NO_COLOR": "1"])
        for plain in [piped, narrowPipe, dumb, noColor] {
            #expect(!plain.contains("\u{1B}"))
            #expect(facts(plain) == expected)
        }
        // By its convention, an empty NO_COLOR has no effect.
        #expect(try onATerminal(command, columns: 200, ["NO_COLOR": ""]).contains("\u{1B}[") == isColored)
    }

    @Test(
        "On a narrow terminal no line is wider than the terminal, and no word of a text is missing", arguments: commands
    )
    func narrow(command: [String]) async throws {
        _ = try await inAPipe(command, [:])
        let wide = try onATerminal(command, columns: 200, ["NO_COLOR": "1"])
        for language in [Language.english, .korean, .thai, .chinese] {
            let options = ["--language", language.code]
            let narrow = try onATerminal(command + options, columns: 40, ["NO_COLOR": "1"])
            let lines = narrow.split(whereSeparator: \.isNewline)
            #expect(lines.allSatisfy { CellWidth.of($0) <= 40 }, "\(narrow)")
            guard language == .english else { continue }
            // A table leaves out whole columns, so that a kata stays one line.
            if command == ["list"] { #expect(Set(facts(narrow)).isSubset(of: facts(wide))) }
            if command != ["list"] { #expect(facts(narrow).sorted() == facts(wide).sorted()) }
        }
    }

    @Test("In a C locale the same facts are shown in ASCII", arguments: commands)
    func ascii(command: [String]) async throws {
        let unicode = try await inAPipe(command, [:])
        for environment in [["LC_ALL": "C"], ["LC_ALL": "POSIX"], ["LANG": ""]] {
            let run = try await inAPipe(command, environment)
            #expect(run.text.utf8.allSatisfy { $0 < 0x80 })
            #expect(run.code == unicode.code)
            // The drawings differ, and doctor says so; every word is the same.
            let words = { (text: String) in
                text.split { !$0.isLetter }.map(String.init).filter { $0.allSatisfy(\.isASCII) && $0.count > 2 }
            }
            if !["doctor", "language"].contains(command[0]) {
                #expect(words(run.text).sorted() == words(unicode.text).sorted())
            }
        }
    }

    @Test("Errors go to standard error and not to standard output, except with --json")
    func redirected() async throws {
        let run = try await inAPipe(["show", "nothing", "--json"], [:])
        #expect(run.output.hasPrefix("{"))
        let plain = try await inAPipe(["show", "nothing"], [:])
        #expect(plain.output == "")
        #expect(plain.errors.hasSuffix(".\n") || plain.errors.hasSuffix("?\n"))
    }

    @Test("A terminal that cannot be redrawn shows the list, and watch says which command works instead")
    func dumbTerminal() throws {
        let list = try onATerminal(["list"], columns: 200, ["TERM": "dumb"])
        let bare = try PseudoTerminal(
            Program.executable, ["--progress", try progress()],
            environment: Program.environment(["TERM": "dumb"]), folder: workbook.folder, columns: 200, rows: 24)
        #expect(try bare.allThatIsWritten() == list)
        let watch = try onATerminal(["watch"], columns: 200, ["TERM": "dumb"])
        #expect(watch.contains("grader check`"))
    }
}
