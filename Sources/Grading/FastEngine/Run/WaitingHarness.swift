import Foundation
import Synchronization

/// A harness that was started and waits for what to run. Starting it takes a third as long as compiling a submission, so it
/// starts while the compiler or an earlier run is at work.
final class WaitingHarness: Sendable {
    private struct State {
        var run: Run?
        /// What came before there was a run: the words of a program that could not start.
        var early: [UInt8] = []
        var heldUpBefore = Duration.zero
        var isAbandoned = false
    }

    /// A run, as far as it has come.
    struct Run {
        var listener: RunListener
        var end: ContinuousClock.Instant
        var testSeconds: Double
        var silence = SilenceLimit()
        var stop: RunReport.Stop?
        var heldUp = Duration.zero
    }

    private let state = Mutex(State())
    private let request: (reading: Int32, writing: Int32)
    private let process = BlockingWork<ChildProcess.Result, GradingError>()
    private let cancellation: CancellationFlag

    init(_ child: ChildProcess, _ cancellation: CancellationFlag) throws(GradingError) {
        guard let ends = makePipe() else { throw GradingError(.programFailed, child.program, errorText(errno)) }
        request = ends
        self.cancellation = cancellation
        var child = child
        child.passedOn = [3: ends.0]
        child.outputs = [[4], [1, 2]]
        process.start { [self, child] () throws(GradingError) in
            defer { close(request.reading) }
            return try child.run(deadline: { self.deadline($0) }, receive: { self.receive($0, $1) })
        }
    }

    /// Ends it without a run.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
        // It ends where there is nothing to read.
        close(request.writing)
    }

    /// Lets it run what it is asked, and returns when it has ended. Once.
    func finish(_ bytes: Data, _ run: Run) throws(GradingError) -> (run: Run, result: ChildProcess.Result) {
        state.withLock { state in
            state.run = run
            state.early.withUnsafeBytes { _ = state.run?.listener.receiveOutput($0) }
        }
        // A harness that has ended already reads nothing, and how it ended is learned below.
        try? FileHandle(fileDescriptor: request.writing).write(contentsOf: bytes)
        close(request.writing)
        let result = try process.value()
        return (state.withLock { $0.run ?? run }, result)
    }

    private func deadline(_ heldUp: Duration) -> ContinuousClock.Instant {
        state.withLock { state in
            if cancellation.isCancelled || state.isAbandoned { return .now }
            guard var run = state.run else {
                state.heldUpBefore = heldUp
                return .now + .seconds(60)
            }
            run.heldUp = heldUp - state.heldUpBefore
            let quiet = run.silence.end(
                after: run.listener.lastEvent, seconds: run.testSeconds, heldUp: run.heldUp)
            let end = run.end + run.heldUp
            run.stop = quiet < end ? .testLimit : .suiteLimit
            state.run = run
            return min(quiet, end)
        }
    }

    private func receive(_ output: Int, _ bytes: UnsafeRawBufferPointer) -> ChildProcess.Decision {
        state.withLock { state in
            if output == 0 { return state.run?.listener.receiveEvents(bytes) ?? .proceed }
            if state.run == nil, state.early.count < 4096 { state.early += bytes }
            return state.run?.listener.receiveOutput(bytes) ?? .proceed
        }
    }
}

/// The harnesses that wait for a grading's next runs.
final class WaitingHarnesses: Sendable {
    private let run: HarnessRun
    private let waiting = Mutex<[WaitingHarness]>([])

    init(_ run: HarnessRun) throws(GradingError) {
        self.run = run
        guard FileManager.default.createFile(atPath: run.image.path, contents: nil) else {
            throw GradingError(.folderNotWritable, run.image.deletingLastPathComponent().path, errorText(errno))
        }
    }

    /// Starts as many as are missing for `count` to wait.
    func start(_ count: Int) throws(GradingError) {
        while waiting.withLock({ $0.count }) < count {
            let harness = try run.start()
            waiting.withLock { $0.append(harness) }
        }
    }

    /// One that waits; `nil` if none does.
    func take() -> WaitingHarness? { waiting.withLock { $0.popLast() } }

    /// Ends those that wait.
    func abandon() { while let harness = take() { harness.abandon() } }
}
