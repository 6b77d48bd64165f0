import Foundation
import Synchronization
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("A hostile submission never passes and changes nothing", .serialized, .needs(.bubblewrap), .gradesForLong)
struct HostileTests {
    static let files = SubmissionFile.all(in: "Hostile")
    /// Paths where hostile submissions try to leave something.
    static let traces = ["/tmp/hostile-was-here", "/root/hostile-was-here"]
    /// A file that hostile submissions try to remove. Each test process has its own.
    static let canary = URL(fileURLWithPath: "/tmp/hostile-canary-\(UUID().uuidString)")

    /// Submissions that may run out of time get little time, also to compile. All others get more than they need on the
    /// busiest machine.
    static func limits(allowing outcomes: Set<String>) -> Limits {
        var limits = Limits()
        let mayHang = outcomes.contains("timedOut")
        limits.testSeconds = mayHang ? 0.5 : 30
        limits.suiteSeconds = mayHang ? 1.5 : 60
        limits.processorSeconds = mayHang ? 2 : 60
        limits.compileSeconds = outcomes.isSuperset(of: ["didNotCompile", "rejected"]) ? 2 : 60
        limits.memoryMegabytes = 1500
        limits.compileMegabytes = 3000
        return limits
    }

    @Test("There are enough of them, and each says what it tries and which outcomes are allowed")
    func headers() {
        #expect(Self.files.count >= 60)
        let words: Set = ["rejected", "didNotCompile", "failed", "crashed", "timedOut"]
        for file in Self.files {
            #expect(!file.allowed.isEmpty && file.allowed.isSubset(of: words), "\(file.testDescription)")
            #expect(String(decoding: file.bytes.prefix(10), as: UTF8.self) == "// Tries: ", "\(file.testDescription)")
        }
    }

