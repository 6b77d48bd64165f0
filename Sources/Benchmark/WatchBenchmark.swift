import Foundation
import Grading
import Storage
import TerminalDriver
import Workbook

/// What one session at the watch screen costs: time beyond the engine's own, memory, and processor time while nothing
/// happens.
struct WatchBenchmark: Benchmark {
    static let name = "watch"
    static let options = "[--rounds N] [--saves N] [--idle SECONDS]"

    func run(_ setting: BenchmarkSetting) async throws {
        let workbook = try setting.copiedWorkbook()
        guard let kata = try workbook.katas().first(where: { $0.kata == "FirstValue" }) else {
            throw BenchmarkFailure("Expected the kata FirstValue in this workbook: its edits are what is measured.")
        }
        try await WatchMeasurement(workbook: workbook, grader: try setting.grader, kata: kata).run(
            rounds: setting.number("--rounds", 9), saves: setting.number("--saves", 500, atLeast: 0),
            idle: setting.number("--idle", 20))
    }
}

struct WatchMeasurement {
    let workbook: WorkbookFolder
    let grader: URL
    let kata: Kata

    func run(rounds: Int, saves: Int, idle: Int) async throws {
        let store = ProgressStore(file: workbook.graderFolder.appendingPathComponent("progress.json"))
        _ = try store.update { $0.language = .english }
        let inProcess = try SubmissionGrader(workbook: workbook)
        say("Preparing: the suites are compiled once.")
        for kata in try workbook.katas() { try await inProcess.prepare(kata) }

        let terminal = try PseudoTerminal(
            grader, ["watch", kata.kata],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            ],
            folder: workbook.url, columns: 80, rows: 24)
        try terminal.wait(for: "not started", within: 120)
        var session = WatchedSession(benchmark: self, terminal: terminal)
        for edit in Edit.allCases { _ = try session.save(edit) }

        try await compare(&session, with: inProcess, rounds: rounds)
        try grow(&session, saves: saves)
        try rest(terminal, seconds: idle)
        terminal.type("q")
        _ = try terminal.exitCode()
    }

    // MARK: Time

    /// The screen's time for an edit against the engine's: by the engine's own clock for that very save, which other work on
    /// the machine leaves alone, and by a grader without a screen, turn by turn, for an edit of the same kind.
    func compare(_ session: inout WatchedSession, with grader: SubmissionGrader, rounds: Int) async throws {
        var onScreen: [Edit: [Double]] = [:]
        var ofScreen: [Edit: [Double]] = [:]
        var alone: [Edit: [Double]] = [:]
        for _ in 0..<rounds {
            for edit in Edit.allCases {
                let known = verdicts()
                let screen = try session.save(edit)
                let verdict = verdicts().subtracting(known).first.flatMap {
                    try? JSONDecoder().decode(
                        Verdict.self, from: Data(contentsOf: cache.appendingPathComponent($0)))
                }
                guard let verdict else {
                    throw PseudoTerminal.Failure(description: "Expected one new verdict in \(cache.path).")
                }
                onScreen[edit, default: []].append(screen)
                ofScreen[edit, default: []].append(screen - verdict.seconds)
                alone[edit, default: []].append(try await engine(grader, session.nextText(edit)))
            }
        }
        var worst = 0.0
        for edit in Edit.allCases {
            guard let screen = onScreen[edit].map(median), let more = ofScreen[edit].map(median),
                let engine = alone[edit].map(median)
            else { continue }
            worst = max(worst, more)
            say(
                "\(edit.meaning): \(milliseconds(screen)) from the save to the screen, \(milliseconds(more)) of them not "
                    + "the engine's; the engine alone \(milliseconds(engine))")
        }
        promise("milliseconds of the screen beyond the engine's", worst * 1000, atMost: 50)
    }

    private var cache: URL { workbook.graderFolder.appendingPathComponent("cache") }

    /// The verdicts that the engine has kept so far: each holds the engine's own time.
    func verdicts() -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? []
        return Set(names.filter { $0.hasPrefix("verdict-") })
    }

    /// The engine's time for a text, without a screen.
    func engine(_ grader: SubmissionGrader, _ text: String) async throws -> Double {
        let start = ContinuousClock.now
        _ = try await grader.grade(Submission(kata: kata, text: text, displayPath: "Engine.swift"))
        return start.duration(to: .now) / .seconds(1)
    }

    // MARK: Memory

    func grow(_ session: inout WatchedSession, saves: Int) throws {
        let process = session.terminal.process
        guard saves > 0 else { return }
        Thread.sleep(forTimeInterval: 1)
        guard let before = ProcessFigures(process) else { return }
        for index in 0..<saves {
            _ = try session.save(Edit.allCases[index % Edit.allCases.count])
            if (index + 1).isMultiple(of: 100), let now = ProcessFigures(process) {
                say("after \(index + 1) saves: \(now.residentKilobytes) kB, \(now.facts)")
            }
        }
        Thread.sleep(forTimeInterval: 1)
        guard let after = ProcessFigures(process) else { return }
        say("after the last: \(after.residentKilobytes) kB, \(after.facts)")
        let growth = Double(after.residentKilobytes - before.residentKilobytes) / 1024
        say("before: \(before.residentKilobytes) kB, \(before.facts)")
        promise("MB grown over \(saves) saves", growth, atMost: 10)
        promise("descriptors more than before", Double(after.descriptors - before.descriptors), atMost: 0)
    }

    // MARK: Rest

    /// Nothing is saved and no key is pressed for a while. The threads of the last work first go home.
    ///
    /// Dispatch on Linux looks at its threads once a second for as long as a program runs, whatever the program does:
    /// those wakes are not ours, and take no time that the kernel counts in ticks.
    func rest(_ terminal: PseudoTerminal, seconds: Int) throws {
        Thread.sleep(forTimeInterval: 10)
        guard let before = ProcessFigures(terminal.process) else { return }
        Thread.sleep(forTimeInterval: Double(seconds))
        guard let after = ProcessFigures(terminal.process) else { return }
        let ticks = after.processorTicks - before.processorTicks
        let switches = after.contextSwitches - before.contextSwitches
        say("at rest: \(after.facts)")
        promise("processor ticks in \(seconds) s of rest", Double(ticks), atMost: 0)
        // One a second is Dispatch's own.
        promise("wakes in \(seconds) s of rest", Double(switches), atMost: Double(seconds + 1))
        say("processor time of those: \(rounded(Double(after.nanoseconds - before.nanoseconds) / 1_000_000)) ms")
    }
}

