import Foundation
import Workbook

/// Turns submissions into verdicts.
///
/// A bench belongs to one workbook and one set of options. It holds no state that a second bench, in this process or in
/// another one, could not share: what it prepares lies in the workbook's cache folder.
public struct GradingBench: Sendable {
    public struct Options: Sendable {
        /// Whether code may be run outside a sandbox.
        public var sandbox: SandboxRequirement = .whenAvailable
        /// Where the suites draw their values from. The same seed gives the same values.
        public var seed: UInt64 = 0
        /// Whether a verdict that is already known may be given again.
        public var usesCache = true
        public var limits = Limits()
        /// How many submissions are graded at once.
        public var jobs = ProcessInfo.processInfo.activeProcessorCount
        /// Told of every process that the bench starts, as it starts: for benchmarks and tests.
        public var trace: (@Sendable (TraceEvent) -> Void)?

        public init() {}
    }

    /// How much a grading insists on a sandbox.
    public enum SandboxRequirement: Sendable {
        /// Strangers' code: no sandbox, no grading.
        case required
        /// The learner's own code: sandboxed where that is possible, else a plain process with limits.
        case whenAvailable
        /// The instructor said `--no-sandbox`.
        case none
    }

    public let workbook: WorkbookFolder
    public let options: Options
    public let toolchain: Toolchain
    /// The sandbox that submissions run in; `nil` where they run in a plain process with limits.
    public let sandbox: Sandbox?

    /// Finds the compiler, the sandbox and the support libraries, and starts nothing.
    public init(workbook: WorkbookFolder, options: Options = Options()) throws(GradingError) {
        self.workbook = workbook
        self.options = options
        toolchain = try Toolchain.locate()
        switch options.sandbox {
        case .none: sandbox = nil
        case .whenAvailable: sandbox = try? Sandbox.probe()
        case .required: sandbox = try Sandbox.probe()
        }
    }

    /// Grades one submission. Whatever the submission does is in the verdict; what throws is the grader's own trouble.
    public func grade(_ submission: Submission) async throws(GradingError) -> Verdict {
        throw GradingError(.programFailed, "grader", "this version cannot grade \(submission.kata.kata) yet")
    }

    /// Grades many submissions, `options.jobs` at a time, and tells each result as it is decided, one at a time.
    public func grade(
        _ submissions: [Submission],
        each: @escaping @Sendable (Submission, Result<Verdict, GradingError>) async -> Void
    ) async {
        for submission in submissions {
            do {
                await each(submission, .success(try await grade(submission)))
            } catch {
                await each(submission, .failure(error))
            }
        }
    }

    /// Compiles what the kata's grading will need besides the submission, where that isn't cached: worth doing while a
    /// learner still types.
    public func prepare(_ kata: Kata) async throws(GradingError) {}
}

/// Something that the bench started, for those who count.
public struct TraceEvent: Sendable, Equatable {
    public enum Step: String, Sendable {
        /// The compiler was asked for the frontend's arguments (once a compiler).
        case askCompiler
        /// The support libraries were linked for suites (once a build of them).
        case linkSupport
        /// The program that runs suites was compiled (once a compiler).
        case compileHarness
        /// The model answer was compiled for its interface (once a change of it).
        case compileAnswer
        /// A suite was compiled.
        case compileSuite
        /// A submission was compiled.
        case compileSubmission
        case link
        case run
    }
    public var step: Step
    public var kata: String?

    public init(_ step: Step, kata: String? = nil) {
        self.step = step
        self.kata = kata
    }

    /// Whether the step starts a compiler.
    public var isCompile: Bool {
        switch step {
        case .askCompiler, .compileHarness, .compileAnswer, .compileSuite, .compileSubmission: true
        case .linkSupport, .link, .run: false
        }
    }
}
