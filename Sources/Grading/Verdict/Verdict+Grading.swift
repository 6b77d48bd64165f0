import Foundation
import Workbook

extension Verdict {
    /// The verdict that follows from what a grading came to.
    init(_ submission: Submission, _ result: SubmissionRun.Result, since start: ContinuousClock.Instant) {
        switch result {
        case .rejected(let rejection): self = .rejected(submission, rejection, since: start)
        case .didNotCompile(let messages):
            self.init(
                submission, .didNotCompile, since: start,
                diagnostics: Diagnostic.all(messages, in: submission))
        case .lacks(let diagnostics):
            self.init(submission, .didNotCompile, since: start, diagnostics: diagnostics)
        case .ran(let outcomes, let warnings):
            self.init(
                submission, Self.outcome(of: submission.kata.tests, outcomes), since: start,
                diagnostics: Diagnostic.all(warnings, in: submission), outcomes: outcomes)
        }
    }

    static func rejected(_ submission: Submission, _ rejection: Rejection, since start: ContinuousClock.Instant)
        -> Verdict
    {
        var message = rejection.message
        // The learner knows the file by the path that they would type.
        if [.fileMissing, .fileNotRegular].contains(message.key) { message.arguments = [submission.displayPath] }
        return Verdict(
            submission, .rejected, since: start,
            diagnostics: [
                Diagnostic(
                    severity: .error, file: submission.displayPath, line: rejection.line, column: rejection.column,
                    message: message)
            ])
    }

    static func notStarted(_ submission: Submission, since start: ContinuousClock.Instant) -> Verdict {
        Verdict(submission, .notStarted, since: start)
    }

    /// Every core test passed: passed. Every test passed: mastered. What did not run did not pass.
    static func outcome(of tests: [KataTest], _ outcomes: [String: RunPlan.Outcome]) -> Outcome {
        func passed(_ test: KataTest) -> Bool { outcomes[test.id]?.outcome == .passed }
        if tests.isEmpty { return .failed }
        if tests.allSatisfy(passed) { return .mastered }
        let core = tests.filter { $0.tier == .core }
        return !core.isEmpty && core.allSatisfy(passed) ? .passed : .failed
    }

    private init(
        _ submission: Submission, _ outcome: Outcome, since start: ContinuousClock.Instant,
        diagnostics: [Diagnostic] = [],
        outcomes: [String: RunPlan.Outcome] = [:]
    ) {
        let tests = submission.kata.tests.map { test in
            guard let known = outcomes[test.id] else { return TestVerdict(id: test.id, outcome: .notRun, points: 0) }
            return TestVerdict(
                id: test.id, outcome: known.outcome, points: known.outcome == .passed ? test.points : 0,
                messages: known.messages, output: printable(known.output), outputCut: known.outputCut,
                marbles: known.marbles, kind: known.kind)
        }
        self.init(
            kata: submission.kata.kata, outcome: outcome, points: tests.reduce(0) { $0 + $1.points },
            maxPoints: submission.kata.maxPoints, seconds: start.duration(to: .now).seconds, diagnostics: diagnostics,
            tests: tests)
    }

    /// Whether the same submission would get the same verdict again: what a busy machine may have caused is not kept.
    var isSettled: Bool {
        let passing: Set<LocalizableMessage.Key> = [
            .stillRunning, .stillRunningArrived, .timedOut, .suiteTimedOut, .neverStarted, .compileTimedOut,
            .compileOutOfMemory, .readingTimedOut, .compilerCrashed,
            .outOfProcessorTime, .outOfMemory,
        ]
        return !(diagnostics.map(\.message) + tests.flatMap(\.messages)).contains { passing.contains($0.key) }
    }
}

extension Diagnostic {
    private static let most = 50
    private static let longestText = 2000

    /// What the compiler said, each thing once, and no more than a person reads.
    static func all(_ messages: [CompilerMessage], in submission: Submission) -> [Diagnostic] {
        var seen: Set<CompilerMessage> = []
        let different = messages.filter { seen.insert($0).inserted }
        var diagnostics = different.prefix(most).map { Diagnostic($0, in: submission) }
        if different.count > most {
            diagnostics.append(
                Diagnostic(
                    severity: .note, file: "", line: 0, column: 0,
                    message: LocalizableMessage(.diagnosticsCut, "\(different.count - most)")))
        }
        return diagnostics
    }

    /// The compiler's words, at the learner's own path.
    init(_ message: CompilerMessage, in submission: Submission) {
        let isOwn = message.file.hasSuffix("\(submission.kata.kata).swift")
        self.init(
            severity: message.severity, file: isOwn ? submission.displayPath : "", line: isOwn ? message.line : 0,
            column: isOwn ? message.column : 0, message: LocalizableMessage(.verbatim, Self.shortened(message.text)))
    }
}

extension Diagnostic {
    fileprivate static func shortened(_ text: String) -> String {
        text.utf8.count <= longestText ? text : String(decoding: text.utf8.prefix(longestText), as: UTF8.self) + "…"
    }
}

/// Output as text that does nothing to a terminal.
private func printable(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
        if !isControl || scalar == "\n" || scalar == "\t" { text.append(scalar) }
    }
    return String(text)
}
