import Foundation
import Reports
import Workbook

/// `grader reset`: brings the shipped stub back, and keeps what was there.
struct ResetCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let kata = try context.kata(context.request.operands[0], among: context.katas())
        let file = try context.requireWorkbook().learnerFile(kata.kata)
        guard case .done(let kept) = try StubReset(context: context).run(kata) else {
            context.console.print(context.strings(.resetNothingToDo, .text(context.typed(file))))
            return .passed
        }
        let remembered = context.remember { StubReset.forget(kata, in: &$0) }
        var lines = [context.strings(.resetDone, .text(context.typed(file)))]
        if let kept { lines.append(context.strings(.resetKept, .text(context.typed(kept)))) }
        context.console.print(lines)
        return remembered ? .passed : .trouble
    }
}
