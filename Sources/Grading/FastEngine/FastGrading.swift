import Foundation
import Workbook

/// One submission on its way through the fast engine, in a folder of its own.
struct FastGrading {
    let context: GradingContext
    let materials: GradingMaterials
    let profile: SuiteProfile
    let submission: Submission
    let source: SourceFile
    let folder: URL
    let cancellation: CancellationFlag

    private var tools: BuildTools { materials.tools }
    private var suite: CompiledSuite { materials.suite }
    private var kata: Kata { submission.kata }
    private var limits: Limits { context.options.limits }

    /// Blocks its thread while the compiler and the suite run.
    func run() throws(GradingStop) -> SuiteResult {
        let text = try scan()
        var reasons = text.reasonsToLook
        let harnesses = try asStep(try WaitingHarnesses(harnessRun))
        defer { harnesses.abandon() }
        try asStep(try harnesses.start(profile.shares(of: kata).count))
        do throws(GradingStop) {
            let compiled = try compile(text)
            // The text is read once for each, and a person reads no more.
            for name in ObjectInspection.cFunctionValues(in: compiled.object).prefix(Verdict.mostReasonsToLook) {
                let place = SourceScan.place(of: name, in: source.bytes)
                reasons.append(ReasonToLook(LocalizableMessage(.lookCFunction, name), line: place?.line))
            }
            return SuiteResult(
                tests: try inspectAndRun(compiled, text, harnesses),
                warnings: compiled.ownMessages.filter { $0.severity == .warning },
                reasonsToLook: reasons)
        } catch .rejected(var rejection) {
            rejection.reasonsToLook += reasons
            throw .rejected(rejection)
        }
    }

    private func inspectAndRun(
        _ compiled: Compiled, _ text: SourceScan.Findings, _ harnesses: WaitingHarnesses
    ) throws(GradingStop) -> [String: TestResult] {
        try check(compiled.rawMemory, by: .memory)
        let inspection = ObjectInspection(
            module: kata.kata, seconds: limits.compileSeconds, namesEscaping: text.namesEscaping)
        try check(inspection.rejection(compiled.object).map { SourceScan.placed($0, in: source.bytes) }, by: .object)
        let suiteObject = try suiteObject(for: compiled)
        let controls = ControlTests()
        let image = try link(suiteObject, controls, compiled, as: "linked.so")
        try fill(harnessRun.image, from: image)
        var tests = try runTests(controls, harnesses)
        try confirm(&tests, controls, harnesses)
        try tellLines(&tests, suiteObject, controls, compiled)
        return tests
    }

    private var harnessRun: HarnessRun {
        HarnessRun(context, materials, kata, image: folder.appendingPathComponent("kata.so"), cancellation)
    }

    /// Puts the image where waiting harnesses look for it: into the very file that they were given.
    private func fill(_ file: URL, from image: URL) throws(GradingStop) {
        do {
            let bytes = try Data(contentsOf: image)
            let handle = try FileHandle(forWritingTo: file)
            try handle.write(contentsOf: bytes)
            try handle.close()
        } catch {
            throw .trouble(GradingError(folder, notWritable: error))
        }
    }

    private func check(_ rejection: Rejection?, by wall: GradingOptions.Wall) throws(GradingStop) {
        if let rejection, !context.options.without.contains(wall) { throw .rejected(rejection) }
    }

    // MARK: The submission

    private func scan() throws(GradingStop) -> SourceScan.Findings {
        switch SourceScan.findings(in: source.bytes, within: limits.compileSeconds) {
        case .success(let findings): return findings
        case .failure(let rejection): try check(rejection, by: .text)
        }
        return SourceScan.Findings(bytes: source.bytes)
    }

    private struct Compiled {
        /// The submission's name, as the compiler says it.
        var file: String
        var bytes: [UInt8] = []
        var object: ObjectFile
        var interface: ModuleInterface
        var messages: [CompilerMessage]
        var rawMemory: Rejection?

        /// What the compiler says about the submission, and not about how it was called or what was compiled with it.
        var ownMessages: [CompilerMessage] {
            messages.filter {
                $0.group != RawMemory.group && !$0.isAboutOptions && ($0.severity == .error || $0.file == file)
            }
        }
    }

    private var fileName: String { "\(kata.kata).swift" }
    private var objectFile: URL { folder.appendingPathComponent("\(kata.kata).o") }

