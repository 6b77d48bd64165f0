import Foundation
import Grading
import Storage
import Synchronization
import Workbook

/// How fast an edit becomes a verdict, as ratios of two things that one run has measured on one machine.
struct GradingBenchmark: Benchmark {
    static let name = "grading"
    static let options = "[--rounds N] [--without-swift-test]"

    func run(_ setting: BenchmarkSetting) async throws {
        let measurement = GradingMeasurement(
            setting: setting, workbook: try setting.copiedWorkbook(), rounds: setting.number("--rounds", 9))
        try await measurement.run(withSwiftTest: !setting.has("--without-swift-test"))
    }
}

private struct GradingMeasurement {
    let setting: BenchmarkSetting
    /// A copy whose katas may be changed.
    let workbook: WorkbookFolder
    let rounds: Int

    func run(withSwiftTest: Bool) async throws {
        let katas = try workbook.katas()
        for kata in katas { try solve(kata.kata) }
        say("Preparing: every suite is compiled once.")
        try check(katas.map(\.kata))

        try await ratios(katas.map(\.kata))
        var cached: [Double] = []
        for _ in 0..<rounds { cached.append(try seconds { try check(["FirstValue"]) }) }
        tell("grader check FirstValue, unchanged", median(cached))

        try portable()

        if withSwiftTest {
            let tests = try swiftTest()
            tell("swift test --filter FirstValueTests, the same change", tests)
            try change("FirstValue", 6000)
            let checked = try seconds { try check(["FirstValue"]) }
            promise("check against swift test", checked / tests, atMost: 0.25)
        }

        var alone: [Double] = []
        var together: [Double] = []
        for round in 0..<max(3, rounds / 2) {
            for kata in katas { try change(kata.kata, 1000 + round) }
            alone.append(try katas.reduce(0) { sum, kata in sum + (try seconds { try check([kata.kata]) }) })
            for kata in katas { try change(kata.kata, 2000 + round) }
            together.append(try seconds { try check(katas.map(\.kata)) })
        }
        tell("\(katas.count) changed katas, one command each", median(alone))
        tell("\(katas.count) changed katas, one command", median(together))
        ratio(
            "all at once against one by one, on \(ProcessInfo.processInfo.activeProcessorCount) cores",
            median(together) / median(alone))

        for (what, edit) in [("unchanged file", Edit.none), ("changed body", .body), ("changed signature", .signature)]
        {
            let steps = try await steps(after: edit)
            say("\(what): \(steps.isEmpty ? "nothing is started" : steps.map(\.rawValue).joined(separator: ", "))")
        }
    }

    /// A verdict against `swiftc -c` of the same file, kata by kata: by the command, by a grader that is resident, as watch is,
    /// and for wrong answers.
    private func ratios(_ katas: [String]) async throws {
        let resident = try SubmissionGrader(workbook: workbook)
        var (commands, residents, wrong): ([Double], [Double], [Double]) = ([], [], [])
        for kata in katas {
            var (checks, grades, compiles): ([Double], [Double], [Double]) = ([], [], [])
            _ = try await grade(kata, with: resident)
            for round in 0..<rounds {
                try change(kata, 2 * round)
                checks.append(try seconds { try check([kata]) })
                compiles.append(try seconds { try compile(kata) })
                try change(kata, 2 * round + 1)
                grades.append(try await grade(kata, with: resident))
            }
            let compiled = median(compiles)
            commands.append(median(checks) / compiled)
            residents.append(median(grades) / compiled)
            for answer in wrongAnswers(kata) {
                let start = ContinuousClock.now
                try Data(answer.utf8).write(to: workbook.learnerFile(kata))
                // Its exit code says that not everything passes.
                _ = try? check([kata])
                wrong.append(start.duration(to: .now) / .seconds(1) / compiled)
            }
            say(
                "\(kata): swiftc -c \(milliseconds(compiled)), check \(rounded(median(checks) / compiled)), "
                    + "resident \(rounded(median(grades) / compiled))")
            try solve(kata)
        }
        promise("check against swiftc -c, median of \(katas.count) katas", median(commands), atMost: 1.6)
        promise("the worst of them", commands.max() ?? 0, atMost: 2.2)
        promise("a resident grader against swiftc -c, median", median(residents), atMost: 1.3)
        let sorted = wrong.sorted()
        promise("\(wrong.count) wrong answers against swiftc -c, nine of ten", sorted[sorted.count * 9 / 10], atMost: 2)
        promise("the slowest of them", sorted.last ?? 0, atMost: 5)
    }

    /// Every sixth of a kata's known wrong answers.
    private func wrongAnswers(_ kata: String) -> [String] {
        let answers = workbook.mutantFiles(kata).compactMap(workbook.answerText)
        return stride(from: 0, to: answers.count, by: 6).map { answers[$0] }
    }

