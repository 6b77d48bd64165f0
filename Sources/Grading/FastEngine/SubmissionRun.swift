import Foundation
import Workbook

/// One grading: a submission on its way to a verdict, in a folder of its own that is removed after.
struct SubmissionRun {
    var submission: Submission
    var source: SourceFile
    var tools: BuildTools
    var suite: CompiledSuite
    var cache: CacheFolder
    var options: SubmissionGrader.Options
    var sandbox: Sandbox?
    var folder: URL
    let cancellation: CancellationFlag

    /// What a grading comes to, before it is timed and stored.
    enum Result {
        case rejected(Rejection)
        case didNotCompile([CompilerMessage])
        /// The suite needs what the submission does not offer.
        case lacks([Diagnostic])
        case ran([String: RunPlan.Outcome], warnings: [CompilerMessage])
    }

    private var kata: Kata { submission.kata }
    private var sourceName: String { "\(kata.kata).swift" }

    /// Does the whole of it. Blocks its thread while the compiler and the suite run.
    func run() throws(GradingError) -> Result {
        var text = SourceScan.Findings(bytes: source.bytes)
        if !options.trustsSource {
            switch SourceScan.findings(in: source.bytes, within: options.limits.compileSeconds) {
            case .failure(let rejection): return .rejected(rejection)
            case .success(let found): text = found
            }
        }
        let messages: [CompilerMessage]
        switch try compile(text) {
        case .failure(let rejection): return .rejected(rejection)
        case .success(let said): messages = said
        }
        if cancellation.isCancelled { throw GradingError(.abandoned, kata.kata) }
        // Looking at what the compiler has made takes no longer than making it may.
        let end = ContinuousClock.now + .seconds(options.limits.compileSeconds)
        let tooLong = Rejection(LocalizableMessage(.readingTimedOut, options.limits.compileSeconds.short))
        let raw = RawMemory.rejection(messages, in: text.bytes)
        let told = messages.filter { $0.group != RawMemory.group && !Self.isAboutFlags($0) }
        let objectFile = folder.appendingPathComponent("\(kata.kata).o")
        guard access(objectFile.path, F_OK) == 0 else {
            let errors = told.filter { $0.severity == .error }
            if errors.isEmpty { return .rejected(raw ?? Rejection(LocalizableMessage(.compilerCrashed, ""))) }
            return .didNotCompile(told)
        }
        if !options.trustsSource, let raw { return .rejected(raw) }
        let object: ObjectFile
        do {
            object = try ObjectFile([UInt8](Data(contentsOf: objectFile)), until: end)
        } catch ObjectFile.Damage.tooSlow {
            return .rejected(tooLong)
        } catch {
            return .rejected(Rejection(LocalizableMessage(.compilerCrashed, "\(error)")))
        }
        if !options.trustsSource {
            let inspection = ObjectInspection(module: kata.kata, seconds: options.limits.compileSeconds)
            if let rejection = inspection.rejection(object) { return .rejected(rejection) }
        }
        let suite: URL
        switch try suiteObject(for: object) {
        case .failure(let result): return result.result
        case .success(let found): suite = found
        }
        let controls = ControlTests()
        try link(objectFile, suite, try writeObject(of: controls))
        switch try runSuite(controls) {
        case .failure(let rejection): return .rejected(rejection)
        case .success(let outcomes): return .ran(outcomes, warnings: told.filter { $0.severity == .warning })
        }
    }

    // MARK: Compiling