    private func compile(_ text: SourceScan.Findings) throws(GradingStop) -> Compiled {
        context.trace(.compileSubmission, kata)
        guard (try? Data(text.bytes).write(to: folder.appendingPathComponent(fileName))) != nil else {
            throw .trouble(GradingError(.folderNotWritable, folder.path, "\(errno)"))
        }
        let sources = [fileName] + (text.keepsLocksOnHeap ? [tools.heapLocks.path] : [])
        var call = tools.submissionCall(kata, sources, in: folder)
            .confined(
                to: context.sandbox, reading: [tools.learnerModules, tools.compiler.clangModules], limits: limits)
        call.arguments += ["-strict-memory-safety", "-print-diagnostic-groups"]
        return try compiled(try output(of: call, on: [fileName]), text)
    }

    /// Runs a confined compiler. If it has failed without an error that has a place in these files, that may be the machine's
    /// fault: then what it needs of the toolchain is made again where it has to be, and the compiler runs again.
    private func output(of call: CompilerCall, on files: [String]) throws(GradingStop) -> CompilerOutput {
        let output = try asStep(try call.run(cancellation: cancellation))
        switch output.ending {
        case .succeeded, .timedOut, .outOfMemory: return output
        case .foundErrors, .crashed: break
        }
        let hasOwnError = CompilerMessage.parse(Array(output.text.utf8))
            .contains { $0.severity == .error && $0.line > 0 && files.contains($0.file) }
        if hasOwnError { return output }
        try asStep(try ClangModules(tools: tools, context: context).repair())
        return try asStep(try call.run(cancellation: cancellation))
    }

    private func compiled(_ output: CompilerOutput, _ text: SourceScan.Findings) throws(GradingStop) -> Compiled {
        if let rejection = output.rejection(limits) { throw .rejected(rejection) }
        // Looking through what the compiler has made takes no longer than making it may.
        let end = ContinuousClock.now + .seconds(limits.compileSeconds)
        let said = Array(output.text.utf8)
        let messages = CompilerMessage.parse(said)
        var compiled = Compiled(
            file: fileName, object: ObjectFile(sections: [], symbols: []), interface: ModuleInterface(""),
            messages: messages,
            rawMemory: RawMemory.rejection(said, messages, in: text.bytes))
        guard let bytes = try? Data(contentsOf: objectFile) else {
            let messages = compiled.ownMessages
            if messages.contains(where: { $0.severity == .error }) {
                throw .didNotCompile(
                    messages, because: messages.contains(where: \.lacksNetwork) ? text.blankedImport : nil)
            }
            // It may have been stopped in a flood of warnings, without an error of its own.
            let last = messages.last.map { "\($0.line): \($0.text)" } ?? compiled.messages.last?.text ?? ""
            throw .rejected(compiled.rawMemory ?? Rejection(LocalizableMessage(.compilerCrashed, last)))
        }
        do {
            compiled.bytes = [UInt8](bytes)
            compiled.object = try ObjectFile(compiled.bytes, until: end)
        } catch ObjectFile.Damage.tooSlow {
            throw .rejected(Rejection(LocalizableMessage(.readingTimedOut, limits.compileSeconds.short)))
        } catch {
            throw .rejected(Rejection(LocalizableMessage(.compilerCrashed, "\(error)")))
        }
        let interface = folder.appendingPathComponent("\(kata.kata).swiftinterface")
        compiled.interface = ModuleInterface([UInt8]((try? Data(contentsOf: interface)) ?? Data()))
        return compiled
    }

    // MARK: The suite's object

    /// The suite's object that links with this submission: the one that all share, or one for an interface that is not the
    /// model answer's.
    private func suiteObject(for submitted: Compiled) throws(GradingStop) -> URL {
        let lacking = suite.interface.declarations(lackingIn: submitted.interface)
        if lacking.isEmpty, suite.needs.isSubset(of: submitted.object.exported) { return suite.object }

        if let line = submitted.interface.refusedDeclaration {
            throw .rejected(Rejection(LocalizableMessage(.rejectedInterface, line)))
        }
        let missing = MissingDeclarations(lacking: lacking, kata: kata)
        let lacks = GradingStop.lacksDeclarations(missing.diagnostics(in: source.text, path: submission.displayPath))
        let variant = SuiteVariant(kata: kata, suite: suite)
        let key = CacheKey(["suite": suite.key.hex, "interface": submitted.interface.text])
        let kept = context.cache.path("variant", key)
        if access(kept.path, F_OK) == 0 {
            context.cache.noteUse(of: kept)
        } else {
            try compileVariant(variant, key, lacks)
        }
        let object = kept.appendingPathComponent("suite.o")
        guard variant.links(try asStep(try ObjectFile(compiled: object)), with: submitted.object) else { throw lacks }
        return object
    }

