import Foundation
import Workbook

/// `grader solution`: the model answer, where it is and what it says.
struct SolutionCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let kata = try context.kata(context.request.operands[0], among: context.katas())
        let file = try context.requireWorkbook().solution(kata.kata).appendingPathComponent("\(kata.kata).swift")
        guard let data = try? Data(contentsOf: file) else {
            throw CommandError(message: context.strings(.fileUnreadable, .text(context.typed(file))), code: .trouble)
        }
        // The source alone goes to standard output, so that it can be kept or compared.
        context.console.say(context.strings(.solutionAt, .text(context.typed(file))))
        context.console.printVerbatim(String(decoding: data, as: UTF8.self))
        return .passed
    }
}
