import Foundation
import Grading
import Reports
import Workbook

#if canImport(Glibc)
import Glibc
#endif

/// `grader debug`: the learner's code with one test, or with all, in a debugger.
///
/// The debugger takes the grader's place, so that the terminal and its signals are its own.
struct DebugCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        let session = try WorkbookSession(context)
        let kata = try session.kata(named: context.request.operands[0])
        let tests = try tests(of: kata)
        let submission = session.submission(kata)
        context.console.say(context.strings(.debugBuilding, .text(kata.kata)))
        let build: DebugProgram.Build
        do {
            let signals = Signals(Signals.ending) { SubmissionGrader.endProgram(by: $0) }
            defer { withExtendedLifetime(signals) {} }
            build = try await session.grader().debugProgram(submission, tests: tests)
        } catch let problem as GradingError {
            throw session.error(problem)
        }
        switch build {
        case .refused(let verdict):
            let localized = LocalizedVerdict(verdict, kata: kata, texts: try session.texts(of: kata), hintsShown: [:])
            let text = CheckText(strings: context.strings.reports, style: context.style, hintStep: .noneLeft)
            context.console.print(
                text.lines(localized, path: session.path(of: kata), modelAnswer: nil, source: submission.text))
            return .notPassed
        case .done(let program):
            let left = kata.tests.filter { !tests.contains($0) }.map(\.id)
            if context.request.operands.count == 1, !left.isEmpty {
                context.console.say(context.strings(.debugXCTest, .list(left)))
            }
            try start(program, breakpoints: breakpoints(tests, submission, session.parts(of: kata)), of: kata)
        }
    }

    /// The one that is named; else those of Swift Testing, since a process runs the tests of one framework only.
    private func tests(of kata: Kata) throws(CommandError) -> [KataTest] {
        guard let name = context.request.operands.dropFirst().first else {
            let testing = kata.tests.filter { $0.framework == .testing }
            return testing.isEmpty ? kata.tests : testing
        }
        if let test = DebugTest.named(name, in: kata) { return [test] }
        let known = kata.tests.map { DebugTest.shortName($0.id) }
        let sentence = context.strings(.debugUnknownTest, .text(kata.kata), .text(name), .list(known))
        throw CommandError(message: sentence, code: .usage)
    }

    /// The lines of the parts that the tests need.
    private func breakpoints(_ tests: [KataTest], _ submission: Submission, _ parts: StubParts) -> [Int] {
        let text = Array((submission.text ?? "").utf8)
        return Set(tests.flatMap(\.parts).compactMap { parts.position(of: $0, in: text)?.line }).sorted()
    }

    private func start(_ program: DebugProgram, breakpoints: [Int], of kata: Kata) throws(CommandError) -> Never {
        let typed =
            program.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            + program.command.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }
        func explain(_ reason: String) -> CommandError {
            let lines = [reason, context.strings(.debugAttach), "    " + typed.joined(separator: " ")]
            return CommandError(message: lines.joined(separator: "\n"), code: .trouble)
        }
        guard let debugger = Self.debugger(context.environment) else {
            throw explain(context.strings(.debugNoDebugger))
        }
        if let words = failure(of: debugger) { throw explain(context.strings(.debugDoesNotStart, .text(words))) }
        let stops = breakpoints.flatMap { ["-o", "b \(kata.kata).swift:\($0)"] }
        for (name, value) in program.environment { setenv(name, value, 1) }
        for signal in Signals.ending + [SIGPIPE] { Foundation.signal(signal, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        let words = ([debugger] + stops + ["-o", "run", "--"] + program.command).map { strdup($0) } + [nil]
        execv(debugger, words)
        throw explain(context.strings(.debugDoesNotStart, .text(String(cString: strerror(errno)))))
    }

    private static func debugger(_ environment: [String: String]) -> String? {
        (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/lldb" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// What the debugger says where it does not start, as when a library that it needs is missing.
    private func failure(of debugger: String) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: debugger)
        process.arguments = ["--version"]
        let words = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = words
        process.standardInput = FileHandle.nullDevice
        do { try process.run() } catch { return "\(error)" }
        let said = String(decoding: words.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 0 { return nil }
        return said.split(separator: "\n").first.map { context.console.plain(String($0)) }
            ?? "\(process.terminationStatus)"
    }
}

/// How a test is named on the command line.
enum DebugTest {
    /// The function alone: `comesBack` of `FirstValueTests/comesBack()`.
    static func shortName(_ id: String) -> String {
        String((id.split(separator: "/").last ?? "").prefix { $0 != "(" })
    }

    /// By its whole name, or by its function's in any case of letters.
    static func named(_ name: String, in kata: Kata) -> KataTest? {
        kata.tests.first { $0.id == name }
            ?? kata.tests.first { shortName($0.id).lowercased() == shortName(name).lowercased() }
    }
}
