import Foundation
import Workbook

/// One grading: a submission on its way to a verdict, in a folder of its own that is removed after.
struct Grading {
    var submission: Submission
    var source: SourceFile
    var workshop: Workshop
    var materials: SuiteMaterials
    var cache: CacheFolder
    var options: GradingBench.Options
    var sandbox: Sandbox?
    var folder: URL
    let abandonment: Abandonment

    /// What a grading comes to, before it is timed and stored.
    enum Result {
        case rejected(Refusal)
        case didNotCompile([CompilerMessage])
        /// The suite needs what the submission does not offer.
        case lacks([Diagnostic])
        case ran([String: RunPlan.Outcome], warnings: [CompilerMessage])
    }

    private var kata: Kata { submission.kata }
    private var sourceName: String { "\(kata.kata).swift" }

    /// Does the whole of it. Blocks its thread while the compiler and the suite run.
    func run() throws(GradingError) -> Result {
        if !options.trustsSource, let refusal = SourceScan.refusal(source.bytes) { return .rejected(refusal) }
        let messages: [CompilerMessage]
        switch try compile() {
        case .failure(let refusal): return .rejected(refusal)
        case .success(let said): messages = said
        }
        if abandonment.hasHappened { throw GradingError(.abandoned, kata.kata) }
        let raw = RawMemory.refusal(messages)
        let told = messages.filter { $0.group != RawMemory.group && !Self.isAboutFlags($0) }
        let objectFile = folder.appendingPathComponent("\(kata.kata).o")
        guard access(objectFile.path, F_OK) == 0 else {
            let errors = told.filter { $0.severity == .error }
            if errors.isEmpty { return .rejected(raw ?? Refusal(Statement(.compilerCrashed, ""))) }
            return .didNotCompile(Self.withoutEchoes(told))
        }
        if !options.trustsSource, let raw { return .rejected(raw) }
        let object: ObjectFile
        do {
            object = try ObjectFile([UInt8](Data(contentsOf: objectFile)))
        } catch {
            return .rejected(Refusal(Statement(.compilerCrashed, "\(error)")))
        }
        if !options.trustsSource, let refusal = ObjectInspection(module: kata.kata).refusal(object) {
            return .rejected(refusal)
        }
        let suite: URL
        switch try suiteObject(for: object) {
        case .failure(let result): return result.result
        case .success(let found): suite = found
        }
        try link(objectFile, suite)
        switch try runSuite() {
        case .failure(let refusal): return .rejected(refusal)
        case .success(let outcomes): return .ran(outcomes, warnings: told.filter { $0.severity == .warning })
        }
    }

    // MARK: Compiling

    private func compile() throws(GradingError) -> Swift.Result<[CompilerMessage], Refusal> {
        options.trace?(TraceEvent(.compileSubmission, kata: kata.kata))
        do {
            try Data(source.bytes).write(to: folder.appendingPathComponent(sourceName))
        } catch {
            throw GradingError(.folderNotWritable, folder.path, error.localizedDescription)
        }
        let arguments =
            SuiteMaterials.moduleArguments(
                kata.kata, sources: [sourceName], workshop: workshop, object: "\(kata.kata).o", folder: "")
            + ["-strict-memory-safety", "-print-diagnostic-groups"]
        var said: [UInt8] = []
        let result = try ChildProcess(
            workshop.compiler.toolchain.frontend.path, arguments, in: compilation, sandbox: sandbox
        ).run(deadline: deadline(options.limits.compileSeconds)) { _, bytes in
            said += bytes
            return said.count < 1 << 22 ? .goOn : .stop
        }
        let text = String(decoding: said, as: UTF8.self)
        switch result.ending {
        case .exited(0), .exited(1): return .success(CompilerMessage.parse(text))
        case .stopped: return .failure(Refusal(Statement(.compileTimedOut, options.limits.compileSeconds.short)))
        case .exited(let code) where code == 128 + 24:
            return .failure(Refusal(Statement(.compileTimedOut, options.limits.compileSeconds.short)))
        default:
            if text.contains("out of memory") || text.contains("bad_alloc")
                || text.contains("Could not allocate memory")
            {
                return .failure(Refusal(Statement(.compileOutOfMemory, "\(options.limits.compileMegabytes)")))
            }
            let words = text.split(separator: "\n").last.map { String($0.prefix(300)) } ?? "\(result.ending)"
            return .failure(Refusal(Statement(.compilerCrashed, words)))
        }
    }

