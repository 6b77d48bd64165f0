import Foundation
import Reports
import Workbook

/// `grader reset`: brings the shipped stub back, and keeps what was there.
struct ResetCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let session = try WorkbookSession(context)
        let kata = try session.kata(named: context.request.operands[0])
        let file = session.path(of: kata)
        guard case .done(let kept) = try session.reset(kata) else {
            context.console.print(context.strings(.resetNothingToDo, .text(file)))
            return .passed
        }
        var lines = [context.strings(.resetDone, .text(file))]
        if let kept { lines.append(context.strings(.resetKept, .text(context.typed(kept)))) }
        context.console.print(lines)
        return session.couldRemember ? .passed : .trouble
    }
}
