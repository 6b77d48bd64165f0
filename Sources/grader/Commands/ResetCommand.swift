import Foundation
import Reports
import Workbook

/// `grader reset`: brings the shipped stub back, and keeps what was there.
struct ResetCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let kata = try seat.kata(seat.request.operands[0], among: seat.katas())
        let workbook = try seat.requireWorkbook()
        let file = workbook.learnerFile(kata.kata)
        let shipped = workbook.shippedStub(kata.kata)
        guard let stub = try? Data(contentsOf: shipped) else {
            throw Stop(sentence: seat.words(.stubMissing, .text(seat.typed(shipped))), code: .trouble)
        }
        let isPlain = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
        if isPlain == .typeRegular, (try? Data(contentsOf: file)) == stub {
            seat.console.print(seat.words(.resetNothingToDo, .text(seat.typed(file))))
            return .passed
        }
        var kept: URL?
        do {
            if isPlain != nil { kept = try keep(file, kata, workbook) }
            // A file is replaced in one step; anything else that stands in its place has been kept and makes room.
            if let isPlain, isPlain != .typeRegular { try FileManager.default.removeItem(at: file) }
            try stub.write(to: file, options: .atomic)
        } catch {
            let reason = seat.words.reason(SystemFailure(error))
            throw Stop(sentence: seat.words(.resetFailed, .text(seat.typed(file)), .text(reason)), code: .trouble)
        }
        // The way begins anew; what was reached before stays reached.
        let remembered = seat.remember { progress in
            progress.katas[kata.kata]?.last = nil
            progress.katas[kata.kata]?.hintsShown = [:]
        }
        var lines = [seat.words(.resetDone, .text(seat.typed(file)))]
        if let kept { lines.append(seat.words(.resetKept, .text(seat.typed(kept)))) }
        seat.console.print(lines)
        return remembered ? .passed : .trouble
    }

    /// Copies what the learner had to `.grader/backups`, under a name that says when.
    private func keep(_ file: URL, _ kata: Kata, _ workbook: WorkbookFolder) throws -> URL {
        let folder = workbook.graderFolder.appendingPathComponent("backups")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime]
        let time = formatter.string(from: Date())
        var kept = folder.appendingPathComponent("\(kata.kata)-\(time).swift")
        var count = 1
        while (try? FileManager.default.attributesOfItem(atPath: kept.path)) != nil {
            count += 1
            kept = folder.appendingPathComponent("\(kata.kata)-\(time)-\(count).swift")
        }
        try FileManager.default.copyItem(at: file, to: kept)
        return kept
    }
}
