import Foundation
import Workbook

/// Runs `swift test` once and listens to it.
struct PortableRun {
    let test: SwiftTest
    let kata: Kata
    let limits: Limits
    let cancellation: CancellationFlag

    /// How long SwiftPM may be silent between a build and a test, or between two processes: a busy machine takes its time.
    private static let quietSeconds = 60.0

    struct Outcome {
        /// One for each test process that was started.
        var reports: [RunReport]
        var surplus: [String]
        /// Whether a test process was started: otherwise the build failed.
        var hasRun: Bool
        /// Whether the build was stopped at its limit.
        var buildTimedOut: Bool
        var words: String
    }

    /// - Parameters:
    ///   - end: when the suite's time is used up, if the tests begin now.
    ///   - buildSeconds: how long the build may take.
    ///   - onBuildShare: told how much is built, from 0 to 1.
    func run(
        _ action: SwiftTest.Action, _ tests: [KataTest], until end: ContinuousClock.Instant, buildSeconds: Double,
        onBuildShare: (Double) -> Void = { _ in }
    ) throws(GradingError) -> Outcome {
        let output = try NamedPipe(test.package.output)
        let events = try NamedPipe(test.package.events)
        defer { [output, events].forEach { $0.close() } }
        var child = test.child(action)
        child.listensTo = [output.descriptor, events.descriptor]

        var listener = PortableListener(tests, outputLimit: limits.outputBytes)
        var buildShare = BuildShare()
        var time = SuiteTime(start: .now, end: end)
        var stop: RunReport.Stop?
        var silence = SilenceLimit()
        let result = try child.run { heldUp in
            time.note(began: listener.runBegan, heldUp: heldUp)
            if cancellation.isCancelled { return .now }
            guard let delay = time.delay else {
                let seconds = time.start.duration(to: .now) / .seconds(1)
                if let grown = buildShare.grown(listener.buildProgress, seconds: seconds) {
                    buildShare = grown
                    onBuildShare(grown.value)
                }
                return time.start + .seconds(buildSeconds) + heldUp
            }
            let quiet = silence.end(
                after: listener.lastEvent, seconds: listener.isTestRunning ? limits.testSeconds : Self.quietSeconds,
                heldUp: heldUp)
            stop = quiet < end + delay ? .testLimit : .suiteLimit
            return min(quiet, end + delay)
        } receive: { source, bytes in
            switch source {
            case 0: listener.receiveWords(bytes)
            case 1: listener.receiveOutput(bytes)
            default: listener.receiveEvents(bytes)
            }
            return listener.isOver ? .stop : .proceed
        }
        let hasRun = listener.runBegan != nil
        let reports = listener.finish(result.ending, stop: stop).map { report in
            var report = report
            report.heldUp = time.delay ?? .zero
            return report
        }
        var words = String(decoding: listener.words, as: UTF8.self)
        // A crash of SwiftPM's own leaves no words where its backtraces are off.
        if !hasRun, case .signaled(let number) = result.ending {
            words += "\nswift test was ended by signal \(number).\n"
        }
        return Outcome(
            reports: reports, surplus: listener.surplus, hasRun: hasRun,
            buildTimedOut: result.ending == .stopped && !hasRun,
            words: words)
    }
}

/// A pipe that other processes find by its path.
struct NamedPipe {
    let descriptor: Int32

    init(_ file: URL) throws(GradingError) {
        // A new one each time: a process that an earlier run has left behind may still hold the old one.
        unlink(file.path)
        guard mkfifo(file.path, 0o600) == 0 else {
            throw GradingError(.folderNotWritable, file.deletingLastPathComponent().path, errorText(errno))
        }
        // Open for writing as well, so that it does not end between two processes.
        descriptor = open(file.path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw GradingError(.folderNotWritable, file.deletingLastPathComponent().path, errorText(errno))
        }
    }

    func close() { _ = Foundation.close(descriptor) }
}
