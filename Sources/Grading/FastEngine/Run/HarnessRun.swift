import Foundation
import RunEvents
import Workbook

/// Runs tests of a linked suite in the harness, once.
struct HarnessRun {
    let context: GradingContext
    let materials: FastGrading.Materials
    let kata: Kata
    let image: URL
    let cancellation: CancellationFlag

    init(
        _ context: GradingContext, _ materials: FastGrading.Materials, _ kata: Kata, image: URL,
        _ cancellation: CancellationFlag
    ) {
        self.context = context
        self.materials = materials
        self.kata = kata
        self.image = image
        self.cancellation = cancellation
    }

    /// - Parameter turned: which expectation is turned round, for tests that have to fail then.
    func run(
        _ tests: [String], turned: [String: Int] = [:], _ controls: ControlTests, _ patience: RunPlan.Patience,
        until end: ContinuousClock.Instant
    ) throws(GradingStop) -> RunReport {
        let limits = context.options.limits.with(patience)
        func named(_ framework: KataTest.Framework) -> [String] {
            let known = Set(kata.tests.lazy.filter { $0.framework == framework }.map(\.id))
            return tests.filter(known.contains)
        }
        var confinement = Confinement(folder: context.sandbox == nil ? image.deletingLastPathComponent().path : "/tmp")
        /// Lets the harness read a file, and says where it finds it.
        func path(_ file: URL, _ inside: String) -> String {
            confinement.readable.append((inside, file.path))
            // The run's own user has to read it, also where the grader's files are for the grader alone.
            if context.sandbox?.givesOwnUsers == true { chmod(file.path, 0o755) }
            return context.sandbox == nil ? file.path : inside
        }
        let harness = path(materials.harness.file, "/grader/harness")
        let libraries = context.toolchain.libraries.path
        confinement.readable.append((libraries, libraries))
        let request = RunRequest(
            key: EventSeal.Key(), marker: String(UInt64.random(in: 0 ... .max), radix: 36),
            seed: "\(context.options.seed)", expectsHangs: patience != .full,
            support: path(materials.linkTools.supportImage, "/grader/support"),
            image: path(image, "/grader/kata"), testing: named(.testing), xctest: named(.xctest),
            testingControls: controls.testing, xctestControls: controls.xctest, turned: turned,
            schedule: context.options.schedule,
            memoryMegabytes: limits.memoryMegabytes, processorSeconds: limits.processorSeconds,
            fileMegabytes: limits.fileMegabytes, openFiles: limits.openFiles, threads: limits.threads)
        confinement.scratchMegabytes = limits.scratchMegabytes
        confinement.environment = [
            "TMPDIR": confinement.folder, "HOME": confinement.folder, "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC",
            // What is bound late can be bound anew.
            "LD_BIND_NOW": "1",
        ]
        // For authors: tells how many orders were tried (see `Exploration`).
        confinement.environment["KATA_EXPLORATIONS"] = ProcessInfo.processInfo.environment["KATA_EXPLORATIONS"]
        guard let encoded = try? JSONEncoder().encode(request) else {
            throw .trouble(GradingError(.programFailed, "harness", "request"))
        }
        var child = ChildProcess(harness, [], in: confinement, sandbox: context.sandbox)
        child.inputs = [3: [UInt8](encoded)]
        child.outputs = [[4], [1, 2]]
        // The sandbox and the harness have some of their own.
        child.mostThreads = limits.threads + 32

        var listener = RunListener(
            asked: tests, controls: controls, key: request.key, marker: request.marker,
            outputLimit: limits.outputBytes)
        var stop: RunReport.Stop?
        var heldUp = Duration.zero
        var silence = SilenceLimit()
        let result: ChildProcess.Result
        do throws(GradingError) {
            result = try child.run {
                heldUp = $0
                let quiet = silence.end(after: listener.lastEvent, seconds: limits.testSeconds, heldUp: heldUp)
                stop = quiet < end + heldUp ? .testLimit : .suiteLimit
                return cancellation.isCancelled ? .now : min(quiet, end + heldUp)
            } receive: { output, bytes in
                output == 0 ? listener.receiveEvents(bytes) : listener.receiveOutput(bytes)
            }
        } catch {
            throw .trouble(error)
        }
        if result.hadTooManyThreads { stop = .threadLimit }
        var report = listener.finish(result.ending, stop: result.ending == .stopped ? stop : nil)
        report.residentBytes = result.residentBytes
        report.heldUp = heldUp
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
