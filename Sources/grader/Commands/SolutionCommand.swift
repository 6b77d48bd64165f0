import Foundation
import Workbook

/// `grader solution`: the model answer, where it is and what it says.
struct SolutionCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let kata = try seat.kata(seat.request.operands[0], among: seat.katas())
        let file = try seat.requireWorkbook().solution(kata.kata).appendingPathComponent("\(kata.kata).swift")
        guard let data = try? Data(contentsOf: file) else {
            throw Stop(sentence: seat.words(.fileUnreadable, .text(seat.typed(file))), code: .trouble)
        }
        // The source alone goes to standard output, so that it can be kept or compared.
        seat.console.say(seat.words(.solutionAt, .text(seat.typed(file))))
        seat.console.printVerbatim(String(decoding: data, as: UTF8.self))
        return .passed
    }
}