    private func compile(_ text: SourceScan.Findings) throws(GradingError) -> Swift.Result<[CompilerMessage], Rejection> {
        options.trace?(TraceEvent(.compileSubmission, kata: kata.kata))
        do {
            try Data(text.bytes).write(to: folder.appendingPathComponent(sourceName))
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
        let arguments =
            CompiledSuite.moduleArguments(
                kata.kata, sources: [sourceName] + (text.keepsLocksOnHeap ? [tools.heapLocks.path] : []), tools: tools,
                object: "\(kata.kata).o", folder: "")
            + ["-strict-memory-safety", "-print-diagnostic-groups"]
        var said: [UInt8] = []
        let result = try ChildProcess(
            tools.compiler.toolchain.frontend.path, arguments, in: compilation, sandbox: sandbox
        ).run(deadline: deadline(options.limits.compileSeconds)) { _, bytes in
            said += bytes
            return said.count < Self.longestOutput ? .proceed : .stop
        }
        switch result.ending {
        case .exited(0), .exited(1): return .success(CompilerMessage.parse(said))
        case .stopped:
            return .failure(Rejection(LocalizableMessage(.compileTimedOut, options.limits.compileSeconds.short)))
        case .exited(let code) where code == 128 + 24:
            return .failure(Rejection(LocalizableMessage(.compileTimedOut, options.limits.compileSeconds.short)))
        default:
            let text = String(decoding: said.suffix(1 << 16), as: UTF8.self)
            if text.contains("out of memory") || text.contains("bad_alloc")
                || text.contains("Could not allocate memory")
            {
                return .failure(
                    Rejection(LocalizableMessage(.compileOutOfMemory, "\(options.limits.compileMegabytes)")))
            }
            let words = text.split(separator: "\n").last.map { String($0.prefix(300)) } ?? "\(result.ending)"
            return .failure(Rejection(LocalizableMessage(.compilerCrashed, words)))
        }
    }

    private static let longestOutput = 1 << 22

    /// What the compiler sees while it reads what a stranger wrote.
    private var compilation: Confinement {
        var confinement = Confinement(folder: sandbox == nil ? folder.path : "/kata")
        let toolchain = tools.compiler.toolchain.root.path
        confinement.readable = [(toolchain, toolchain), ("/usr/include", "/usr/include")]
        confinement.readable.append((tools.learnerModules.path, tools.learnerModules.path))
        confinement.readable.append((tools.compiler.clangModules.path, tools.compiler.clangModules.path))
        confinement.writable = ("/kata", folder.path)
        confinement.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": confinement.folder, "HOME": confinement.folder]
        confinement.memoryMegabytes = options.limits.compileMegabytes
        confinement.processorSeconds = Int(options.limits.compileSeconds.rounded(.up)) + 1
        confinement.fileMegabytes = 16
        return confinement
    }

    private func deadline(_ seconds: Double) -> () -> ContinuousClock.Instant {
        let end = ContinuousClock.now + .seconds(seconds)
        return { [cancellation] in cancellation.isCancelled ? .now : end }
    }

    /// What the compiler says about how it was called, and not about the submission.
    private static func isAboutFlags(_ message: CompilerMessage) -> Bool {
        message.severity != .error && aboutFlags.contains { message.text.contains($0) }
    }

    private static let aboutFlags = [
        "library evolution", "shadows module", "resilient", "in module interfaces", "-strict-memory-safety",
    ]

    // MARK: The suite's object

    private struct Verdict: Error {
        var result: Result
    }

    /// The suite's object that links with this submission: the one that all share, or one of its own.
    private func suiteObject(for object: ObjectFile) throws(GradingError) -> Swift.Result<URL, Verdict> {
        let printed = try? Data(contentsOf: folder.appendingPathComponent("\(kata.kata).swiftinterface"))
        let interface = ModuleInterface([UInt8](printed ?? Data()))
        let lacking = suite.interface.declarations(lackingIn: interface)
        if lacking.isEmpty, suite.needs.isSubset(of: object.exported) { return .success(suite.object) }

        if let line = interface.refusedDeclaration {
            return .failure(Verdict(result: .rejected(Rejection(LocalizableMessage(.rejectedInterface, line)))))
        }
        let key = CacheKey(["suite": suite.key.hex, "interface": interface.text])
        let compiled = cache.path("variant", key).appendingPathComponent("suite.o")
        if access(compiled.path, F_OK) != 0 {
            if let failure = try compileVariant(key, interface, lacking) { return .failure(failure) }
        }
        let variant = try CompiledSuite.object(compiled)
        let missing = variant.undefined.filter { isOwn($0) && !object.exported.contains($0) }
        if !missing.isEmpty { return .failure(Verdict(result: .lacks(expectations(lacking)))) }
        return .success(compiled)
    }

    /// Compiles the suite against the submission's own module, for whoever has the same interface.
    private func compileVariant(_ key: CacheKey, _ interface: ModuleInterface, _ lacking: [[String]])
        throws(GradingError)
        -> Verdict?
    {
        options.trace?(TraceEvent(.compileSuite, kata: kata.kata))
        let draft = try cache.newFolder("variant")
        defer { try? FileManager.default.removeItem(at: draft) }
        let result = try suite.compile(
            against: folder, tools, into: draft, sandbox: sandbox, limits: options.limits)
        guard result.succeeded else { return Verdict(result: .lacks(expectations(lacking))) }
        let object = try CompiledSuite.object(draft.appendingPathComponent("suite.o"))
        if let result = objection(toVariant: object, lacking) { return Verdict(result: result) }
        let kept = cache.path("variant", key)
        if rename(draft.path, kept.path) != 0, access(kept.path, F_OK) != 0 {
            throw GradingError(.folderNotWritable, cache.url.path, errorText(errno))
        }
        return nil
    }

    /// The submission's interface may change how the suite calls the kata, and nothing else: no code of the submission's may
    /// come into the suite's object, and no declaration of the submission's may stand where the suite means another's.
    private func objection(toVariant object: ObjectFile, _ lacking: [[String]]) -> Result? {
        var known = Set(suite.needs.compactMap(demangled).map(declarationPath))
        // A type that has become another kind is needed itself, and not its members only.
        for path in known where path.count == 3 && path[0] == Substring(kata.kata) {
            known.insert(Array(path.prefix(2)))
        }
        // What anybody's type may be extended with is not told by its name.
        let members = Set(known.compactMap(\.last)).subtracting(["init", "__allocating_init", "subscript"])
        let inspection = ObjectInspection(module: kata.kata)
        for symbol in object.undefined.subtracting(suite.undefined).sorted() {
            if isOwn(symbol) {
                let path = declarationPath(demangled(symbol) ?? symbol)
                if !known.contains(path), !(path.last.map(members.contains) ?? false) {
                    return .lacks(expectations(lacking))
                }
            } else if let text = demangled(symbol) {
                let heads = Set(dottedNames(text).compactMap(\.first))
                if heads.isDisjoint(with: ["Testing", "XCTest", "KataSupport"]),
                    let rejection = inspection.rejectionOfNeed(symbol)
                {
                    return .rejected(rejection)
                }
            } else if let rejection = inspection.rejectionOfNeed(symbol) {
                return .rejected(rejection)
            }
        }
        return nil
    }

    private func isOwn(_ symbol: String) -> Bool {
        guard let text = demangled(symbol) else { return false }
        return dottedNames(text).contains { $0.first == Substring(kata.kata) } || text.contains("in \(kata.kata))")
    }

    /// The declarations that the suite expects and the submission lacks, at the lines of what comes nearest.
    private func expectations(_ lacking: [[String]]) -> [Diagnostic] {
        let names = Set(lacking.compactMap { $0.last.flatMap(ModuleInterface.declaredName) })
        var expected = kata.interface.filter { declaration in
            ModuleInterface.identifiers(declaration).contains { names.contains(String($0)) }
        }
        if expected.isEmpty { expected = kata.interface }
        if expected.isEmpty { expected = lacking.compactMap(\.last) }
        // Where each of them is declared first. What a person would read is far less than this.
        let lines = source.bytes.prefix(1 << 17).split(separator: 10, omittingEmptySubsequences: false)
        var places: [String: (line: Int, column: Int)] = [:]
        for (index, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            guard let name = ModuleInterface.declaredName(text), names.contains(name), places[name] == nil else { continue }
            places[name] = (index + 1, line.prefix { $0 == 32 || $0 == 9 }.count + 1)
        }
        return expected.map { declaration in
            let wanted = ModuleInterface.identifiers(declaration).map(String.init)
            let nearest = wanted.lazy.compactMap { places[$0] }.first
            return Diagnostic(
                severity: .error, file: submission.displayPath, line: nearest?.line ?? 1, column: nearest?.column ?? 1,
                message: LocalizableMessage(.suiteExpects, declaration))
        }
    }

    // MARK: Linking and running

    private var image: URL { folder.appendingPathComponent("kata.\(Platform.sharedLibrarySuffix)") }

    /// The object of the tests that have to fail, with names of this grading's own.
    private func writeObject(of controls: ControlTests) throws(GradingError) -> URL {
        let file = folder.appendingPathComponent("controls.o")
        do {
            let original = [UInt8](try Data(contentsOf: tools.controlTests))
            try Data(controls.object(from: original, tools.controlPlaces)).write(to: file)
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
        return file
    }

    private func link(_ object: URL, _ suite: URL, _ controls: URL) throws(GradingError) {
        options.trace?(TraceEvent(.link, kata: kata.kata))
        let toolchain = tools.compiler.toolchain
        // What is undefined is there when the image is loaded: the harness has brought it. Only what the inspection allowed
        // is undefined.
        let child = ChildProcess(
            program: toolchain.linker.path,
            arguments: [
                "-shared", "-o", image.path, "--hash-style=gnu", "--eh-frame-hdr", "-Bsymbolic", "-z", "now", "-z",
                "relro",
                "-z", "undefs", "--threads=1", "--version-script", tools.exports.path, toolchain.imageStart.path,
                suite.path, controls.path, object.path,
            ],
            environment: ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path])
        var said: [UInt8] = []
        let result = try child.run(deadline: deadline(60)) { _, bytes in
            said += bytes
            return .proceed
        }
        guard result.ending == .exited(0) else {
            throw GradingError(.programFailed, toolchain.linker.path, String(decoding: said, as: UTF8.self))
        }
    }

    /// Runs the suite, and what a crash or a hang has left of it, until every test has an outcome or the time is used up.
    private func runSuite(_ controls: ControlTests) throws(GradingError) -> Swift.Result<[String: RunPlan.Outcome], Rejection> {
        var plan = RunPlan(tests: kata.tests.map(\.id))
        let end = ContinuousClock.now + .seconds(options.limits.suiteSeconds)
        while let tests = plan.next {
            if cancellation.isCancelled { throw GradingError(.abandoned, kata.kata) }
            guard ContinuousClock.now < end else {
                plan.giveUp(LocalizableMessage(.suiteTimedOut, options.limits.suiteSeconds.short))
                break
            }
            let report = try run(tests, controls, until: end)
            if report.stop == .forgery { return .failure(Rejection(LocalizableMessage(.rejectedRecord))) }
            if let broken = report.broken, report.started.isEmpty {
                // What the submission needs, and nobody has, is its own affair.
                let words = broken.joined(separator: "\n")
                if let symbol = words.split(separator: "undefined symbol: ", maxSplits: 1).dropFirst().first {
                    return .failure(
                        Rejection(LocalizableMessage(.rejectedSymbol, demangled(String(symbol)) ?? String(symbol))))
                }
                throw GradingError(.programFailed, "harness", words)
            }
            plan.take(report, limits: options.limits)
        }
        return .success(plan.outcomes)
    }

    private struct RunRequest: Encodable {
        var secret: String
        var marker: String
        var seed: String
        var support: String
        var image: String
        var testing: [String]
        var xctest: [String]
        var testingControls: [String]
        var xctestControls: [String]
        var memoryMegabytes: Int
        var processorSeconds: Int
        var fileMegabytes: Int
        var openFiles: Int
        var threads: Int
    }

    private func run(
        _ tests: [String], _ controls: ControlTests, until end: ContinuousClock.Instant
    ) throws(GradingError) -> RunReport {
        options.trace?(TraceEvent(.run, kata: kata.kata))
        func secret() -> String {
            String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
        }
        let limits = options.limits
        let frameworks = Dictionary(kata.tests.map { ($0.id, $0.framework) }, uniquingKeysWith: { first, _ in first })
        let request = RunRequest(
            secret: secret(), marker: secret(), seed: "\(options.seed)",
            support: sandbox == nil ? tools.supportImage.path : "/grader/support",
            image: sandbox == nil ? image.path : "/grader/kata",
            testing: tests.filter { frameworks[$0] == .testing }, xctest: tests.filter { frameworks[$0] == .xctest },
            testingControls: controls.testing, xctestControls: controls.xctest,
            memoryMegabytes: limits.memoryMegabytes, processorSeconds: limits.processorSeconds,
            fileMegabytes: limits.fileMegabytes, openFiles: limits.openFiles, threads: limits.threads)
        guard let encoded = try? JSONEncoder().encode(request) else {
            throw GradingError(.programFailed, "harness", "request")
        }
        var confinement = Confinement(folder: "/tmp")
        let libraries = tools.compiler.toolchain.libraries.path
        confinement.readable = [
            (libraries, libraries), ("/grader/harness", tools.harness.path),
            ("/grader/support", tools.supportImage.path),
            ("/grader/kata", image.path),
        ]
        confinement.scratchMegabytes = limits.scratchMegabytes
        confinement.environment = [
            "TMPDIR": "/tmp", "HOME": "/tmp", "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC",
            // What is bound late can be bound anew.
            "LD_BIND_NOW": "1",
        ]
        if sandbox == nil {
            confinement.folder = folder.path
            confinement.environment["TMPDIR"] = folder.path
            confinement.environment["HOME"] = folder.path
        }
        var child = ChildProcess(
            sandbox == nil ? tools.harness.path : "/grader/harness", [], in: confinement, sandbox: sandbox)
        child.inputs = [3: [UInt8](encoded)]
        child.outputs = [[4], [1, 2]]

        var listener = RunListener(
            asked: tests, controls: controls, secret: request.secret, marker: request.marker, outputLimit: limits.outputBytes)
        var stop: RunReport.Stop?
        let result = try child.run {
            let quiet = listener.lastEvent + .seconds(limits.testSeconds)
            stop = quiet < end ? .testLimit : .suiteLimit
            return cancellation.isCancelled ? .now : min(quiet, end)
        } receive: { output, bytes in
            output == 0 ? listener.receiveEvents(bytes) : listener.receiveOutput(bytes)
        }
        var report = listener.finish(result.ending, stop: result.ending == .stopped ? stop : nil)
        report.residentBytes = result.residentBytes
        return report
    }
}
