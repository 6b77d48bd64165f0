import Foundation
import Storage
import Workbook

extension WorkbookSession {
    enum ResetOutcome: Equatable, Sendable {
        /// The file was the stub already.
        case unchanged
        /// The stub is back; what was there is kept in a file.
        case done(kept: URL?)
    }

    /// Brings the shipped stub of a kata back, keeps what was there, and forgets the last verdict and the hints. What was
    /// reached before stays reached.
    func reset(_ kata: Kata) throws(CommandError) -> ResetOutcome {
        let file = workbook.learnerFile(kata.kata)
        let shipped = workbook.shippedStub(kata.kata)
        guard let stub = try? Data(contentsOf: shipped) else {
            throw CommandError(message: strings(.stubMissing, .text(context.typed(shipped))), code: .trouble)
        }
        let kind = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
        if kind == .typeRegular, (try? Data(contentsOf: file)) == stub { return .unchanged }
        let kept: URL?
        do {
            kept = try kind.map { try keepBackup(of: file, $0, kata) }
            try stub.write(to: file, options: .atomic)
        } catch {
            let reason = strings.reason(SystemFailure(error))
            throw CommandError(
                message: strings(.resetFailed, .text(context.typed(file)), .text(reason)), code: .trouble)
        }
        startOver(kata)
        return .done(kept: kept)
    }

    /// Forgets the last verdict and the hints.
    func startOver(_ kata: Kata) { update { $0.katas[kata.kata]?.startOver() } }

    /// Keeps what the learner has in an editor, before its text becomes the stub. The file becomes it when that is saved.
    func keep(_ text: String, of kata: Kata) throws(CommandError) -> (stub: String, kept: URL) {
        let shipped = workbook.shippedStub(kata.kata)
        guard let stub = try? String(contentsOf: shipped, encoding: .utf8) else {
            throw CommandError(message: strings(.stubMissing, .text(context.typed(shipped))), code: .trouble)
        }
        do {
            let backup = try newBackup(kata)
            try Data(text.utf8).write(to: backup)
            return (stub, backup)
        } catch {
            let reason = strings.reason(SystemFailure(error))
            let file = context.typed(workbook.learnerFile(kata.kata))
            throw CommandError(message: strings(.resetFailed, .text(file), .text(reason)), code: .trouble)
        }
    }

    /// Keeps what the learner had in `.grader/backups`, under a name that says when.
    private func keepBackup(of file: URL, _ kind: FileAttributeType, _ kata: Kata) throws -> URL {
        let backup = try newBackup(kata)
        if kind == .typeRegular {
            // Copied, since the stub replaces it in one step: at no moment is there no file.
            try FileManager.default.copyItem(at: file, to: backup)
        } else {
            // A folder, a link or a FIFO is moved out of the way.
            try FileManager.default.moveItem(at: file, to: backup)
        }
        return backup
    }

    /// A name that no other backup has.
    private func newBackup(_ kata: Kata) throws -> URL {
        let folder = workbook.graderFolder.appendingPathComponent("backups")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withYear, .withMonth, .withDay, .withTime]
        let time = formatter.string(from: Date())
        var backup = folder.appendingPathComponent("\(kata.kata)-\(time).swift")
        var count = 1
        while (try? FileManager.default.attributesOfItem(atPath: backup.path)) != nil {
            count += 1
            backup = folder.appendingPathComponent("\(kata.kata)-\(time)-\(count).swift")
        }
        return backup
    }
}
