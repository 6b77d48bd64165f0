import Foundation
import Wire
import Workbook

/// Runs tests of a linked suite in the harness, once.
struct HarnessRun {
    let context: GradingContext
    let materials: GradingMaterials
    let kata: Kata
    let image: URL
    let cancellation: CancellationFlag

    init(
        _ context: GradingContext, _ materials: GradingMaterials, _ kata: Kata, image: URL,
        _ cancellation: CancellationFlag
    ) {
        self.context = context
        self.materials = materials
        self.kata = kata
        self.image = image
        self.cancellation = cancellation
    }

    private static let (insideHarness, insideSupport, insideImage) =
        ("/grader/harness", "/grader/support", "/grader/kata")

    /// Where the harness finds a file of this process's.
    private func path(_ file: URL, _ inside: String) -> String { context.sandbox == nil ? file.path : inside }

    /// Starts a harness, which waits for what to run. The image's file has to be there; what is in it may still change.
    func start() throws(GradingError) -> WaitingHarness {
        let limits = context.options.limits
        var confinement = Confinement(folder: context.sandbox == nil ? image.deletingLastPathComponent().path : "/tmp")
        for (file, inside) in [
            (materials.harness.file, Self.insideHarness), (materials.linkTools.supportImage, Self.insideSupport),
            (image, Self.insideImage),
        ] {
            confinement.readable.append((inside, file.path))
            // The run's own user has to read it, also where the grader's files are for the grader alone.
            if context.sandbox?.givesOwnUsers == true { chmod(file.path, 0o755) }
        }
        let libraries = context.toolchain.libraries.path
        confinement.readable.append((libraries, libraries))
        confinement.scratchMegabytes = limits.scratchMegabytes
        confinement.environment = [
            "TMPDIR": confinement.folder, "HOME": confinement.folder, "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC",
            // What is bound late can be bound anew.
            "LD_BIND_NOW": "1",
        ]
        // For authors: tells how many orders were tried (see `Exploration`).
        confinement.environment["KATA_EXPLORATIONS"] = ProcessInfo.processInfo.environment["KATA_EXPLORATIONS"]
        var child = ChildProcess(
            path(materials.harness.file, Self.insideHarness), [], in: confinement, sandbox: context.sandbox)
        // The sandbox and the harness have some of their own.
        child.mostThreads = limits.threads + 32
        return try WaitingHarness(child, cancellation)
    }

    /// - Parameters:
    ///   - turned: which expectation is turned round, for tests that have to fail then.
    ///   - watchesRaces: whether the tests are run for the races in them, and for nothing else.
    ///   - started: a harness that waits already.
    func run(
        _ tests: [String], turned: [String: Int] = [:], watchesRaces: Bool = false, _ controls: ControlTests,
        _ patience: RunPlan.Patience, until end: ContinuousClock.Instant, in started: WaitingHarness? = nil
    ) throws(GradingStop) -> RunReport {
        let limits = context.options.limits.with(patience)
        func named(_ framework: KataTest.Framework) -> [String] {
            let known = Set(kata.tests.lazy.filter { $0.framework == framework }.map(\.id))
            return tests.filter(known.contains)
        }
        let request = RunRequest(
            key: EventSeal.Key(), marker: String(UInt64.random(in: 0 ... .max), radix: 36),
            seed: "\(context.options.seed)", expectsHangs: patience != .full,
            support: path(materials.linkTools.supportImage, Self.insideSupport),
            image: path(image, Self.insideImage), testing: named(.testing), xctest: named(.xctest),
            testingControls: controls.testing, xctestControls: controls.xctest, turned: turned,
            watchesRaces: watchesRaces, schedule: context.options.schedule, memoryMegabytes: limits.memoryMegabytes,
            processorSeconds: limits.processorSeconds, fileMegabytes: limits.fileMegabytes,
            openFiles: limits.openFiles, threads: limits.threads)
        guard let encoded = try? JSONEncoder().encode(request) else {
            throw .trouble(GradingError(.programFailed, "harness", "request"))
        }
        let (run, result): (WaitingHarness.Run, ChildProcess.Result)
        do throws(GradingError) {
            let harness = if let started { started } else { try start() }
            let listener = RunListener(
                asked: tests, controls: controls, key: request.key, marker: request.marker,
                outputLimit: limits.outputBytes)
            (run, result) = try harness.finish(
                encoded, WaitingHarness.Run(listener: listener, end: end, testSeconds: limits.testSeconds))
        } catch {
            throw .trouble(error)
        }
        var listener = run.listener
        let stop = result.hadTooManyThreads ? .threadLimit : run.stop
        var report = listener.finish(result.ending, stop: result.ending == .stopped ? stop : nil)
        report.residentBytes = result.residentBytes
        report.heldUp = run.heldUp
        try check(report)
        return report
    }

    /// Stops the grading where the report is no account of the tests.
    private func check(_ report: RunReport) throws(GradingStop) {
        if report.stop == .forgery {
            let line = report.forgedLine.map { LocalizableMessage(.lookForgedLine, "\($0.number)", $0.text) }
            throw .rejected(Rejection(LocalizableMessage(.rejectedRecord), look: line))
        }
        if !report.opened, report.stop == nil {
            // It is the machine's fault and not the submission's, of which nothing has run.
            let words = report.ending.words(printed: String(decoding: report.firstOutput, as: UTF8.self))
            throw .trouble(GradingError(.programFailed, context.sandbox?.program.path ?? "harness", words))
        }
        guard let broken = report.broken, report.started.isEmpty else { return }
        let words = broken.joined(separator: "\n")
        // The submission needs what no library has.
        if let symbol = words.split(separator: "undefined symbol: ", maxSplits: 1).dropFirst().first {
            throw .rejected(Rejection(LocalizableMessage(.rejectedSymbol, demangled(String(symbol)) ?? String(symbol))))
        }
        throw .trouble(GradingError(.programFailed, "harness", words))
    }
}