    /// Compiles the suite against the submission's own module, for all submissions with the same interface.
    private func compileVariant(_ variant: SuiteVariant, _ key: CacheKey, _ lacks: GradingStop) throws(GradingStop) {
        context.trace(.compileSuite, kata)
        let draft = try asStep(try context.cache.newFolder("variant"))
        defer { try? FileManager.default.removeItem(at: draft) }
        let readable =
            suite.sources + [folder, tools.support.modules, tools.learnerModules, tools.compiler.clangModules]
        let call = try asStep(try suite.call(tools, against: folder, in: draft))
            .confined(to: context.sandbox, reading: readable, limits: limits)
        let output = try output(of: call, on: suite.sources.map(\.path))
        if output.ending == .foundErrors { throw lacks }
        if let rejection = output.rejection(limits) { throw .rejected(rejection) }
        let object = try asStep(try ObjectFile(compiled: draft.appendingPathComponent("suite.o")))
        switch variant.problem(object) {
        case .rejected(let rejection): throw .rejected(SourceScan.placed(rejection, in: source.bytes))
        case .needsMore: throw lacks
        case nil: _ = try asStep(try context.cache.keep(draft, "variant", key))
        }
    }

    // MARK: Linking and running

    private func link(
        _ suite: URL, _ controls: ControlTests, _ compiled: Compiled, as name: String, keepsLines: Bool = false
    ) throws(GradingStop) -> URL {
        context.trace(.link, kata)
        let image = KataImage(
            context: context, linkTools: materials.linkTools, folder: folder, cancellation: cancellation)
        return try asStep(
            try image.link(suite, controls, compiled.bytes, compiled.object, as: name, keepsLines: keepsLines))
    }

    /// Says in the learner's own lines what the suite found out about orders of steps.
    private func tellLines(
        _ tests: inout [String: TestResult], _ suiteObject: URL, _ controls: ControlTests, _ compiled: Compiled
    ) throws(GradingStop) {
        let offsets = tests.values.reduce(into: Set<Int>()) { $0.formUnion($1.found?.offsets ?? []) }
        let accesses = tests.values.reduce(into: Set<Int>()) { $0.formUnion($1.found?.accesses ?? []) }
        var lines: [Int: [Int]] = [:]
        if !offsets.isEmpty {
            // The same objects give the same layout. Without lines, the image that runs is smaller.
            let image = try link(suiteObject, controls, compiled, as: "lines.so", keepsLines: true)
            lines = try asStep(
                try Symbolizer(context: context, cancellation: cancellation)
                    .lines(of: offsets, accesses: accesses, in: image, file: fileName))
        }
        let source = SourceLines(lines, of: source)
        for (test, result) in tests {
            guard let found = result.found else { continue }
            tests[test]?.race = found.race(in: source)
            tests[test]?.schedule = found.schedule(in: source, isWhole: context.options.schedule != nil)
        }
    }

    /// Runs what passed once more: to see whether failures are kept back, and at the same time whether accesses meet, where
    /// something depends on that.
    private func confirm(
        _ results: inout [String: TestResult], _ controls: ControlTests, _ harnesses: WaitingHarnesses
    ) throws(GradingStop) {
        let run = RaceRun(of: kata, results)
        var races: BlockingWork<[String: TestResult], GradingStop>?
        if dependsOnRaces(results), !run.tests.isEmpty {
            context.trace(.runForRaces, kata)
            let (work, harness) = (BlockingWork<[String: TestResult], GradingStop>(), harnesses.take())
            work.start { () throws(GradingStop) in try self.races(in: run, controls, harness) }
            races = work
        }
        do throws(GradingStop) {
            try runControls(&results, controls, harnesses)
        } catch {
            cancellation.cancel()
            _ = try? races?.value()
            throw error
        }
        let found = try races?.value() ?? [:]
        if dependsOnRaces(results) { results.merge(found) { $1 } }
    }

    /// Looks whether the submission keeps failures back.
    private func runControls(
        _ results: inout [String: TestResult], _ controls: ControlTests, _ harnesses: WaitingHarnesses
    ) throws(GradingStop) {
        if context.options.schedule != nil || context.options.without.contains(.controls) { return }
        let outcome = Verdict.outcome(of: kata.tests, results)
        guard outcome == .mastered || outcome == .passed || context.options.confirmsPoints else { return }
        let able = profile.able
        var random = SystemRandomNumberGenerator()
        var failed: [String: TestResult] = [:]
        let runs = ControlRun.drawn(of: kata, results, able: able, all: context.options.confirmsPoints, using: &random)
        for run in runs { failed.merge(try failures(in: run, controls, harnesses.take())) { $1 } }
        for _ in 0..<2 where !failed.isEmpty {
            let run = ControlRun.again(Set(failed.keys), of: kata, results, able: able, using: &random)
            if let run { failed = try failures(in: run, controls) }
        }
        results.merge(failed) { $1 }
    }

