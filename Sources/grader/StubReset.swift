import Foundation
import Workbook

/// Brings the shipped stub of a kata back, and keeps what was there.
struct StubReset: Sendable {
    let seat: Seat

    enum Outcome: Equatable, Sendable {
        /// The file was the stub already.
        case unchanged
        /// The stub is back; what was there is kept in a file.
        case done(kept: URL?)
    }

    func run(_ kata: Kata) throws(Stop) -> Outcome {
        let workbook = try seat.requireWorkbook()
        let file = workbook.learnerFile(kata.kata)
        let shipped = workbook.shippedStub(kata.kata)
        guard let stub = try? Data(contentsOf: shipped) else {
            throw Stop(sentence: seat.words(.stubMissing, .text(seat.typed(shipped))), code: .trouble)
        }
        let kind = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
        if kind == .typeRegular, (try? Data(contentsOf: file)) == stub { return .unchanged }
        do {
            let kept = kind == nil ? nil : try keep(file, kata, workbook)
            // A file is replaced in one step; anything else that stands in its place has been kept and makes room.
            if let kind, kind != .typeRegular { try FileManager.default.removeItem(at: file) }
            try stub.write(to: file, options: .atomic)
            return .done(kept: kept)
        } catch {
            let reason = seat.words.reason(SystemFailure(error))
            throw Stop(sentence: seat.words(.resetFailed, .text(seat.typed(file)), .text(reason)), code: .trouble)
        }
    }

    /// The way begins anew; what was reached before stays reached.
    static func forget(_ kata: Kata, in progress: inout LearnerProgress) {
        progress.katas[kata.kata]?.last = nil
        progress.katas[kata.kata]?.hintsShown = [:]
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
