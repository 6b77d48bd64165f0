import Foundation
import Reports
import Storage

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
        try context.write(url) { try Descriptor.replace($0, with: Data(numbers.csv.utf8), mode: 0o600) }
    }
}