    @Test("In the sandbox, each ends with an allowed outcome, and leaves nothing behind")
    func sandboxed() async throws {
        try Data("canary".utf8).write(to: Self.canary)
        defer { try? FileManager.default.removeItem(at: Self.canary) }
        let before = try Self.fingerprint()
        let others = Self.runningSuites()

        let verdicts = try await Self.grade(Self.files)
        for file in Self.files {
            guard let verdict = verdicts[file.testDescription] else {
                Issue.record("\(file.testDescription) has no verdict")
                continue
            }
            #expect(file.allows(verdict), "\(file.testDescription): \(verdict.summary)")
            #expect(file.showsWord(of: verdict), "\(file.testDescription): \(verdict.summary)")
        }

        #expect(try Data(contentsOf: Self.canary) == Data("canary".utf8))
        #expect(try Self.fingerprint() == before)
        for trace in Self.traces { #expect(!FileManager.default.fileExists(atPath: trace), "\(trace)") }
        #expect(try await Self.leftProcesses(but: others) == [])
        #expect(try await Self.leftFolders() == [])
    }

    /// What protects the machine from a submission if nothing was found in its source or its object.
    @Test("The sandbox and the limits hold even if source and object are trusted")
    func walls() async throws {
        let names: Set = [
            "ExitWhenMade", "ExitAtOnceInATest", "ExitInADeinit", "ExitInAGlobal", "ExitWhenTheProcessEnds",
            "QuickExit", "Abort",
            "WriteToTheEvents", "CloseTheEvents", "ReplaceTheEvents", "FileHandleOnTheEvents", "ReadTheSuite",
            "ReadTheEnvironment", "ReadTheHome", "ReadByURL", "ReadThePassword", "TypeByName", "WriteToTmp",
            "WriteByData",
            "WriteInC", "RemoveFiles", "SpawnInC", "System", "ProcessOfFoundation", "Socket", "KillTheParent",
            "RaiseSignals",
            "HandleSignals", "RaiseLimits", "LoadALibrary", "MapMemory", "ForkByName", "ExecByName", "KernelByName",
            "KeepFailuresBack", "NameForTheLinker", "ReadTheSecret", "WriteABoundAddress", "WriteWhatIsReadOnly",
            "RawPointer", "PatchedFunctionTable", "PointerToC",
        ]
        let files = Self.files.filter { names.contains(String($0.testDescription.dropLast(6))) }
        #expect(files.count == names.count)
        try Data("canary".utf8).write(to: Self.canary)
        defer { try? FileManager.default.removeItem(at: Self.canary) }
        let before = try Self.fingerprint()
        let others = Self.runningSuites()
        let verdicts = try await Self.grade(files, without: [.text, .memory, .object])
        for file in files {
            let verdict = verdicts[file.testDescription]
            #expect(verdict?.isPassed == false, "\(file.testDescription): \(verdict?.summary ?? "no verdict")")
        }
        #expect(try Data(contentsOf: Self.canary) == Data("canary".utf8))
        #expect(try Self.fingerprint() == before)
        for trace in Self.traces { #expect(!FileManager.default.fileExists(atPath: trace), "\(trace)") }
        #expect(try await Self.leftProcesses(but: others) == [])
    }

    /// What this prints is in the page on the walls. All others stand, and the sandbox.
    @Test(
        "Without it, submissions get further than they should: no wall stands for nothing",
        .enabled(if: ProcessInfo.processInfo.environment["WALLS"] != nil),
        arguments: [GradingOptions.Wall.text, .memory, .object])
    func without(wall: GradingOptions.Wall) async throws {
        let verdicts = try await Self.grade(Self.files, without: [wall])
        let further = Self.files.filter { file in verdicts[file.testDescription].map { !file.allows($0) } ?? true }
        let passed = further.filter { verdicts[$0.testDescription]?.isPassed == true }
        print("Without \(wall.rawValue): \(further.count) get further, \(passed.count) pass: \(passed)")
        #expect(!further.isEmpty)
    }

    /// With the control run it does not pass: see above.
    @Test("Behind the walls that look at source and object, the control run is what finds failures that are kept back")
    func withoutControls() async throws {
        let file = try #require(Self.files.first { $0.testDescription == "KeepFailuresBack.swift" })
        let verdict = try await Self.grade([file], without: Set(GradingOptions.Wall.allCases))[file.testDescription]
        #expect(verdict?.isPassed == true, "\(verdict?.summary ?? "no verdict")")
    }

    /// Grades several files at a time, as `grade` does for a class. Those that hang use no processor as a rule.
    static func grade(
        _ files: [SubmissionFile], without walls: Set<GradingOptions.Wall> = []
    ) async throws -> [String: Verdict] {
        let trusting = !walls.isEmpty
        let scratch = try ScratchFolder()
        let kata = try FixtureWorkbook.kata()
        let verdicts = Mutex<[String: Verdict]>([:])
        // Submissions that are trusted in this test are stopped by the sandbox and the limits, and some of them hang.
        for (allowed, files) in Dictionary(grouping: files, by: { trusting ? ["timedOut"] : $0.allowed }) {
            var options = FixtureWorkbook.options()
            options.sandbox = .required
            options.limits = limits(allowing: allowed)
            options.without = walls
            options.confirmsPoints = true
            options.jobs = ProcessInfo.processInfo.activeProcessorCount * (allowed.contains("timedOut") ? 2 : 1)
            let submissions = try files.map { file in
                let copy = scratch(file.testDescription)
                let text = String(decoding: file.bytes, as: UTF8.self)
                try Data(text.replacing("/tmp/hostile-canary", with: canary.path).utf8).write(to: copy)
                return Submission(kata: kata, file: copy, displayPath: file.testDescription)
            }
            let grader = try SubmissionGrader(workbook: FixtureWorkbook.folder, options: options)
            await grader.grade(submissions) { submission, result in
                switch result {
                case .success(let verdict): verdicts.withLock { $0[submission.displayPath] = verdict }
                case .failure(let error): Issue.record("\(submission.displayPath): \(error)")
                }
            }
        }
        return verdicts.withLock { $0 }
    }

    /// Every file of the workbook with its size and time.
    static func fingerprint() throws -> [String] {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey, .isRegularFileKey]
        let walk = FileManager.default.enumerator(
            at: FixtureWorkbook.folder.url, includingPropertiesForKeys: Array(keys))
        return (walk?.allObjects as? [URL] ?? []).map { file in
            let values = try? file.resourceValues(forKeys: keys)
            return
                "\(file.path) \(values?.fileSize ?? -1) \(values?.contentModificationDate?.timeIntervalSince1970 ?? 0)"
        }.sorted()
    }

    /// The processes that run a suite now and still do when every run must have ended. Other tests grade too, and
    /// theirs end by themselves.
    static func leftProcesses(but others: [String: String]) async throws -> [String] {
        try await staying { runningSuites().filter { others[$0.key] == nil } }
    }

    /// The folders of gradings that should be removed, in the same way.
    static func leftFolders() async throws -> [String] {
        let jobs = try TestCache.folder.appendingPathComponent("jobs").path
        return try await staying {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: jobs)) ?? []
            let ours = names.filter { $0.hasPrefix("grading-\(getpid())-") }
            return Dictionary(uniqueKeysWithValues: ours.map { ($0, $0) })
        }
    }

    /// What exists now and still exists when every run must have ended.
    private static func staying(_ look: () -> [String: String]) async throws -> [String] {
        var left = look()
        // Other tests grade meanwhile, with limits of a minute: what exists for three minutes was left behind.
        let end = ContinuousClock.now + .seconds(180)
        while !left.isEmpty, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(50))
            let now = look()
            left = left.filter { now[$0.key] == $0.value }
        }
        return Array(left.values)
    }

    /// What runs in a sandbox of this process or is a harness, by its process.
    static func runningSuites() -> [String: String] {
        var running: [String: String] = [:]
        for process in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        where Int(process) != nil && process != "\(getpid())" {
            guard let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline"),
                let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            else { continue }
            let text = String(decoding: command, as: UTF8.self).replacingOccurrences(of: "\0", with: " ")
            let isOurs = status.contains("PPid:\t\(getpid())\n") && text.contains("bwrap")
            if isOurs || text.hasPrefix("/grader/harness") { running[process] = text }
        }
        return running
    }
}