    private func grade(_ kata: String, with grader: SubmissionGrader) async throws -> Double {
        guard let kata = try workbook.katas().first(where: { $0.kata == kata }) else { return 0 }
        let submission = Submission(
            kata: kata, file: workbook.learnerFile(kata.kata), displayPath: "\(kata.kata).swift")
        let start = ContinuousClock.now
        _ = try await grader.grade(submission)
        return start.duration(to: .now) / .seconds(1)
    }

    /// The same edits with the engine that calls SwiftPM, and its first verdict with nothing built.
    private func portable() throws {
        let engine = ["--engine", "portable"]
        try change("FirstValue", 4000)
        let first = try seconds { try check(["FirstValue"] + engine) }
        tell("grader check FirstValue, portable engine, nothing built", first)
        var times: [Double] = []
        for round in 0..<max(3, rounds / 2) {
            try change("FirstValue", 4001 + round)
            times.append(try seconds { try check(["FirstValue"] + engine) })
        }
        tell("grader check FirstValue, portable engine, body changed", median(times))
        try change("AsyncMap", 4000)
        let another = try seconds { try check(["AsyncMap"] + engine) }
        tell("grader check AsyncMap, portable engine, another kata's first", another)
    }

    enum Edit { case none, body, signature }

    /// What the engine starts after an edit, by its own account.
    func steps(after edit: Edit) async throws -> [TraceEvent.Step] {
        let steps = Mutex<[TraceEvent.Step]>([])
        var options = GradingOptions()
        options.trace = { event in steps.withLock { $0.append(event.step) } }
        let grader = try SubmissionGrader(workbook: workbook, options: options)
        guard let kata = try workbook.katas().first(where: { $0.kata == "FirstValue" }) else { return [] }
        var submission: Submission {
            Submission(
                kata: kata, file: workbook.learnerFile("FirstValue"),
                displayPath: "Exercises/FirstValue/FirstValue.swift")
        }
        _ = try await grader.grade(submission)
        steps.withLock { $0 = [] }
        switch edit {
        case .none: break
        case .body: try change("FirstValue", 3000)
        case .signature:
            let file = workbook.learnerFile("FirstValue")
            let text = try String(contentsOf: file, encoding: .utf8)
            guard let range = text.range(of: "Error, Equatable") else {
                throw BenchmarkFailure("Expected FirstValueError to be declared with `Error, Equatable`.")
            }
            try Data(text.replacingCharacters(in: range, with: "Error, Hashable").utf8).write(
                to: file)
        }
        _ = try await grader.grade(submission)
        return steps.withLock { $0 }
    }

    // MARK: What is measured

    func solve(_ kata: String) throws {
        let answer = try Data(contentsOf: workbook.modelAnswer(kata))
        try answer.write(to: workbook.learnerFile(kata))
    }

    /// Changes the answer's body, as a learner's edit does: a function that is never called contains another number.
    func change(_ kata: String, _ number: Int) throws {
        let answer = try String(
            contentsOf: workbook.modelAnswer(kata), encoding: .utf8)
        try Data((answer + "\nprivate func edit() -> Int { \(number) }\n").utf8).write(to: workbook.learnerFile(kata))
    }

    func check(_ katas: [String]) throws {
        try setting.run(try setting.grader, ["check", "--workbook", workbook.url.path] + katas)
    }

    func compile(_ kata: String) throws {
        let modules = setting.products.appendingPathComponent("Modules").path
        let object = workbook.url.appendingPathComponent("\(kata).o").path
        try setting.run([
            "swiftc", "-c", workbook.learnerFile(kata).path, "-module-name", kata, "-swift-version", "5",
            "-parse-as-library", "-I", modules, "-o", object,
        ])
    }

    /// `swift test` after the same change to the model answer, which is what its suite is built with there. The answer is put
    /// back whatever happens.
    func swiftTest() throws -> Double {
        let file = setting.package.modelAnswer("FirstValue")
        let answer = try Data(contentsOf: file)
        defer { try? answer.write(to: file) }
        func test() throws {
            try setting.run([
                "swift", "test", "--package-path", setting.package.url.path, "--filter", "FirstValueTests",
            ])
        }
        say("Preparing: swift test builds all there is.")
        try test()
        var times: [Double] = []
        for round in 0..<3 {
            try (answer + Data("\nprivate func edit() -> Int { \(5000 + round) }\n".utf8)).write(to: file)
            times.append(try seconds(test))
        }
        return median(times)
    }

    func tell(_ what: String, _ seconds: Double) {
        say("\(what): \(milliseconds(seconds))")
    }

    func ratio(_ what: String, _ value: Double) {
        say("= \(what): \(rounded(value))")
    }
}