    /// What the compiler sees while it reads what a stranger wrote.
    private var compilation: Confinement {
        var place = Confinement(folder: sandbox == nil ? folder.path : "/kata")
        let toolchain = workshop.compiler.toolchain.root.path
        place.readable = [(toolchain, toolchain), ("/usr/include", "/usr/include")]
        place.readable.append((workshop.learnerModules.path, workshop.learnerModules.path))
        place.readable.append((workshop.compiler.clangModules.path, workshop.compiler.clangModules.path))
        place.writable = ("/kata", folder.path)
        place.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": place.folder, "HOME": place.folder]
        place.memoryMegabytes = options.limits.compileMegabytes
        place.processorSeconds = Int(options.limits.compileSeconds.rounded(.up)) + 1
        place.fileMegabytes = 64
        return place
    }

    private func deadline(_ seconds: Double) -> () -> ContinuousClock.Instant {
        let end = ContinuousClock.now + .seconds(seconds)
        return { [abandonment] in abandonment.hasHappened ? .now : end }
    }

    /// What the compiler says about how it was called, and not about the submission.
    private static func isAboutFlags(_ message: CompilerMessage) -> Bool {
        message.text.contains("library evolution") || message.text.contains("shadows module")
            || message.text.contains("resilient") || message.text.contains("in module interfaces")
            || message.text.contains("-strict-memory-safety")
    }

    /// Notes go with the message before them; beyond a bound nothing is learned from more.
    private static func withoutEchoes(_ messages: [CompilerMessage]) -> [CompilerMessage] {
        var seen: [CompilerMessage] = []
        for message in messages where !seen.contains(message) { seen.append(message) }
        return Array(seen.prefix(50))
    }

    // MARK: The suite's object

    private struct Verdict: Error {
        var result: Result
    }

    /// The suite's object that links with this submission: the one that all share, or one of its own.
    private func suiteObject(for object: ObjectFile) throws(GradingError) -> Swift.Result<URL, Verdict> {
        let printed = try? String(
            contentsOf: folder.appendingPathComponent("\(kata.kata).swiftinterface"), encoding: .utf8)
        let interface = Interface(printed ?? "")
        let lacking = materials.interface.declarations(lackingIn: interface)
        if lacking.isEmpty, materials.needs.isSubset(of: object.exported) { return .success(materials.object) }

        if let line = interface.refusedDeclaration {
            return .failure(Verdict(result: .rejected(Refusal(Statement(.rejectedInterface, line)))))
        }
        let key = CacheKey(["suite": materials.key.hex, "interface": interface.text])
        let place = cache.path("variant", key).appendingPathComponent("suite.o")
        if access(place.path, F_OK) != 0 {
            if let failure = try compileVariant(key, interface, lacking) { return .failure(failure) }
        }
        let variant = try SuiteMaterials.object(place)
        let missing = variant.undefined.filter { isOwn($0) && !object.exported.contains($0) }
        if !missing.isEmpty { return .failure(Verdict(result: .lacks(expectations(lacking)))) }
        return .success(place)
    }

    /// Compiles the suite against the submission's own module, for whoever has the same interface.
    private func compileVariant(_ key: CacheKey, _ interface: Interface, _ lacking: [[String]]) throws(GradingError)
        -> Verdict?
    {
        options.trace?(TraceEvent(.compileSuite, kata: kata.kata))
        let draft = try cache.newFolder("variant")
        defer { try? FileManager.default.removeItem(at: draft) }
        let result = try materials.compile(
            against: folder, workshop, into: draft, sandbox: sandbox, limits: options.limits)
        guard result.succeeded else { return Verdict(result: .lacks(expectations(lacking))) }
        let object = try SuiteMaterials.object(draft.appendingPathComponent("suite.o"))
        if let result = objection(toVariant: object, lacking) { return Verdict(result: result) }
        let place = cache.path("variant", key)
        if rename(draft.path, place.path) != 0, access(place.path, F_OK) != 0 {
            throw GradingError(.folderNotWritable, cache.url.path, errorText(errno))
        }
        return nil
    }