/// What a learner saves, each with another verdict than the one before.
enum Edit: CaseIterable {
    case answer, wrong, broken

    var meaning: String {
        switch self {
        case .answer: "the answer"
        case .wrong: "a wrong answer"
        case .broken: "a file that does not compile"
        }
    }

    /// How the verdict begins on the screen.
    var verdict: String {
        switch self {
        case .answer: "mastered"
        case .wrong: "not passed yet"
        case .broken: "does not compile"
        }
    }
}

/// A session at the screen in which one edit is saved after the other.
struct WatchedSession {
    let benchmark: WatchMeasurement
    let terminal: PseudoTerminal
    private var number = 0

    init(benchmark: WatchMeasurement, terminal: PseudoTerminal) {
        self.benchmark = benchmark
        self.terminal = terminal
    }

    /// A text that was never graded before: no verdict is known for it.
    mutating func nextText(_ edit: Edit) throws -> String {
        number += 1
        let workbook = benchmark.workbook
        let kata = benchmark.kata.kata
        // A wrong answer of the kind that people give, and that a suite need not wait for.
        let wrong = workbook.mutantFiles(kata).first { $0.lastPathComponent.hasPrefix("EveryErrorIsOurs.") }
        let file = edit == .wrong ? wrong : workbook.modelAnswer(kata)
        let broken = edit == .broken ? "let unfinished: Int = \"\"\n" : ""
        guard let text = file.flatMap(workbook.answerText) else {
            throw BenchmarkFailure("Expected the answers of \(kata) to be there.")
        }
        return text + "\nprivate func edit() -> Int { \(number) }\n" + broken
    }

    /// Saves, and gives the seconds until the screen shows the verdict.
    mutating func save(_ edit: Edit) throws -> Double {
        let text = Data(try nextText(edit).utf8)
        let heading = "\(benchmark.kata.kata) · \(edit.verdict)"
        let start = ContinuousClock.now
        try text.write(to: benchmark.workbook.learnerFile(benchmark.kata.kata))
        try terminal.wait(for: heading, within: 120) { $0.lines.contains { $0.hasPrefix(heading) } }
        return start.duration(to: .now) / .seconds(1)
    }
}
