import Foundation
import Workbook

/// One submission on its way through the portable engine, which has the package to itself meanwhile.
struct PortableGrading {
    let context: GradingContext
    let package: PortablePackage
    let sources: KataSources
    let kata: Kata
    let key: CacheKey
    let cancellation: CancellationFlag

    init(
        _ context: GradingContext, _ package: PortablePackage, _ sources: KataSources, _ kata: Kata, _ key: CacheKey,
        _ cancellation: CancellationFlag
    ) {
        self.context = context
        self.package = package
        self.sources = sources
        self.kata = kata
        self.key = key
        self.cancellation = cancellation
    }

    private var limits: Limits { context.options.limits }

    private func run(_ limits: Limits) -> PortableRun {
        PortableRun(
            test: SwiftTest(context: context, package: package), kata: kata, limits: limits, cancellation: cancellation)
    }

    /// Blocks its thread while SwiftPM builds and runs.
    func run(_ submission: Submission, _ source: SourceFile) throws(GradingStop) -> SuiteResult {
        try asStep(try package.write(kata, suite: sources.suite, submission: source.bytes))
        context.trace(.compileSubmission, kata)
        var end = ContinuousClock.now + .seconds(limits.suiteSeconds)
        let first = try asStep(
            try run(limits).run(.run, kata.tests, until: end, buildSeconds: buildSeconds) {
                context.options.onBuildProgress?(kata, $0)
            })
        context.options.onBuildProgress?(kata, 1)
        if cancellation.isCancelled { throw .trouble(GradingError(.abandoned, kata.kata)) }
        guard first.hasRun else {
            throw try stop(by: first.words, timedOut: first.buildTimedOut, submission, source)
        }
        noteBuilt()
        try asStep(try checkTests(first))
        var plan = RunPlan(
            of: kata,
            groups: KataTest.Framework.allCases.map { framework in
                kata.tests.filter { $0.framework == framework }.map(\.id)
            })
        for report in first.reports { plan.take(report, limits: limits) }
        end += first.reports.last?.heldUp ?? .zero
        let tests = try plan.results(of: kata, limits: limits, until: end, cancellation: cancellation) {
            tests, patience, end throws(GradingStop) in
            context.trace(.run, kata)
            let known = kata.tests.filter { tests.contains($0.id) }
            let again = try asStep(
                try run(limits.with(patience))
                    .run(.runAgain(known, kata), known, until: end, buildSeconds: buildSeconds))
            // Tests of one group share a process.
            guard again.hasRun, let report = again.reports.first else { throw .trouble(failure(again.words)) }
            return report
        }
        return SuiteResult(tests: tests, warnings: ownMessages(first.words).filter { $0.severity == .warning })
    }

    // MARK: What is built

    private var builtMark: URL { package.folder.appendingPathComponent("built-\(kata.kata)") }

    /// Whether all but the submission has been built.
    var isBuilt: Bool { (try? String(contentsOf: builtMark, encoding: .utf8)) == key.hex }

    private func noteBuilt() {
        if !isBuilt { try? Data(key.hex.utf8).write(to: builtMark) }
    }

    /// A build of everything takes minutes on a slow or busy machine; a build of one submission that takes long is the
    /// submission's doing. SwiftPM does more than compile it.
    private var buildSeconds: Double { isBuilt ? limits.compileSeconds * 3 : 900 }

    /// Builds the model answer and the suite, and throws where they do not compile.
    func buildModelAnswer() throws(GradingError) {
        let answer: SourceFile
        do throws(Rejection) {
            let file = context.workbook.modelAnswer(kata.kata)
            answer = try SourceFile(reading: file, limit: context.options.limits.sourceBytes)
        } catch {
            throw GradingError(.noSuite, kata.kata, context.workbook.solution(kata.kata).path)
        }
        try package.write(kata, suite: sources.suite, submission: answer.bytes)
        context.trace(.compileSuite, kata)
        let call = SwiftTest(context: context, package: package).child(.build)
        let output = try call.collectOutput(seconds: 900, cancellation: cancellation)
        if cancellation.isCancelled { throw GradingError(.abandoned, kata.kata) }
        guard output.ending == .exited(0) else {
            let errors = CompilerMessage.parse(Array(output.text.utf8)).filter { $0.severity == .error }
            if errors.isEmpty { throw failure(output.words) }
            throw GradingError(.suiteDoesNotCompile, kata.kata, output.text)
        }
        noteBuilt()
    }

