import Foundation
import Workbook

/// Brings the shipped stub of a kata back, and keeps what was there.
struct StubReset: Sendable {
    let context: CommandContext

    enum Outcome: Equatable, Sendable {
        /// The file was the stub already.
        case unchanged
        /// The stub is back; what was there is kept in a file.
        case done(kept: URL?)
    }

    func run(_ kata: Kata) throws(CommandError) -> Outcome {
        let workbook = try context.requireWorkbook()
        let file = workbook.learnerFile(kata.kata)
        let shipped = workbook.shippedStub(kata.kata)
        guard let stub = try? Data(contentsOf: shipped) else {
            throw CommandError(message: context.strings(.stubMissing, .text(context.typed(shipped))), code: .trouble)
        }
        let kind = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
        if kind == .typeRegular, (try? Data(contentsOf: file)) == stub { return .unchanged }
        do {
            let kept = try kind.map { try keep(file, $0, kata, workbook) }
            try stub.write(to: file, options: .atomic)
            return .done(kept: kept)
        } catch {
            let reason = context.strings.reason(SystemFailure(error))
            throw CommandError(
                message: context.strings(.resetFailed, .text(context.typed(file)), .text(reason)), code: .trouble)
        }
    }

    /// The way begins anew; what was reached before stays reached.
    static func forget(_ kata: Kata, in progress: inout LearnerProgress) {
        progress.katas[kata.kata]?.last = nil
        progress.katas[kata.kata]?.hintsShown = [:]
    }

    /// Keeps what the learner had in `.grader/backups`, under a name that says when.
    private func keep(_ file: URL, _ kind: FileAttributeType, _ kata: Kata, _ workbook: WorkbookFolder) throws -> URL {
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
        if kind == .typeRegular {
            // Copied, since the stub replaces it in one step: at no moment is there no file.
            try FileManager.default.copyItem(at: file, to: kept)
        } else {
            // A folder, a link or a FIFO makes room.
            try FileManager.default.moveItem(at: file, to: kept)
        }
        return kept
    }
}
