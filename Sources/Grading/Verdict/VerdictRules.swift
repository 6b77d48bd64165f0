import Workbook

// The rules that make a verdict: pure functions on values.

extension Verdict {
    /// Every core test passed: passed. Every test passed: mastered. A test that did not run did not pass.
    static func outcome(of tests: [KataTest], _ results: [String: TestResult]) -> Outcome {
        func passed(_ test: KataTest) -> Bool { results[test.id]?.outcome == .passed }
        if tests.isEmpty { return .failed }
        if tests.allSatisfy(passed) { return .mastered }
        let core = tests.filter { $0.tier == .core }
        return !core.isEmpty && core.allSatisfy(passed) ? .passed : .failed
    }

    /// Whether the same submission would get the same verdict again. What a busy machine may have caused is not kept.
    var isSettled: Bool {
        !(diagnostics.map(\.message) + tests.flatMap(\.messages)).contains(where: \.mayBeCausedByMachine)
    }
}

extension LocalizableMessage {
    private static let causedByMachine: Set<Key> = [
        .stillRunning, .stillRunningArrived, .stillRunningInCase, .answerStillRunning, .partStillRunning,
        .notRunAfterHang, .notRunAfterHangOf, .timedOut, .suiteTimedOut, .neverStarted, .compileTimedOut,
        .compileOutOfMemory, .readingTimedOut, .compilerCrashed, .outOfProcessorTime, .outOfMemory,
    ]

    /// Whether it says what a machine that is busy, or out of memory, does to any submission.
    var mayBeCausedByMachine: Bool { Self.causedByMachine.contains(key) }
}
