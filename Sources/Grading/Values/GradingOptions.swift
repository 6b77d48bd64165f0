import Foundation
import Workbook

/// How a `SubmissionGrader` grades.
public struct GradingOptions: Sendable {
    /// Which engine grades.
    public var engine = EngineName.standard
    /// Whether code may be run outside a sandbox.
    public var sandbox: SandboxRequirement = .whenAvailable
    /// Where the suites draw their values from. The same seed gives the same values.
    public var seed: UInt64 = 0
    /// The one order that is run where tests explore orders; all of them without it. Such a verdict is never kept.
    public var schedule: String?
    /// Whether a verdict that is already known may be given again.
    public var usesCache = true
    /// Whether points are confirmed that others rely on, also of a kata that is not passed.
    public var confirmsPoints = false
    public var limits = Limits()
    /// How many submissions are graded at once; fewer where there is not enough memory for what so many may take.
    public var jobs = ProcessInfo.processInfo.activeProcessorCount
    /// Where what can be made again is kept; `.grader/cache` in the workbook by default.
    public var cacheFolder: URL?
    /// Told of every process that the grader starts, as it starts: for benchmarks and tests.
    public var trace: (@Sendable (TraceEvent) -> Void)?
    /// Told how much is built, from 0 to 1, where a grading begins with a build that takes long.
    public var onBuildProgress: (@Sendable (Kata, Double) -> Void)?

    /// The walls that do not stand: for tests of those behind.
    var without: Set<Wall> = []

    public init() {}

    /// What stands between a submission and a verdict that it has not earned, but for the sandbox and the limits.
    enum Wall: String, CaseIterable {
        /// The look at the submission's text, before anything is compiled.
        case text
        /// The compiler's own check of memory safety.
        case memory
        /// The look at what the submission's object needs.
        case object
        /// The second run of tests that passed, in which they have to fail.
        case controls
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
}