    private func failure(_ words: String) -> GradingError {
        GradingError(.programFailed, "swift test", words.split(separator: "\n").suffix(30).joined(separator: "\n"))
    }

    // MARK: A build that failed

    /// What the compiler says about the submission.
    private func ownMessages(_ words: String) -> [CompilerMessage] {
        CompilerMessage.parse(Array(words.utf8)).filter { $0.file.contains("/Katas/\(kata.kata)/") }
    }

    /// Why nothing could be run.
    func stop(
        by words: String, timedOut: Bool, _ submission: Submission, _ source: SourceFile
    ) throws(GradingStop) -> GradingStop {
        let own = ownMessages(words)
        if own.contains(where: { $0.severity == .error }) { return .didNotCompile(own) }
        if timedOut {
            let seconds = buildSeconds.short
            return isBuilt
                ? .rejected(Rejection(LocalizableMessage(.compileTimedOut, seconds))) : .trouble(failure(words))
        }
        let suiteErrors = CompilerMessage.parse(Array(words.utf8)).filter {
            $0.severity == .error && $0.file.contains("/\(kata.kata)Tests/")
        }
        guard !suiteErrors.isEmpty else {
            if let crash = words.split(separator: "\n").first(where: { $0.contains("failed due to signal") }) {
                return .rejected(Rejection(LocalizableMessage(.compilerCrashed, String(crash))))
            }
            return .trouble(failure(words))
        }
        let folder = try asStep(try context.cache.newFolder("interface"))
        defer { try? FileManager.default.removeItem(at: folder) }
        let offered = try asStep(try interface(of: package.module(kata), in: folder))
        let expected = try asStep(try interface(of: context.workbook.solution(kata.kata), in: folder))
        let lacking = expected.declarations(lackingIn: offered)
        // Where the submission declares all that the model answer does, the suite may be at fault.
        if lacking.isEmpty { try asStep(try buildModelAnswer()) }
        let missing = MissingDeclarations(lacking: lacking, kata: kata)
        return .lacksDeclarations(missing.diagnostics(in: source.text, path: submission.displayPath))
    }

    /// What the kata's file in a folder offers to others.
    private func interface(of module: URL, in folder: URL) throws(GradingError) -> ModuleInterface {
        let printed = folder.appendingPathComponent("\(kata.kata).swiftinterface")
        let builds = [".build/debug/Modules", ".build/out/Products/Debug-linux"].flatMap {
            ["-I", package.folder.appendingPathComponent($0).path]
        }
        let child = ChildProcess(
            program: context.toolchain.compiler.path,
            arguments: [
                "-emit-module", "-emit-module-path", folder.appendingPathComponent("\(kata.kata).swiftmodule").path,
                "-emit-module-interface-path", printed.path, "-enable-library-evolution",
                "-no-verify-emitted-module-interface", "-module-name", kata.kata, "-swift-version", "5",
                "-parse-as-library", module.appendingPathComponent("\(kata.kata).swift").path,
            ] + builds,
            environment: ProcessInfo.processInfo.environment)
        let output = try child.collectOutput(seconds: 120, cancellation: cancellation)
        guard let text = try? String(contentsOf: printed, encoding: .utf8) else {
            throw GradingError(.programFailed, context.toolchain.compiler.path, output.words)
        }
        return ModuleInterface(text)
    }

    // MARK: Tests that are in one of two places

    /// Throws where the suite and `kata.json` do not name the same tests.
    private func checkTests(_ outcome: PortableRun.Outcome) throws(GradingError) {
        let lacksSome = outcome.reports.contains {
            $0.current == nil && $0.stop == nil && $0.started.count < $0.asked.count
        }
        guard lacksSome || !outcome.surplus.isEmpty else { return }
        var child = SwiftTest(context: context, package: package).child(.list)
        child.outputs = [[1], [2]]
        let output = try child.collectOutput(seconds: 120, cancellation: cancellation)
        let lines = String(decoding: output.bytes[0], as: UTF8.self).split(separator: "\n")
        // `Module.Suite/test`, and for Swift Testing with parentheses.
        let names = Set(
            lines.compactMap { line in
                line.firstIndex(of: ".").map { SuiteTests.name(ofTest: String(line[line.index(after: $0)...])) }
            })
        if names.isEmpty { throw failure(output.words) }
        try SuiteTests(functions: names, tests: names).check(kata, in: context.workbook)
    }
}
