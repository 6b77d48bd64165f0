import Foundation
import Reports

/// `names.csv` in the folder of a class's report, which only its owner may read.
struct NamesFile: Sendable {
    let context: CommandContext
    let folder: URL

    private var url: URL { folder.appendingPathComponent(LearnerNumbers.fileName) }

    func read() throws(CommandError) -> LearnerNumbers {
        guard FileManager.default.fileExists(atPath: url.path) else { return LearnerNumbers() }
        do {
            return LearnerNumbers(csv: try String(contentsOf: url, encoding: .utf8))
        } catch {
            // Other numbers than those that were given out would be wrong ones.
            throw context.error(error)
        }
    }

    func write(_ numbers: LearnerNumbers) throws(CommandError) {
        guard try read() != numbers else { return }
        try context.write(url) { url in
            let draft = folder.appendingPathComponent(".\(LearnerNumbers.fileName).draft")
            try? FileManager.default.removeItem(at: draft)
            guard
                FileManager.default.createFile(
                    atPath: draft.path, contents: Data(numbers.csv.utf8), attributes: [.posixPermissions: 0o600]),
                rename(draft.path, url.path) == 0
            else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }
}
