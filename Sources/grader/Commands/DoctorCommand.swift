import Grading
import Reports
import Workbook

/// `grader doctor`: whether this machine can grade, and what to do where it can't.
struct DoctorCommand: Sendable {
    let context: CommandContext
    let environment: [String: String]

    func run() async throws -> ExitCode {
        let workbook = try context.requireWorkbook()
        var facts = await Doctor.examine(workbook, environment: environment).map {
            DoctorReport.Fact(
                subject: $0.subject.rawValue, state: $0.state.rawValue, message: context.strings.reports($0.message))
        }
        facts.append(terminal)
        let report = DoctorReport(language: context.language, facts: facts)
        if context.request.json {
            context.console.printVerbatim(JSONText.of(report))
        } else {
            let style = context.style
            let lines = facts.map { fact in
                let mark =
                    switch fact.state {
                    case Doctor.Fact.State.fine.rawValue: style.good
                    case Doctor.Fact.State.warning.rawValue: style.doubtful
                    default: style.bad
                    }
                return "\(mark) \(fact.message)"
            }
            context.console.print(lines + ["", context.strings(report.ready ? .doctorReady : .doctorNotReady)])
        }
        return report.ready ? .passed : .trouble
    }

    /// Whether letters of all six languages can be shown.
    private var terminal: DoctorReport.Fact {
        let isUnicode = Console.isUnicode(environment)
        return DoctorReport.Fact(
            subject: "terminal",
            state: (isUnicode ? Doctor.Fact.State.fine : .warning).rawValue,
            message: context.strings(isUnicode ? .doctorUnicode : .doctorNotUnicode))
    }
}