    /// The tests that had passed and fail in a control run.
    private func failures(
        in run: ControlRun, _ controls: ControlTests, _ started: WaitingHarness? = nil
    ) throws(GradingStop) -> [String: TestResult] {
        var (run, failed, started) = (run, [String: TestResult](), started)
        defer { started?.abandon() }
        var end = ContinuousClock.now + .seconds(limits.suiteSeconds)
        while !run.tests.isEmpty {
            guard ContinuousClock.now < end else {
                failed.merge(run.leave(LocalizableMessage(.suiteTimedOut, limits.suiteSeconds.short))) { $1 }
                break
            }
            if cancellation.isCancelled { throw .trouble(GradingError(.abandoned, kata.kata)) }
            context.trace(.runControls, kata)
            let report = try harnessRun.run(
                run.tests, turned: run.turned, controls, .full, until: end, in: started.take())
            end += report.heldUp
            switch run.take(report, limits) {
            case .failureKeptBack(let test):
                throw .rejected(
                    Rejection(LocalizableMessage(.rejectedRecord), look: LocalizableMessage(.lookFailureKeptBack, test))
                )
            case .failed(let tests): failed.merge(tests) { $1 }
            }
        }
        return failed
    }

    /// Whether something depends on races in tests that explore no orders.
    private func dependsOnRaces(_ results: [String: TestResult]) -> Bool {
        context.options.schedule != nil || Verdict.outcome(of: kata.tests, results) == .mastered
    }

    /// The tests of the run in which races were seen.
    private func races(
        in run: RaceRun, _ controls: ControlTests, _ started: WaitingHarness?
    ) throws(GradingStop) -> [String: TestResult] {
        var (run, started) = (run, started)
        defer { started?.abandon() }
        var end = ContinuousClock.now + .seconds(limits.suiteSeconds)
        while !run.tests.isEmpty, ContinuousClock.now < end {
            if cancellation.isCancelled { throw .trouble(GradingError(.abandoned, kata.kata)) }
            let report = try harnessRun.run(
                run.tests, watchesRaces: true, controls, .afterHangs, until: end, in: started.take())
            end += report.heldUp
            run.take(report)
        }
        return run.failed
    }

    /// Runs the suite, each share of it in a process of its own at the same time.
    private func runTests(
        _ controls: ControlTests, _ harnesses: WaitingHarnesses
    ) throws(GradingStop) -> [String: TestResult] {
        let shares = profile.shares(of: kata)
        var end = ContinuousClock.now + .seconds(limits.suiteSeconds)
        context.trace(.run, kata)
        let runs = shares.map { [end] share in
            let (run, harness) = (BlockingWork<RunReport, GradingStop>(), harnesses.take())
            run.start { () throws(GradingStop) in
                try harnessRun.run(share, controls, .full, until: end, in: harness)
            }
            return run
        }
        // The next two start while these run: for the control run and the one for races.
        let next = Result { () throws(GradingError) in try harnesses.start(2) }
        var plan = RunPlan(of: kata, groups: shares)
        let ended = runs.map { run in Result { () throws(GradingStop) in try run.value() } }
        var reports: [RunReport] = []
        for report in ended { reports.append(try report.get()) }
        // Where one has used up the time, what has not ended is given up: the others' results come before.
        for report in reports.filter({ $0.stop != .suiteLimit }) + reports.filter({ $0.stop == .suiteLimit }) {
            end += report.heldUp
            plan.take(report, limits: limits)
        }
        try asStep(try next.get())
        return try plan.results(of: kata, limits: limits, until: end, cancellation: cancellation) {
            tests, patience, end throws(GradingStop) in
            context.trace(.run, kata)
            let harness = harnesses.take()
            try asStep(try harnesses.start(1))
            return try harnessRun.run(tests, controls, patience, until: end, in: harness)
        }
    }
}

extension CompilerMessage {
    /// Whether it is an error about a type of FoundationNetworking's, by what all their names have.
    fileprivate var lacksNetwork: Bool {
        severity == .error && ["'URL", "'NSURL", "'HTTP", "'CachedURL"].contains(where: text.contains)
    }

    /// Whether the message is about how the compiler was called, and not about the submission.
    fileprivate var isAboutOptions: Bool {
        if severity == .error { return false }
        return ["library evolution", "shadows module", "resilient", "in module interfaces", "-strict-memory-safety"]
            .contains(where: text.contains)
    }
}
