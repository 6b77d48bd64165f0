import Foundation
import Grading
import Reports
import Workbook

/// `grader doctor`: whether this machine can grade, and what to do where it can't.
struct DoctorCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        let workbook = try context.requireWorkbook()
        let engine = try WorkbookSession(context).engine()
        let found = await Doctor.examine(workbook, engine: engine, environment: context.environment)
        var facts = found.map {
            DoctorReport.Fact(
                subject: $0.subject.rawValue, state: $0.state.rawValue, message: context.strings.reports($0.message))
        }
        facts.append(terminal)
        let report = DoctorReport(language: context.language, facts: facts)
        if let file = context.request.report { try await write(found, ready: report.ready, to: file) }
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

    /// What to attach to a report of a problem: the facts in English, and which system and compiler they are about.
    private func write(_ facts: [Doctor.Fact], ready: Bool, to path: String) async throws {
        let english = try CommandStrings(.english)
        #if arch(arm64)
        let processor = "arm64"
        #else
        let processor = "x86_64"
        #endif
        let lines =
            [
                "grader \(ProgramName.version)", ProcessInfo.processInfo.operatingSystemVersionString, processor,
                await Doctor.compilerText(), "",
            ]
            + facts.map { "\($0.state.rawValue) \($0.subject.rawValue): \(english.reports($0.message))" }
            + ["", english(ready ? .doctorReady : .doctorNotReady), ""]
        let file = context.folder(path)
        try context.write(file) { try Data(lines.joined(separator: "\n").utf8).write(to: $0) }
        context.console.say(context.strings(.doctorReportAt, .text(context.typed(file))))
    }

    /// Whether letters of all six languages can be shown.
    private var terminal: DoctorReport.Fact {
        let isUnicode = Console.isUnicode(context.environment)
        return DoctorReport.Fact(
            subject: "terminal",
            state: (isUnicode ? Doctor.Fact.State.fine : .warning).rawValue,
            message: context.strings(isUnicode ? .doctorUnicode : .doctorNotUnicode))
    }
}
