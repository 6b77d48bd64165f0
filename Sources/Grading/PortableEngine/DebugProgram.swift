import Foundation
import Workbook

/// A test program with the learner's code in it, to be started in a debugger: with symbols, and without the limits of a grading.
public struct DebugProgram: Sendable, Equatable {
    /// The program and what it is started with.
    public var command: [String]
    /// What it needs besides the caller's own environment.
    public var environment: [String: String]

    public enum Build: Sendable {
        case done(DebugProgram)
        /// The verdict on code that does not compile.
        case refused(Verdict)
    }

    /// - Parameter tests: some of one framework: a process runs those of one only.
    init(_ program: URL, _ tests: [KataTest], of kata: String, seed: UInt64) {
        let names = tests.map { "\(kata)Tests.\($0.id)" }
        if tests.contains(where: { $0.framework == .testing }) {
            let filters = names.flatMap { ["--filter", "^" + NSRegularExpression.escapedPattern(for: $0) + "(/|$)"] }
            command = [program.path, "--testing-library", "swift-testing", "--no-parallel"] + filters
        } else {
            command = [program.path, names.joined(separator: ",")]
        }
        environment = ["KATA_SEED": "\(seed)", "KATA_OWN_PROCESS": "1", "TZ": "UTC"]
    }
}

extension PortableGrading {
    /// Builds the submission with its suite.
    func debugProgram(
        _ submission: Submission, _ source: SourceFile, tests: [KataTest]
    ) throws(GradingStop) -> DebugProgram {
        try asStep(try package.write(kata, suite: sources.suite, submission: source.bytes))
        let call = SwiftTest(context: context, package: package).child(.build)
        let output = try asStep(try call.collectOutput(seconds: 900, cancellation: cancellation))
        if cancellation.isCancelled { throw .trouble(GradingError(.abandoned, kata.kata)) }
        guard output.ending == .exited(0) else {
            throw try stop(by: output.words, timedOut: output.ending == .stopped, submission, source)
        }
        let program = package.folder.appendingPathComponent(".build/debug/PortablePackageTests.xctest")
        return DebugProgram(program, tests, of: kata.kata, seed: context.options.seed)
    }
}

extension PortableEngine {
    func debugProgram(
        _ submission: Submission, _ source: SourceFile, tests: [KataTest]
    ) async throws(GradingStop) -> DebugProgram {
        try await exclusively(submission.kata) { grading throws(GradingStop) in
            try grading.debugProgram(submission, source, tests: tests)
        }
    }
}