extension SubmissionFile {
    /// Whether the verdict is one that the file's header allows.
    func allows(_ verdict: Verdict) -> Bool {
        switch verdict.outcome {
        case .passed, .mastered, .notStarted: false
        case .rejected: allowed.contains("rejected")
        case .didNotCompile: allowed.contains("didNotCompile")
        case .failed:
            allowed.contains("failed")
                || verdict.tests.contains { $0.outcome == .crashed && allowed.contains("crashed") }
                || verdict.tests.contains { $0.outcome == .timedOut && allowed.contains("timedOut") }
        }
    }

    /// Whether a name that is refused is on the line that the verdict shows; where the code does not have it, there is no line.
    func showsWord(of verdict: Verdict) -> Bool {
        guard let said = verdict.diagnostics.first, said.message.key == .rejectedSymbol else { return true }
        let lines = SwiftText(String(decoding: bytes, as: UTF8.self)).codeOnly.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let words = Set(Self.words(in: said.message.arguments[0]))
        func hasWord(_ line: Substring) -> Bool { !words.isDisjoint(with: Self.words(in: line)) }
        return said.line == 0 ? !lines.contains(where: hasWord) : hasWord(lines[said.line - 1])
    }

    private static func words(in text: some StringProtocol) -> [String] {
        let isPart = { (letter: Character) in letter.isLetter || letter.isNumber || letter == "_" }
        return text.split(whereSeparator: { !isPart($0) }).map { String($0) }
    }
}
