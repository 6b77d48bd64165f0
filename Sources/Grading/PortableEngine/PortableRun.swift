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
        var report: RunReport
        var surplus: [String]
        /// Whether a test process was started: otherwise the build failed.
        var hasRun: Bool
        /// When the suite's time is used up.
        var end: ContinuousClock.Instant
        /// Whether the build was stopped at its limit.
        var buildTimedOut: Bool
        var words: String
    }

    /// - Parameters:
    ///   - end: when the suite's time is used up; `nil` where it begins with this run.
    ///   - buildSeconds: how long the build may take.
    func run(
        _ action: SwiftTest.Action, _ tests: [KataTest], until end: ContinuousClock.Instant?, buildSeconds: Double,
        onBuildProgress: @escaping (BuildProgress) -> Void = { _ in }
    ) throws(GradingError) -> Outcome {
        let output = try NamedPipe(test.package.output)
        let events = try NamedPipe(test.package.events)
        defer { [output, events].forEach { $0.close() } }
        var child = test.child(action)
        child.listensTo = [output.descriptor, events.descriptor]

        var listener = PortableListener(tests, outputLimit: limits.outputBytes, onBuildProgress: onBuildProgress)
        let buildEnd = ContinuousClock.now + .seconds(buildSeconds)
        var stop: RunReport.Stop?
        var wasCutShort = false
        var heldUp = Duration.zero
        /// For how long it was held up before the tests began.
        var heldUpBuilding = Duration.zero
        var silence = SilenceLimit()
        func suiteEnd() -> ContinuousClock.Instant? {
            (end ?? listener.runBegan.map { $0 + .seconds(limits.suiteSeconds) }).map { $0 + (heldUp - heldUpBuilding) }
        }
        let result = try child.run {
            heldUp = $0
            if listener.runBegan == nil { heldUpBuilding = heldUp }
            if cancellation.isCancelled { return .now }
            guard listener.runBegan != nil, let end = suiteEnd() else {
                stop = nil
                return buildEnd + heldUp
            }
            let isRunning = listener.report.current != nil
            let quiet = silence.end(
                after: listener.lastEvent, seconds: isRunning ? limits.testSeconds : Self.quietSeconds, heldUp: heldUp)
            stop = quiet < end ? .testLimit : .suiteLimit
            return min(quiet, end)
        } receive: { source, bytes in
            switch source {
            case 0:
                listener.receiveWords(bytes)
                return .proceed
            case 1:
                let decision = listener.receiveOutput(bytes)
                if decision == .stop { wasCutShort = true }
                return decision
            default:
                listener.receiveEvents(bytes)
                return .proceed
            }
        }
        let wasStopped = result.ending == .stopped
        let hasRun = listener.runBegan != nil
        // Where XCTest's process had ended by itself, SwiftPM was stopped so that its tests could be run again first.
        let report = listener.finish(
            wasCutShort ? .exited(1) : result.ending, stop: wasStopped && !wasCutShort ? stop : nil)
        return Outcome(
            report: report, surplus: listener.surplus, hasRun: hasRun,
            end: suiteEnd() ?? .now + .seconds(limits.suiteSeconds), buildTimedOut: wasStopped && !hasRun,
            words: String(decoding: listener.words, as: UTF8.self))
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
