import Workbook

/// Why a grading stopped before its suite had run: the only way in which a step of an engine ends early.
///
/// `Verdict.init(_:_:)` is the one place that maps it to a verdict.
enum GradingStop: Error {
    case rejected(Rejection)
    /// - Parameter because: what was taken out of the text before, where that may be why.
    case didNotCompile([CompilerMessage], because: Rejection? = nil)
    /// The suite needs what the submission does not declare.
    case lacksDeclarations([Diagnostic])
    /// The grader could not do its work, which says nothing about the submission.
    case trouble(GradingError)
}

extension GradingStop {
    /// Whether the machine had no room for a process just then.
    var isShortage: Bool { if case .trouble(let error) = self { error.isShortage } else { false } }
}

/// Does work that fails only for the grader's own reasons, as a step of a grading.
func asStep<Value>(_ work: @autoclosure () throws(GradingError) -> Value) throws(GradingStop) -> Value {
    do throws(GradingError) {
        return try work()
    } catch {
        throw .trouble(error)
    }
}
