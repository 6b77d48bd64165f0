import Foundation
import Storage
import Workbook

/// `grader solution`: the model answer, where it is and what it says.
struct SolutionCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let session = try WorkbookSession(context)
        let file = session.workbook.modelAnswer(try session.kata(named: context.request.operands[0]).kata)
        guard let data = try? Data(contentsOf: file) else {
            throw CommandError(message: context.strings(.fileUnreadable, .text(context.typed(file))), code: .trouble)
        }
        // The source alone goes to standard output, so that it can be kept or compared.
        context.console.say(context.strings(.solutionAt, .text(context.typed(file))))
        context.console.printVerbatim(String(decoding: data, as: UTF8.self))
        return .passed
    }
}
