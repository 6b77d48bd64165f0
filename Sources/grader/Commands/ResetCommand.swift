import Foundation
import Reports
import Workbook

/// `grader reset`: brings the shipped stub back, and keeps what was there.
struct ResetCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let kata = try seat.kata(seat.request.operands[0], among: seat.katas())
        let file = try seat.requireWorkbook().learnerFile(kata.kata)
        guard case .done(let kept) = try StubReset(seat: seat).run(kata) else {
            seat.console.print(seat.words(.resetNothingToDo, .text(seat.typed(file))))
            return .passed
        }
        let remembered = seat.remember { StubReset.forget(kata, in: &$0) }
        var lines = [seat.words(.resetDone, .text(seat.typed(file)))]
        if let kept { lines.append(seat.words(.resetKept, .text(seat.typed(kept)))) }
        seat.console.print(lines)
        return remembered ? .passed : .trouble
    }
}
