import Foundation
import Grading
import TerminalDriver
import Workbook

/// What one sitting at the watch screen costs: time beyond the engine's own, memory, and processor time while nothing
/// happens.
///
///     swift run watch-benchmark [--rounds N] [--saves N] [--idle SECONDS]
@main
struct WatchBenchmark {
    let workbook: WorkbookFolder
    let grader: URL
    let kata: Kata

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard let package = WorkbookFolder(containing: URL(fileURLWithPath: FileManager.default.currentDirectoryPath))
        else {
            print("Run this in the workbook's folder: no folder with Exercises/ was found at or above this one.")
            exit(2)
        }
        let grader = URL(fileURLWithPath: arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("grader")
        guard FileManager.default.isExecutableFile(atPath: grader.path) else {
            print("Expected the grader at \(grader.path). Build it first: swift build --product grader")
            exit(2)
        }
        func number(_ option: String, else standard: Int) -> Int {
            let index = arguments.firstIndex(of: option)
            return index.flatMap { arguments.indices.contains($0 + 1) ? Int(arguments[$0 + 1]) : nil } ?? standard
        }
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("watched-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for folder in ["Exercises", "Solutions", "Tests"] {
            try FileManager.default.copyItem(
                at: package.url.appendingPathComponent(folder), to: copy.appendingPathComponent(folder))
        }
        let workbook = WorkbookFolder(copy)
        guard let kata = try workbook.katas().first(where: { $0.kata == "FirstValue" }) else {
            print("Expected the kata FirstValue in this workbook: its edits are what is measured.")
            exit(2)
        }
        do {
            try await WatchBenchmark(workbook: workbook, grader: grader, kata: kata).run(
                rounds: max(1, number("--rounds", else: 9)), saves: max(0, number("--saves", else: 500)),
                idle: max(1, number("--idle", else: 20)))
        } catch let failure as PseudoTerminal.Failure {
            print(failure)
            exit(1)
        }
    }

    func run(rounds: Int, saves: Int, idle: Int) async throws {
        let store = ProgressStore(file: workbook.graderFolder.appendingPathComponent("progress.json"))
        _ = try store.update { $0.language = .english }
        let inProcess = try SubmissionGrader(workbook: workbook)
        print("Preparing: the suites are compiled once.")
        for kata in try workbook.katas() { try await inProcess.prepare(kata) }

        let terminal = try PseudoTerminal(
            grader, ["watch", kata.kata],
            environment: [
                "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
            ],
            folder: workbook.url, columns: 80, rows: 24)
        try terminal.wait(for: "not started", within: 120)
        var session = Session(benchmark: self, terminal: terminal)
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
    func compare(_ session: inout Session, with grader: SubmissionGrader, rounds: Int) async throws {
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
            print(
                "\(edit.meaning): \(milliseconds(screen)) from the save to the screen,",
                "\(milliseconds(more)) of them not the engine's; the engine alone \(milliseconds(engine))")
        }
        promise("the screen's time beyond the engine's", milliseconds(worst), "at most 50 ms", worst <= 0.05)
    }

    private var cache: URL { workbook.graderFolder.appendingPathComponent("cache") }

    /// The verdicts that the engine has kept so far: each holds the engine's own time.
    func verdicts() -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? []
        return Set(names.filter { $0.hasPrefix("verdict-") })
    }

    /// The engine's time for a text, without a screen, from a file elsewhere.
    func engine(_ grader: SubmissionGrader, _ text: String) async throws -> Double {
        let file = workbook.url.appendingPathComponent("Engine.swift")
        try Data(text.utf8).write(to: file)
        let start = ContinuousClock.now
        _ = try await grader.grade(Submission(kata: kata, file: file, displayPath: "Engine.swift"))
        return start.duration(to: .now) / .seconds(1)
    }

    // MARK: Memory

    func grow(_ session: inout Session, saves: Int) throws {
        let process = session.terminal.process
        guard saves > 0 else { return }
        Thread.sleep(forTimeInterval: 1)
        guard let before = ProcessFigures(process) else { return }
        for index in 0..<saves {
            _ = try session.save(Edit.allCases[index % Edit.allCases.count])
            if (index + 1).isMultiple(of: 100), let now = ProcessFigures(process) {
                print("after \(index + 1) saves: \(now.residentKilobytes) kB, \(now.facts)")
            }
        }
        Thread.sleep(forTimeInterval: 1)
        guard let after = ProcessFigures(process) else { return }
        print("after the last: \(after.residentKilobytes) kB, \(after.facts)")
        let growth = Double(after.residentKilobytes - before.residentKilobytes) / 1024
        print("before: \(before.residentKilobytes) kB, \(before.facts)")
        promise("memory grown over \(saves) saves", "\(rounded(growth)) MB", "less than 10 MB", growth < 10)
        promise(
            "descriptors more than before", "\(after.descriptors - before.descriptors)", "none",
            after.descriptors <= before.descriptors)
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
        print("at rest: \(after.facts)")
        promise("processor ticks in \(seconds) s of rest", "\(ticks)", "none", ticks == 0)
        promise(
            "wakes in \(seconds) s of rest", "\(switches)", "Dispatch's own, one a second", switches <= seconds + 1)
        print("processor time of those: \(rounded(Double(after.nanoseconds - before.nanoseconds) / 1_000_000)) ms")
    }

    // MARK: Telling

    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1000).rounded())) ms" }

    func promise(_ what: String, _ found: String, _ promised: String, _ isKept: Bool) {
        print("= \(what): \(found) (promised: \(promised))\(isKept ? "" : ": NOT KEPT")")
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

/// Somebody at the screen who saves one edit after the other.
struct Session {
    let benchmark: WatchBenchmark
    let terminal: PseudoTerminal
    private var number = 0

    init(benchmark: WatchBenchmark, terminal: PseudoTerminal) {
        self.benchmark = benchmark
        self.terminal = terminal
    }

    /// A text that was never graded before: no verdict is known for it.
    mutating func nextText(_ edit: Edit) throws -> String {
        number += 1
        let workbook = benchmark.workbook
        let kata = benchmark.kata.kata
        // A wrong answer of the kind that people give, and that a suite need not wait for.
        let file =
            edit == .wrong
            ? workbook.suite(kata).appendingPathComponent("Mutants/EveryErrorIsOurs.swift")
            : workbook.solution(kata).appendingPathComponent("\(kata).swift")
        let broken = edit == .broken ? "let unfinished: Int = \"\"\n" : ""
        return try String(contentsOf: file, encoding: .utf8) + "\nprivate func edit() -> Int { \(number) }\n" + broken
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
