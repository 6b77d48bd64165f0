import Foundation
import Storage
import Workbook

/// A way to build submissions with their suites and to run them.
///
/// An engine knows nothing of verdicts: `SubmissionGrader` caches and times them, and maps what an engine returns or
/// throws to a `Verdict`.
protocol GradingEngine: Sendable {
    /// The digest of everything that a result depends on, in addition to the submission, the seed and the options.
    func key(of kata: Kata) async throws(GradingError) -> CacheKey

    /// Makes what all gradings of a kata share, unless it is there already.
    func prepare(_ kata: Kata) async throws(GradingError)

    /// The types of the kata's own that its suite compares by their `==`; none where the engine cannot tell.
    func comparedTypes(of kata: Kata) async throws(GradingError) -> [String]

    /// Whether a run of the kata's suite can explore orders of steps on this machine.
    func exploresOrders(of kata: Kata) async throws(GradingError) -> Bool

    /// Builds a submission and runs the suite of its kata. When its task is cancelled, it stops soon and throws.
    func grade(_ submission: Submission, _ source: SourceFile) async throws(GradingStop) -> SuiteResult
}

extension GradingEngine {
    func comparedTypes(of kata: Kata) async throws(GradingError) -> [String] { [] }
    func exploresOrders(of kata: Kata) async throws(GradingError) -> Bool { false }
}

/// What an engine found when the suite had run.
struct SuiteResult: Equatable {
    /// What became of each test, by its id.
    var tests: [String: TestResult]
    /// What the compiler said about the submission.
    var warnings: [CompilerMessage] = []
    /// Why a person should look at the submission.
    var reasonsToLook: [ReasonToLook] = []
}

/// What all gradings of one `SubmissionGrader` share.
struct GradingContext: Sendable {
    var workbook: WorkbookFolder
    var options: GradingOptions
    var toolchain: Toolchain
    /// `nil` where submissions run in a plain process with limits.
    var sandbox: Sandbox?
    var cache: CacheFolder

    func trace(_ step: TraceEvent.Step, _ kata: Kata? = nil) {
        options.trace?(TraceEvent(step, kata: kata?.kata))
    }
}