    /// The submission's interface may change how the suite calls the kata, and nothing else: no code of the submission's may
    /// come into the suite's object, and no declaration of the submission's may stand where the suite means another's.
    private func objection(toVariant object: ObjectFile, _ lacking: [[String]]) -> Result? {
        var known = Set(materials.needs.compactMap(demangled).map(declarationPath))
        // A type that has become another kind is needed itself, and not its members only.
        for path in known where path.count == 3 && path[0] == Substring(kata.kata) {
            known.insert(Array(path.prefix(2)))
        }
        // What anybody's type may be extended with is not told by its name.
        let members = Set(known.compactMap(\.last)).subtracting(["init", "__allocating_init", "subscript"])
        let inspection = ObjectInspection(module: kata.kata)
        for symbol in object.undefined.subtracting(materials.undefined).sorted() {
            if isOwn(symbol) {
                let path = declarationPath(demangled(symbol) ?? symbol)
                if !known.contains(path), !(path.last.map(members.contains) ?? false) {
                    return .lacks(expectations(lacking))
                }
            } else if let text = demangled(symbol) {
                let heads = Set(dottedNames(text).compactMap(\.first))
                if heads.isDisjoint(with: ["Testing", "XCTest", "KataSupport"]),
                    let refusal = inspection.refusalOfNeed(symbol)
                {
                    return .rejected(refusal)
                }
            } else if let refusal = inspection.refusalOfNeed(symbol) {
                return .rejected(refusal)
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
        let names = Set(lacking.compactMap { $0.last.flatMap(Interface.declaredName) })
        var expected = kata.interface.filter { declaration in
            Interface.identifiers(declaration).contains { names.contains(String($0)) }
        }
        if expected.isEmpty { expected = kata.interface }
        if expected.isEmpty { expected = lacking.compactMap(\.last) }
        let lines = String(decoding: source.bytes, as: UTF8.self).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return expected.map { declaration in
            let wanted = Interface.identifiers(declaration).map(String.init).filter { names.contains($0) }
            let place = wanted.lazy.compactMap { name in
                lines.enumerated().first { Interface.declaredName(String($0.element)) == name }
            }.first
            return Diagnostic(
                severity: .error, file: submission.displayPath, line: (place?.offset ?? 0) + 1,
                column: (place?.element.prefix { $0 == " " || $0 == "\t" }.count ?? 0) + 1,
                statement: Statement(.suiteExpects, declaration))
        }
    }

    // MARK: Linking and running

    private var image: URL { folder.appendingPathComponent("kata.\(Platform.sharedLibrarySuffix)") }

    private func link(_ object: URL, _ suite: URL) throws(GradingError) {
        options.trace?(TraceEvent(.link, kata: kata.kata))
        let toolchain = workshop.compiler.toolchain
        // What is undefined is there when the image is loaded: the harness has brought it. Only what the inspection allowed
        // is undefined.
        let child = ChildProcess(
            program: toolchain.linker.path,
            arguments: [
                "-shared", "-o", image.path, "--hash-style=gnu", "--eh-frame-hdr", "-Bsymbolic", "-z", "now", "-z",
                "relro",
                "-z", "undefs", "--threads=1", "--version-script", workshop.exports.path, toolchain.imageStart.path,
                suite.path, object.path,
            ],
            environment: ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path])
        var said: [UInt8] = []
        let result = try child.run(deadline: deadline(60)) { _, bytes in
            said += bytes
            return .goOn
        }
        guard result.ending == .exited(0) else {
            throw GradingError(.programFailed, toolchain.linker.path, String(decoding: said, as: UTF8.self))
        }
    }

    /// Runs the suite, and what a crash or a hang has left of it, until every test has an outcome or the time is used up.
    private func runSuite() throws(GradingError) -> Swift.Result<[String: RunPlan.Outcome], Refusal> {
        var plan = RunPlan(tests: kata.tests.map(\.id))
        let end = ContinuousClock.now + .seconds(options.limits.suiteSeconds)
        while let tests = plan.next {
            if abandonment.hasHappened { throw GradingError(.abandoned, kata.kata) }
            guard ContinuousClock.now < end else {
                plan.giveUp(Statement(.suiteTimedOut, options.limits.suiteSeconds.short))
                break
            }
            let report = try run(tests, until: end)
            if report.stop == .forgery { return .failure(Refusal(Statement(.rejectedRecord))) }
            if let broken = report.broken, report.started.isEmpty {
                // What the submission needs, and nobody has, is its own affair.
                let words = broken.joined(separator: "\n")
                if let symbol = words.split(separator: "undefined symbol: ", maxSplits: 1).dropFirst().first {
                    return .failure(Refusal(Statement(.rejectedSymbol, demangled(String(symbol)) ?? String(symbol))))
                }
                throw GradingError(.programFailed, "harness", words)
            }
            plan.take(report, limits: options.limits)
        }
        return .success(plan.outcomes)
    }

    private struct Orders: Encodable {
        var secret: String
        var marker: String
        var seed: String
        var support: String
        var image: String
        var testing: [String]
        var xctest: [String]
        var memoryMegabytes: Int
        var processorSeconds: Int
        var fileMegabytes: Int
        var openFiles: Int
        var threads: Int
    }

    private func run(_ tests: [String], until end: ContinuousClock.Instant) throws(GradingError) -> RunReport {
        options.trace?(TraceEvent(.run, kata: kata.kata))
        func secret() -> String {
            String(UInt64.random(in: 0 ... .max), radix: 36) + String(UInt64.random(in: 0 ... .max), radix: 36)
        }
        let limits = options.limits
        let frameworks = Dictionary(kata.tests.map { ($0.id, $0.framework) }, uniquingKeysWith: { first, _ in first })
        let orders = Orders(
            secret: secret(), marker: secret(), seed: "\(options.seed)",
            support: sandbox == nil ? workshop.supportImage.path : "/grader/support",
            image: sandbox == nil ? image.path : "/grader/kata",
            testing: tests.filter { frameworks[$0] == .testing }, xctest: tests.filter { frameworks[$0] == .xctest },
            memoryMegabytes: limits.memoryMegabytes, processorSeconds: limits.processorSeconds,
            fileMegabytes: limits.fileMegabytes, openFiles: limits.openFiles, threads: limits.threads)
        guard let encoded = try? JSONEncoder().encode(orders) else {
            throw GradingError(.programFailed, "harness", "orders")
        }
        var place = Confinement(folder: "/tmp")
        let libraries = workshop.compiler.toolchain.libraries.path
        place.readable = [
            (libraries, libraries), ("/grader/harness", workshop.harness.path),
            ("/grader/support", workshop.supportImage.path),
            ("/grader/kata", image.path),
        ]
        place.scratchMegabytes = limits.scratchMegabytes
        place.environment = ["TMPDIR": "/tmp", "HOME": "/tmp", "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC"]
        if sandbox == nil {
            place.folder = folder.path
            place.environment["TMPDIR"] = folder.path
            place.environment["HOME"] = folder.path
        }
        var child = ChildProcess(
            sandbox == nil ? workshop.harness.path : "/grader/harness", [], in: place, sandbox: sandbox)
        child.inputs = [3: [UInt8](encoded)]
        child.outputs = [[4], [1, 2]]

        var listener = RunListener(
            asked: tests, secret: orders.secret, marker: orders.marker, outputLimit: limits.outputBytes)
        var stop: RunReport.Stop?
        let result = try child.run {
            let quiet = listener.lastWord + .seconds(limits.testSeconds)
            stop = quiet < end ? .testLimit : .suiteLimit
            return abandonment.hasHappened ? .now : min(quiet, end)
        } receive: { output, bytes in
            output == 0 ? listener.receiveEvents(bytes) : listener.receiveOutput(bytes)
        }
        var report = listener.finish(result.ending, stop: result.ending == .stopped ? stop : nil)
        report.residentBytes = result.residentBytes
        return report
    }
}
